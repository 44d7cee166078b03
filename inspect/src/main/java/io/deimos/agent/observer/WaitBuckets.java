// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counts of waits by powers of two, {@value #COUNT} shorts for each place of an array. When one of
 * a place is full, all of that place are halved, so that what is new weighs more.
 */
final class WaitBuckets {
  static final int COUNT = 24;
  static final int BYTES = COUNT * Short.BYTES;

  /** The upper bound of the first bucket is two to the power of this, in ns: 8 µs. */
  private static final int FIRST = 13;

  private WaitBuckets() {}

  static void add(short[] to, int place, long waitNanos) {
    int bucket = Math.max(0, 64 - Long.numberOfLeadingZeros(waitNanos) - FIRST);
    int at = place * COUNT + Math.min(COUNT - 1, bucket);
    if (++to[at] == Short.MAX_VALUE) {
      for (int i = place * COUNT; i < place * COUNT + COUNT; i++) {
        to[i] = (short) ((to[i] + 1) >> 1);
      }
    }
  }

  /**
   * The wait that a share of the messages did not exceed, interpolated within its bucket; null if
   * there are none. A wait above the last bound counts as that bound.
   */
  static @Nullable Long quantile(short[] from, int place, double share) {
    int first = place * COUNT;
    long all = 0;
    for (int i = first; i < first + COUNT; i++) {
      all += from[i];
    }
    if (all == 0) {
      return null;
    }
    double rank = share * all;
    double below = 0;
    for (int i = 0; i < COUNT - 1; i++) {
      int here = from[first + i];
      if (here > 0 && below + here >= rank) {
        long lower = i == 0 ? 0 : upper(i - 1);
        return lower + (long) ((upper(i) - lower) * Math.max(0, rank - below) / here);
      }
      below += here;
    }
    return upper(COUNT - 2);
  }

  private static long upper(int bucket) {
    return 1L << (FIRST + bucket);
  }

  static void clear(short[] of, int place) {
    Arrays.fill(of, place * COUNT, place * COUNT + COUNT, (short) 0);
  }

  static void copy(short[] from, int place, short[] to, int toPlace) {
    System.arraycopy(from, place * COUNT, to, toPlace * COUNT, COUNT);
  }
}
