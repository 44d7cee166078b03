// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

/**
 * Decides which new traces are kept: those whose spread id lies below a threshold, which follows
 * the load so that about {@code tracesPerSecond} do. A trace turned away stays so although the
 * threshold rises: ids a little above it are remembered, and it rises slowly.
 *
 * <p><b>Threads.</b> {@link #isOutOfReach} by any; all else under the store's lock.
 */
final class Admission {
  /** How far above the threshold ids are remembered, as a factor. */
  private static final int BAND = 16;

  private static final int REMEMBERED = 1 << 13;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long LEAST_WINDOW_NANOS = SECOND_NANOS / 4;
  private static final long LONG_PAUSE_NANOS = 5 * SECOND_NANOS;

  /** The target, below the allowed rate, so that the cap seldom has to cut. */
  private static final double AIM = 0.9;

  private final int tracesPerSecond;
  private final int spansPerSecond;
  private final long[] turnedAway = new long[REMEMBERED];
  private long threshold = Long.MAX_VALUE;
  private volatile long outOfReach = Long.MAX_VALUE;
  private long secondBegan;
  private int admittedInSecond;
  private long measuredSince;
  private int wanted;
  private int spans;

  /**
   * @param spansPerSecond at more kept spans than this, fewer traces are admitted
   */
  Admission(int tracesPerSecond, int spansPerSecond, long nowNanos) {
    this.tracesPerSecond = tracesPerSecond;
    this.spansPerSecond = spansPerSecond;
    this.secondBegan = nowNanos;
    this.measuredSince = nowNanos;
  }

  /** True if a new trace with this spread id is turned away and need not be remembered. */
  boolean isOutOfReach(long spread) {
    return spread >= outOfReach;
  }

  /** Whether a trace is kept that is not in the store. */
  boolean admit(long spread, long nowNanos) {
    tick(nowNanos);
    if (isTurnedAway(spread)) {
      return false;
    }
    if (spread >= threshold) {
      turnAway(spread);
      return false;
    }
    wanted++;
    if (admittedInSecond < tracesPerSecond) {
      admittedInSecond++;
      return true;
    }
    turnAway(spread);
    if (wanted >= 4 * tracesPerSecond) {
      adjust(nowNanos);
    }
    return false;
  }

  /** Whether a trace would be taken now, and none of its spans has been turned away. */
  boolean takes(long spread) {
    return spread < threshold && !isTurnedAway(spread);
  }

  private boolean isTurnedAway(long spread) {
    return turnedAway[slot(spread)] == spread;
  }

  /** From now on no span of this trace is kept. */
  void turnAway(long spread) {
    turnedAway[slot(spread)] = spread;
  }

  void countSpan() {
    spans++;
  }

  /**
   * Adapts the threshold when a second is over.
   *
   * @return whether one was
   */
  boolean tick(long nowNanos) {
    if (nowNanos - secondBegan < SECOND_NANOS) {
      return false;
    }
    adjust(nowNanos);
    secondBegan = nowNanos;
    admittedInSecond = 0;
    return true;
  }

  private void adjust(long nowNanos) {
    long elapsed = nowNanos - measuredSince;
    double seconds = Math.max(elapsed, LEAST_WINDOW_NANOS) / (double) SECOND_NANOS;
    double factor =
        Math.min(
            AIM * tracesPerSecond * seconds / Math.max(1, wanted),
            AIM * spansPerSecond * seconds / Math.max(1, spans));
    double most = elapsed > LONG_PAUSE_NANOS ? BAND : 2;
    factor = Math.max(1.0 / BAND, Math.min(most, factor));
    threshold = (long) Math.max(1L << 20, threshold * factor); // a cast saturates
    outOfReach = threshold > Long.MAX_VALUE / BAND ? Long.MAX_VALUE : threshold * BAND;
    measuredSince = nowNanos;
    wanted = 0;
    spans = 0;
  }

  /** The share of traces that are admitted now, in (0, 1]. */
  double share() {
    return threshold / (double) Long.MAX_VALUE;
  }

  private static int slot(long spread) {
    return (int) spread & (REMEMBERED - 1);
  }
}
