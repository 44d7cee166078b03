// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.decode;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a system sends on a new connection behind what it had sent on those before: these may
 * have ended with messages still to be delivered here. Only connections from the same address are
 * waited for: the number of a system is no secret, and anybody may write it into a frame.
 *
 * <p><b>Threads.</b> {@link #begin} and {@link #over} may be called from any; a {@link Turn}
 * belongs to its lane.
 */
final class ConnectionOrder {
  /** Longer than any pause a message may take between two looks; then order gives way to life. */
  private static final long PATIENCE_NANOS = 2_000_000_000L;

  /**
   * For a connection whose end may only not have been read yet, since its thread got no processor
   * for a moment; it may as well be half open.
   */
  private static final long GRACE_NANOS = 500_000_000L;

  private final Map<Sender, List<Earlier>> running = new HashMap<>();

  /**
   * The first frame on a connection says whose it is.
   *
   * @param from the address it comes from; what cannot be told is an address of its own
   */
  synchronized Turn begin(long uid, @Nullable InetAddress from, Earlier lane) {
    List<Earlier> all = running.computeIfAbsent(new Sender(uid, from), first -> new ArrayList<>(1));
    Turn turn = new Turn(List.copyOf(all), System.nanoTime());
    all.add(lane);
    return turn;
  }

  /** All that came on a connection has been delivered, and no more will come. */
  synchronized void over(long uid, @Nullable InetAddress from, Earlier lane) {
    Sender sender = new Sender(uid, from);
    List<Earlier> all = running.get(sender);
    if (all != null) {
      all.remove(lane);
      if (all.isEmpty()) {
        running.remove(sender);
      }
    }
  }

  /** The system that owns a connection, as far as can be told. */
  private record Sender(long uid, @Nullable InetAddress address) {}

  /** A connection that others may have to wait for. Any thread. */
  interface Earlier {
    /** Whether all that came has been delivered, and no more will come. */
    boolean isOver();

    /** Whether there is something still to be delivered, as far as can be told. */
    boolean isBehind();
  }

  /** The connections that a new one waits for. */
  record Turn(List<Earlier> before, long sinceNanos) {
    /** Nothing to wait for; it keeps no earlier connection in memory. */
    static final Turn COME = new Turn(List.of(), 0);

    boolean hasCome() {
      long waited = System.nanoTime() - sinceNanos;
      for (Earlier lane : before) {
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
