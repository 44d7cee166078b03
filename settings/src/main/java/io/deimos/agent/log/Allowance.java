// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.log;

import io.deimos.recorder.actors.RateLimit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** So many a second, and the number of those that were left out. Safe for any thread. */
final class Allowance {
  private final AtomicLong leftOut = new AtomicLong();
  private volatile @Nullable RateLimit limit;

  /**
   * Sets the bound.
   *
   * @param most 0 for none, which leaves nothing out either
   */
  void perSecond(double most) {
    limit = most > 0 ? new RateLimit(most) : null;
  }

  /** Whether one more is within the bound; if not, it is counted. */
  boolean take() {
    RateLimit most = limit;
    if (most == null) {
      return false;
    }
    boolean taken = most.tryTake();
    if (!taken) {
      leftOut();
    }
    return taken;
  }

  /** One that was within the bound is left out all the same. */
  void leftOut() {
    leftOut.incrementAndGet();
  }

  /** How many were left out since this was asked last. */
  long takeLeftOut() {
    return leftOut.getAndSet(0);
  }
}
