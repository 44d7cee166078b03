// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import io.deimos.recorder.clock.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets so many through each second, and a second's worth, or one, at once (the generic cell rate
 * algorithm of ITU-T I.371, as virtual scheduling). Lock-free; safe for any thread.
 */
public final class RateLimit {
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final long gapNanos;
  private final long burstNanos;
  private final AtomicLong due;

  /**
   * @param perSecond how many are let through: above 0
   */
  public RateLimit(double perSecond) {
    if (!(perSecond > 0)) {
      throw new IllegalArgumentException("perSecond " + perSecond + " is not above 0");
    }
    this.gapNanos = Math.max(1, (long) (SECOND_NANOS / perSecond));
    this.burstNanos = Math.max(SECOND_NANOS, gapNanos);
    this.due = new AtomicLong(Clock.now() - burstNanos);
  }

  /** True if one more is let through now. */
  public boolean tryTake() {
    return tryTake(Clock.now());
  }

  boolean tryTake(long nowNanos) {
    while (true) {
      long was = due.get();
      long from = Math.max(was - nowNanos, -burstNanos) + nowNanos;
      if (from + gapNanos - nowNanos > 0) {
        return false;
      }
      if (due.compareAndSet(was, from + gapNanos)) {
        return true;
      }
    }
  }
}
