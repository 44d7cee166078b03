// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.out;

import io.deimos.remote.engine.settings.RemoteSettings;
import io.deimos.remote.engine.wire.CheapSerialisers;
import org.apache.pekko.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the thread on which a lane encodes: see {@code encode-on}. If that is {@code auto}, it is
 * the link's event loop as long as only cheap serialisers are met. One of another kind moves the
 * lane to the dispatcher of Artery's streams, until some batches have seen none. A message that
 * comes when nobody has sent for a while, and few did before, may be encoded by its sender.
 *
 * <p><b>Threads.</b> {@link #submitOnLoop} and {@link #senderMay} belong to whoever has the right
 * to run the lane, as all others do.
 */
final class EncodePlace {
  /** After so long without a message a sender writes the next one itself. */
  private static final long QUIET_NANOS = 100_000;

  /** The messages of the last run: after more, what goes alone only makes batches smaller. */
  private static final int MAX_FRAMES_BEFORE_QUIET = 4;

  private static final int BATCHES_OFF_LOOP = 64;

  private final RemoteSettings.EncodeOn setting;
  private final boolean lingers;
  private int batchesOffLoop;
  private int framesOfLastRun;
  private long lastRunNanos;
  private @Nullable Class<?> lastCheap;

  EncodePlace(RemoteSettings settings, long nowNanos) {
    setting = settings.loops().encodeOn();
    lingers = !settings.batching().flushInterval().isZero();
    lastRunNanos = nowNanos;
  }

  /** Whether the next run belongs on the event loop, and not on the dispatcher. */
  boolean submitOnLoop() {
    return setting != RemoteSettings.EncodeOn.DISPATCHER && batchesOffLoop == 0;
  }

  /** Whether a sender may take the place of the next run, as far as that is known here. */
  boolean senderMay(long nowNanos) {
    return setting == RemoteSettings.EncodeOn.AUTO
        && !lingers
        && batchesOffLoop == 0
        && framesOfLastRun <= MAX_FRAMES_BEFORE_QUIET
        && nowNanos - lastRunNanos >= QUIET_NANOS;
  }

  void runEnded(int frames, long nowNanos) {
    framesOfLastRun = frames;
    lastRunNanos = nowNanos;
  }

  /** Whether a serialiser may run on any thread. */
  boolean isCheap(Serializer serializer) {
    Class<?> type = serializer.getClass();
    if (type == lastCheap) {
      return true;
    }
    boolean cheap = CheapSerialisers.write(serializer);
    if (cheap) {
      lastCheap = type;
    }
    return cheap;
  }

  /** Whether a serialiser that is not cheap may run on an event loop. */
  boolean isLoopForAll() {
    return setting == RemoteSettings.EncodeOn.EVENT_LOOP;
  }

  /** A serialiser that is not cheap has been met; the lane is to go to the dispatcher. */
  void leaveLoop() {
    batchesOffLoop = BATCHES_OFF_LOOP;
  }

  /** A batch has seen cheap serialisers only. */
  void batchWasCheap() {
    if (batchesOffLoop > 0) {
      batchesOffLoop--;
    }
  }
}
