// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import java.util.Arrays;

/**
 * The buckets of every duration histogram: 1, 2.5 and 5 in each decade from 1 µs to 10 s.
 *
 * <p>No octave holds more than one bound, so a bucket is found by one table look-up on the number
 * of leading zeros and one comparison.
 */
public final class Durations {
  private static final long[] BOUNDS_NANOS = {
    1_000L,
    2_500L,
    5_000L,
    10_000L,
    25_000L,
    50_000L,
    100_000L,
    250_000L,
    500_000L,
    1_000_000L,
    2_500_000L,
    5_000_000L,
    10_000_000L,
    25_000_000L,
    50_000_000L,
    100_000_000L,
    250_000_000L,
    500_000_000L,
    1_000_000_000L,
    2_500_000_000L,
    5_000_000_000L,
    10_000_000_000L
  };

  /** Number of buckets: one more than bounds, the last for what is longer than all. */
  public static final int BUCKETS = BOUNDS_NANOS.length + 1;

  /** By leading zeros: the first bucket a duration of that magnitude can fall into. */
  private static final byte[] FIRST = new byte[65];

  /** By leading zeros: the bound above which it falls into the next. */
  private static final long[] BOUND = new long[65];

  static {
    for (int zeros = 0; zeros <= 64; zeros++) {
      long least = zeros == 64 ? 0 : 1L << (63 - zeros);
      int bucket = 0;
      while (bucket < BOUNDS_NANOS.length && least > BOUNDS_NANOS[bucket]) {
        bucket++;
      }
      FIRST[zeros] = (byte) bucket;
      BOUND[zeros] = bucket < BOUNDS_NANOS.length ? BOUNDS_NANOS[bucket] : Long.MAX_VALUE;
    }
    FIRST[0] = 0; // negative durations count as none
  }

  private Durations() {}

  /** The bucket of a duration: the first whose bound it does not exceed. */
  public static int bucket(long nanos) {
    int zeros = Long.numberOfLeadingZeros(nanos);
    return FIRST[zeros] + (nanos > BOUND[zeros] ? 1 : 0);
  }

  /** A new array of the upper bounds in nanoseconds, ascending. */
  public static long[] boundsNanos() {
    return Arrays.copyOf(BOUNDS_NANOS, BOUNDS_NANOS.length);
  }
}
