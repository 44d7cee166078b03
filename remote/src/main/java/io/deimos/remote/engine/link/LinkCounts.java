// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import io.deimos.remote.FlushReason;
import io.deimos.remote.RemoteStats;
import io.deimos.remote.engine.count.Counters;
import io.deimos.remote.engine.count.FlushProfile;
import java.util.List;

/**
 * Counts what a link writes and loses. A batch is counted when it is flushed: what the event loop
 * has written since the last flush, with the reason of its last chunk, or the one frame of a
 * sender. It is timed from then until its last chunk is in the socket.
 *
 * <p><b>Threads.</b> Any.
 */
final class LinkCounts implements LinkListener {
  private final Counters counters;
  private final FlushProfile profile;

  LinkCounts(Counters counters) {
    this.counters = counters;
    profile = counters.newProfile();
  }

  @Override
  public void opened(Connection connection) {
    counters.opened();
  }

  @Override
  public void over(boolean wasOpen) {
    if (wasOpen) {
      counters.closed();
    }
  }

  @Override
  public void ended() {
    counters.end(profile);
  }

  void dropped(int frames) {
    counters.dropped.add(frames);
  }

  /** The socket is about to be given a batch. The rest of a sender's frame was counted before. */
  void flushed(List<Chunk> batch) {
    int frames = 0;
    long bytes = 0;
    Chunk last = null;
    for (Chunk chunk : batch) {
      if (chunk.reason != FlushReason.IDLE) {
        frames += chunk.frames();
        bytes += chunk.bytes();
        last = chunk;
      }
    }
    if (last != null) {
      if (RemoteStats.detailed()) {
        last.flushedNanos = System.nanoTime();
      }
      synchronized (profile) {
        profile.flushed(last.reason, frames, bytes);
      }
    }
  }

  /** A chunk is in the socket, or never will be. */
  void written(Chunk chunk, boolean well) {
    if (!well) {
      counters.dropped.add(chunk.frames());
      return;
    }
    counters.messages.add(chunk.frames());
    counters.bytes.add(chunk.bytes());
    if (chunk.flushedNanos != 0) {
      took(chunk.flushedNanos);
    }
  }

  /** When a sender begins to write; 0 if that is not timed. */
  static long start() {
    return RemoteStats.detailed() ? System.nanoTime() : 0;
  }

  /** A sender has written its frame, or has begun to. */
  void sent(int bytes, long start) {
    synchronized (profile) {
      profile.flushed(FlushReason.IDLE, 1, bytes);
    }
    if (start != 0) {
      took(start);
    }
  }

  private void took(long start) {
    long nanos = Math.max(1, System.nanoTime() - start);
    counters.flushNanos.add(nanos);
    synchronized (profile) {
      profile.took(nanos);
    }
  }

  /** How many of a sender's bytes are in the socket. */
  void inSocket(int bytes, boolean whole) {
    counters.bytes.add(bytes);
    if (whole) {
      counters.messages.increment();
    }
  }
}
