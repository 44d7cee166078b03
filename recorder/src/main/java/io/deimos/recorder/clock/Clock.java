// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.clock;

import java.time.Instant;

/**
 * The one clock of all records, and its relation to the wall clock.
 *
 * <p>Everything that needs a time reads {@link #now}; nothing else in this module may. The wall
 * time of a reading is one calibrated anchor plus a difference, so times within a process are in
 * order however the wall clock is set.
 *
 * <p>It reads {@link System#nanoTime}, or the processor's counter on the same scale where {@link
 * FastClock} has found that to be right.
 */
public final class Clock {
  private static final long ANCHOR_NANOS;
  private static final long ANCHOR_EPOCH_NANOS;

  static {
    long[] anchor = calibrate();
    ANCHOR_NANOS = anchor[0];
    ANCHOR_EPOCH_NANOS = anchor[1];
  }

  private static long second = System.currentTimeMillis() / 1000;

  private Clock() {}

  /**
   * The seconds since the epoch, by the system's clock as of the last {@link #tick}: without a read
   * of a clock.
   */
  public static long second() {
    return second;
  }

  /** Looks at the system's clock for {@link #second}; called by housekeeping, each second. */
  public static void tick() {
    second = System.currentTimeMillis() / 1000;
  }

  /** A reading in nanoseconds; only differences of readings mean anything. Never 0. */
  public static long now() {
    FastClock.Line line = FastClock.line;
    if (line != null) {
      long ticks = FastClock.Counter.read();
      if (ticks != FastClock.NO_READING) {
        return line.nanos(ticks) | 1L;
      }
    }
    return System.nanoTime() | 1L;
  }

  /** The wall time, in nanoseconds since the epoch, of a reading of {@link #now}. */
  public static long epochNanos(long reading) {
    return ANCHOR_EPOCH_NANOS + (reading - ANCHOR_NANOS);
  }

  /** The reading of {@link #now} that belongs to a wall time in nanoseconds since the epoch. */
  public static long reading(long epochNanos) {
    return (ANCHOR_NANOS + (epochNanos - ANCHOR_EPOCH_NANOS)) | 1L;
  }

  /**
   * The pair of readings whose two nanoTime readings lie closest together has the smallest error.
   */
  private static long[] calibrate() {
    long bestGapNanos = Long.MAX_VALUE;
    long[] anchor = new long[2];
    for (int i = 0; i < 16; i++) {
      long before = System.nanoTime();
      Instant wall = Instant.now();
      long after = System.nanoTime();
      if (after - before < bestGapNanos) {
        bestGapNanos = after - before;
        anchor[0] = before + (after - before) / 2;
        anchor[1] = wall.getEpochSecond() * 1_000_000_000L + wall.getNano();
      }
    }
    return anchor;
  }
}
