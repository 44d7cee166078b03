// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.source;

import io.deimos.recorder.counts.Durations;
import java.util.Arrays;

/** Reads quantiles from counts by bucket. */
public final class Quantiles {
  private Quantiles() {}

  /** In nanoseconds, interpolated within its bucket; not a number if nothing was counted. */
  public static double nanos(long[] buckets, double share) {
    long[] bounds = Durations.boundsNanos();
    double rank = share * Arrays.stream(buckets).sum();
    if (rank == 0) {
      return Double.NaN;
    }
    long below = 0;
    for (int i = 0; i < bounds.length; i++) {
      if (buckets[i] > 0 && below + buckets[i] >= rank) {
        long lower = i == 0 ? 0 : bounds[i - 1];
        return lower + (bounds[i] - lower) * Math.max(0, rank - below) / buckets[i];
      }
      below += buckets[i];
    }
    return bounds[bounds.length - 1];
  }

  /**
   * The bound of the bucket that a quantile falls into; of the last one, which has none, twice the
   * highest. Not a number if nothing was counted.
   */
  public static double bound(long[] bounds, long[] counts, double share) {
    double rank = share * Arrays.stream(counts).sum();
    long below = 0;
    for (int i = 0; i < counts.length && rank > 0; i++) {
      below += counts[i];
      if (below >= rank) {
        return i < bounds.length ? bounds[i] : 2.0 * bounds[bounds.length - 1];
      }
    }
    return Double.NaN;
  }
}
