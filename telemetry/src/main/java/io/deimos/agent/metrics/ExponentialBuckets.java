// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.recorder.counts.DurationBounds;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts as OpenTelemetry's exponential histogram has them: bucket i is for what is longer than
 * b<sup>i</sup> seconds and not longer than b<sup>i+1</sup>, where b is 2 to the power of
 * 2<sup>-scale</sup>.
 *
 * <p>Counted with the bounds of {@link #boundsNanos}, they are exact at scale {@value #SCALE}, four
 * buckets an octave, between 119 ns and 128 s. A shorter value counts in the lowest bucket, a
 * longer one in the highest.
 */
record ExponentialBuckets(int scale, int offset, List<Long> counts) {
  /** The scale to which an SDK comes by itself when its 160 buckets have to span 40 octaves. */
  static final int SCALE = 2;

  private static final int PER_OCTAVE = 1 << SCALE;
  private static final int LEAST_OCTAVE = -23;
  private static final int OCTAVES = 30;

  /** The index of the bucket of which the first bound is the upper one. */
  private static final int FIRST = LEAST_OCTAVE * PER_OCTAVE - 1;

  private static final long[] BOUNDS = bounds();

  private static long[] bounds() {
    long[] bounds = new long[OCTAVES * PER_OCTAVE + 1];
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = (long) (1e9 * Math.pow(2, (double) (FIRST + i + 1) / PER_OCTAVE));
    }
    return bounds;
  }

  static long[] boundsNanos() {
    return BOUNDS.clone();
  }

  /**
   * Counts in the recorder's buckets as those of an exponential histogram.
   *
   * @param bounds by which they were counted; where they are wider than these buckets, durations
   *     count as if they were as long as the upper bound
   */
  static ExponentialBuckets of(DurationBounds bounds, long[] counts, int maxBuckets, int maxScale) {
    long[] told = bounds.told(counts, BOUNDS);
    int from = 0;
    int to = told.length;
    while (from < to && told[from] == 0) {
      from++;
    }
    while (to > from && told[to - 1] == 0) {
      to--;
    }
    if (from == to) {
      return new ExponentialBuckets(Math.min(SCALE, maxScale), 0, List.of());
    }
    int coarser = Math.max(0, SCALE - maxScale);
    int least = FIRST + from;
    int most = FIRST + to - 1;
    while ((most >> coarser) - (least >> coarser) >= Math.max(1, maxBuckets)) {
      coarser++;
    }
    long[] sums = new long[(most >> coarser) - (least >> coarser) + 1];
    for (int i = from; i < to; i++) {
      sums[((FIRST + i) >> coarser) - (least >> coarser)] += told[i];
    }
    List<Long> all = new ArrayList<>(sums.length);
    for (long sum : sums) {
      all.add(sum);
    }
    return new ExponentialBuckets(SCALE - coarser, least >> coarser, all);
  }
}
