// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The buckets in which durations are counted in this process. They are {@link Durations}' own,
 * together with those that the user's views and exporters want; the compiler takes them for
 * constants.
 *
 * <p><b>Order.</b> Chosen before the first of these is read, that is before the first message.
 */
public final class DurationBuckets {
  private static final Object LOCK = new Object();
  private static @Nullable DurationBounds chosen;
  private static boolean isRead;

  private DurationBuckets() {}

  /**
   * Has durations counted by these bounds as well as the usual ones.
   *
   * @return false if durations have been counted already, so that it is too late
   */
  public static boolean choose(long... nanos) {
    DurationBounds all =
        DurationBounds.of(
            LongStream.concat(Arrays.stream(Durations.boundsNanos()), Arrays.stream(nanos))
                .toArray());
    synchronized (LOCK) {
      if (isRead) {
        return Arrays.equals(all.nanos(), bounds().nanos());
      }
      chosen = all;
      return true;
    }
  }

  private static DurationBounds read() {
    synchronized (LOCK) {
      isRead = true;
      return chosen == null ? Durations.BOUNDS : chosen;
    }
  }

  /** How many there are. */
  static int count() {
    return InForce.COUNT;
  }

  /** The bucket of a duration. */
  static int of(long nanos) {
    int cell = DurationBounds.cell(nanos, InForce.DIGITS);
    return InForce.FIRST[cell] + (nanos > InForce.BOUND[cell] ? 1 : 0);
  }

  /** Their bounds. */
  public static DurationBounds bounds() {
    return InForce.BOUNDS;
  }

  /** Counts of these buckets as counts of the usual ones. */
  public static long[] usual(long[] counts) {
    return InForce.BOUNDS == Durations.BOUNDS
        ? counts
        : InForce.BOUNDS.told(counts, Durations.boundsNanos());
  }

  /** Read when the first duration is counted, or when somebody asks for what was. */
  private static final class InForce {
    static final DurationBounds BOUNDS = read();
    static final int COUNT = BOUNDS.buckets();
    static final int DIGITS = BOUNDS.digits;
    static final short[] FIRST = BOUNDS.first;
    static final long[] BOUND = BOUNDS.bound;
  }
}
