// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Pairs of stamps from the link to one process, as NTP has them: sent and received on the way
 * there, sent and received on the way back. The shortest of the last {@value #KEPT} round trips
 * counts, since it leaves the least doubt. Stamps are those that spans are made of. Safe for any
 * thread.
 */
final class ClockPairs {
  private static final int KEPT = 32;

  /** No clock is further off than that; whoever says so has none. */
  private static final long MAX_NANOS = TimeUnit.DAYS.toNanos(365 * 20);

  private final long[] offsets = new long[KEPT];
  private final long[] trips = new long[KEPT];
  private int next;

  ClockPairs() {
    Arrays.fill(trips, Long.MAX_VALUE);
  }

  /**
   * Adds one round trip. Impossible pairs are left out.
   *
   * @param sent by this clock
   * @param received by the other
   * @param answered by the other
   * @param came by this clock
   */
  synchronized void add(long sent, long received, long answered, long came) {
    if (Math.abs((double) received - sent) > MAX_NANOS
        || Math.abs((double) answered - came) > MAX_NANOS) {
      return;
    }
    long there = received - sent;
    long back = answered - came;
    long trip = there - back;
    if (trip >= 0 && answered >= received) {
      offsets[next] = back + trip / 2;
      trips[next] = trip;
      next = (next + 1) % KEPT;
    }
  }

  /** Null before the first round trip. */
  synchronized @Nullable ClockOffset offset() {
    int best = 0;
    for (int i = 1; i < KEPT; i++) {
      if (trips[i] < trips[best]) {
        best = i;
      }
    }
    return trips[best] == Long.MAX_VALUE
        ? null
        : new ClockOffset(offsets[best], (trips[best] + 1) / 2);
  }
}
