// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import java.util.Arrays;

/**
 * Upper bounds of buckets of durations, and the way from a duration to its bucket. Immutable.
 *
 * <p>Each octave is cut into 2<sup>{@link #digits}</sup> cells of equal width, fine enough that
 * none holds more than one bound. So a bucket is found by one table look-up, on the number of
 * leading zeros and the binary digits after the first, and one comparison.
 */
public final class DurationBounds {
  /** The finest cells: 64 in an octave, 0.8 to 1.6 % of a duration wide. */
  static final int MAX_DIGITS = 6;

  /** The most bounds there may be. */
  public static final int MOST = 1024;

  final int digits;

  /** By cell: the first bucket a duration in it can fall into. */
  final short[] first;

  /** By cell: the bound above which it falls into the next. */
  final long[] bound;

  private final long[] nanos;

  private DurationBounds(long[] nanos, int digits) {
    this.nanos = nanos;
    this.digits = digits;
    int cells = (66 << digits) + 1;
    first = new short[cells];
    bound = new long[cells];
    Arrays.fill(bound, Long.MAX_VALUE); // negative durations count as none
    int bucket = 0;
    for (long least = 0, next; least >= 0; least = next) {
      next = end(least, digits);
      while (bucket < nanos.length && nanos[bucket] < least) {
        bucket++;
      }
      first[cell(least, digits)] = (short) bucket;
      bound[cell(least, digits)] = bucket < nanos.length ? nanos[bucket] : Long.MAX_VALUE;
    }
  }

  /**
   * The given bounds, sorted and each once. Where two are so near that no cell can tell them apart,
   * the larger one is left out.
   */
  public static DurationBounds of(long... nanos) {
    long[] sorted = sorted(nanos);
    if (sorted.length > MOST) {
      throw new IllegalArgumentException("more than " + MOST + " bounds");
    }
    int digits = 0;
    while (digits < MAX_DIGITS && apart(sorted, digits).length < sorted.length) {
      digits++;
    }
    return new DurationBounds(apart(sorted, digits), digits);
  }

  /**
   * Those that are not negative, each once; without a stream, whose classes the start would pay.
   */
  private static long[] sorted(long[] nanos) {
    long[] all = nanos.clone();
    Arrays.sort(all);
    int size = 0;
    for (long bound : all) {
      if (bound >= 0 && (size == 0 || bound != all[size - 1])) {
        all[size++] = bound;
      }
    }
    return Arrays.copyOf(all, size);
  }

  private static long[] apart(long[] sorted, int digits) {
    long[] apart = new long[sorted.length];
    int size = 0;
    for (long bound : sorted) {
      if (size == 0 || cell(bound, digits) != cell(apart[size - 1], digits)) {
        apart[size++] = bound;
      }
    }
    return Arrays.copyOf(apart, size);
  }

  /** Where a cell ends; negative after the last. */
  private static long end(long least, int digits) {
    if (least >>> digits == 0) {
      return least + 1;
    }
    return least + (Long.highestOneBit(least) >>> digits);
  }

  static int cell(long nanos, int digits) {
    int zeros = Long.numberOfLeadingZeros(nanos);
    return digits == 0
        ? zeros
        : ((64 - zeros) << digits) + (int) ((nanos << zeros) >>> (63 - digits));
  }

  /** The bucket of a duration: the first whose bound it does not exceed. */
  public int bucket(long of) {
    int cell = cell(of, digits);
    return first[cell] + (of > bound[cell] ? 1 : 0);
  }

  /** One more than bounds: the last is for what is longer than all. */
  public int buckets() {
    return nanos.length + 1;
  }

  /** A new array of the bounds, ascending. */
  public long[] nanos() {
    return nanos.clone();
  }

  /**
   * Counts by these bounds, told by others. A value between two bounds of these, and on both sides
   * of one of the others, counts as if it were as long as the upper of the two.
   *
   * @param others ascending
   */
  public long[] told(long[] counts, long[] others) {
    long[] told = new long[others.length + 1];
    int at = 0;
    for (int i = 0; i < counts.length; i++) {
      while (at < others.length && (i == nanos.length || others[at] < nanos[i])) {
        at++;
      }
      told[at] += counts[i];
    }
    return told;
  }
}
