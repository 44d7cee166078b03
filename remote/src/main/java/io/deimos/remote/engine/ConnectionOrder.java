// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps what a system sends on a new connection behind what it had sent on those before: these may
 * have ended with messages still to be delivered here.
 *
 * <p><b>Threads.</b> {@link #begin} and {@link #over} may be called from any; a {@link Turn}
 * belongs to its lane.
 */
final class ConnectionOrder {
  /** Longer than any pause a message may take between two looks; then order gives way to life. */
  private static final long PATIENCE_NANOS = 2_000_000_000L;

  /** For a connection whose end may only not have been read yet; it may as well be half open. */
  private static final long GRACE_NANOS = 100_000_000L;

  private final Map<Long, List<InboundLane>> running = new HashMap<>();

  /** The first frame on a connection says whose it is. */
  synchronized Turn begin(long uid, InboundLane lane) {
    List<InboundLane> all = running.computeIfAbsent(uid, first -> new ArrayList<>(1));
    Turn turn = new Turn(List.copyOf(all), System.nanoTime());
    all.add(lane);
    return turn;
  }

  /** All that came on a connection has been delivered, and no more will come. */
  synchronized void over(long uid, InboundLane lane) {
    List<InboundLane> all = running.get(uid);
    if (all != null) {
      all.remove(lane);
      if (all.isEmpty()) {
        running.remove(uid);
      }
    }
  }

  /** What a new connection waits for. */
  record Turn(List<InboundLane> before, long sinceNanos) {
    /** Nothing to wait for; it keeps no earlier connection in memory. */
    static final Turn COME = new Turn(List.of(), 0);

    boolean hasCome() {
      long waited = System.nanoTime() - sinceNanos;
      for (InboundLane lane : before) {
        if (!lane.isOver() && waited < (lane.isBehind() ? PATIENCE_NANOS : GRACE_NANOS)) {
          return false;
        }
      }
      return true;
    }

    /** Whether waiting was given up, so that messages may have overtaken others. */
    boolean wasGivenUp() {
      return before.stream().anyMatch(lane -> !lane.isOver() && lane.isBehind());
    }
  }
}
