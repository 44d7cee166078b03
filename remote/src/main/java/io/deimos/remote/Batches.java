// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote;

import java.util.Arrays;

/**
 * How the batches of one outgoing stream to one peer were since the start: how many for each
 * reason, and how messages, bytes and flush times were distributed. A bucket holds what is not
 * above its bound and above the one before; the last holds what is above all bounds.
 *
 * @param reasons batches by {@link FlushReason#index()}
 * @param messages batches by their messages, see {@link #messageBounds()}
 * @param bytes batches by their bytes, see {@link #byteBounds()}
 * @param flushNanos flushes by the time from handing a batch to the socket to its being written,
 *     see {@link #nanoBounds()}; only those that were timed
 * @param messageSum messages of all batches
 * @param byteSum bytes of all batches
 * @param flushNanoSum time of all flushes that were timed
 */
@SuppressWarnings("ArrayRecordComponent") // not compared
public record Batches(
    long[] reasons,
    long[] messages,
    long[] bytes,
    long[] flushNanos,
    long messageSum,
    long byteSum,
    long flushNanoSum) {
  /** 1 to 4,096: the bound of a batch by default is 256. */
  private static final int MESSAGE_BOUNDS = 13;

  /** 64 B to 1 MiB: the bound of a batch by default is 128 KiB. */
  private static final int BYTE_BOUNDS = 15;

  private static final int SMALLEST_BYTES = 64;

  /** 1 µs to 10 s in steps of 1, 2.5 and 5, as all durations of the agent. */
  private static final int DECADES = 7;

  private static final long[] STEPS = {1_000, 2_500, 5_000};

  /** The upper bounds of {@link #messages}, ascending: powers of two. */
  public static long[] messageBounds() {
    return doubling(1, MESSAGE_BOUNDS);
  }

  /** The upper bounds of {@link #bytes}, ascending: powers of two. */
  public static long[] byteBounds() {
    return doubling(SMALLEST_BYTES, BYTE_BOUNDS);
  }

  private static long[] doubling(long first, int count) {
    long[] bounds = new long[count];
    Arrays.setAll(bounds, i -> first << i);
    return bounds;
  }

  /** The upper bounds of {@link #flushNanos}, ascending. */
  public static long[] nanoBounds() {
    long[] bounds = new long[DECADES * STEPS.length + 1];
    long decade = 1;
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = decade * STEPS[i % STEPS.length];
      if (i % STEPS.length == STEPS.length - 1) {
        decade *= 10;
      }
    }
    return bounds;
  }

  /** All batches. */
  public long count() {
    return Arrays.stream(reasons).sum();
  }

  /** Batches that went for one reason. */
  public long count(FlushReason reason) {
    return reasons[reason.index()];
  }

  /** Flushes that were timed. */
  public long timed() {
    return Arrays.stream(flushNanos).sum();
  }
}
