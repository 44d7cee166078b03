// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.housekeeping;

import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.base.HousekeepingCall;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.hooks.BreakerHooks;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Has the gauges read off once a second, or less often if that takes long: the thread then rests
 * {@value #SHARE} times as long, but no longer than ten seconds. Safe for any thread.
 */
public final class GaugeReaders {
  private static final long EVERY_NANOS = 1_000_000_000;
  private static final long MOST_NANOS = 10 * EVERY_NANOS;
  private static final int SHARE = 200;

  private static final List<GaugeReader> ALL = new CopyOnWriteArrayList<>();
  private static volatile Readings last = new Readings();
  private static volatile @Nullable Thread thread;

  private GaugeReaders() {}

  /** Adds an actor system's; the first one has the thread started. */
  public static void add(GaugeReader reader) {
    ALL.add(reader);
    HousekeepingCall.wake();
    LockSupport.unpark(thread);
  }

  /** Called by housekeeping, since a thread keeps something of the one that starts it. */
  static void startIfWanted() {
    if (thread == null && !ALL.isEmpty()) {
      thread = AgentThread.start("deimos-gauges", GaugeReaders::run);
    }
  }

  /** What was read off last. */
  public static Readings last() {
    return last;
  }

  private static void run() {
    while (true) {
      long begun = Clock.now();
      try {
        readOnce();
        Faults.tell();
      } catch (Throwable t) {
        Faults.caught(t); // the gauges keep what they showed; the next reading may succeed
      }
      long took = Clock.now() - begun;
      if (ALL.isEmpty()) {
        LockSupport.park(GaugeReaders.class);
      } else {
        LockSupport.parkNanos(Math.max(EVERY_NANOS, Math.min(took * SHARE, MOST_NANOS)));
      }
    }
  }

  static void readOnce() {
    Readings readings = new Readings();
    ALL.removeIf(reader -> !read(reader, readings));
    BreakerHooks.read(readings);
    last = readings;
  }

  private static boolean read(GaugeReader reader, Readings into) {
    try {
      return reader.read(into);
    } catch (Throwable t) {
      Faults.caught(t);
      return true; // one failure is not the end of the actor system
    }
  }
}
