// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

/**
 * The usual buckets of durations: 1, 2.5 and 5 in each decade from 1 µs to 10 s. The page shows
 * these, whatever {@link DurationBuckets} are counted.
 */
public final class Durations {
  /** No octave holds more than one of them. */
  static final DurationBounds BOUNDS =
      DurationBounds.of(
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
          10_000_000_000L);

  /** Number of buckets: one more than bounds, the last for what is longer than all. */
  public static final int BUCKETS = BOUNDS.buckets();

  private Durations() {}

  /** The bucket of a duration: the first whose bound it does not exceed. */
  public static int bucket(long nanos) {
    return BOUNDS.bucket(nanos);
  }

  /** A new array of the upper bounds in nanoseconds, ascending. */
  public static long[] boundsNanos() {
    return BOUNDS.nanos();
  }
}
