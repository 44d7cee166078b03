// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Waits until the process has little to do, as it has when the application has started. So what can
 * wait does not make the start longer. Keeps nothing; for any thread that may sleep.
 */
public final class QuietMoment {
  /** How long the process is watched at a time. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** A process that takes less than this part of one core meanwhile is quiet. */
  private static final double QUIET = 0.25;

  private final long atMostNanos;
  private final Supplier<Optional<Duration>> processorTime;

  /**
   * For this process.
   *
   * @param atMostNanos how long it is waited for; 0 for not at all
   */
  public QuietMoment(long atMostNanos) {
    this(atMostNanos, () -> ProcessHandle.current().info().totalCpuDuration());
  }

  /**
   * For tests.
   *
   * @param processorTime what the process has taken so far; empty where the system does not tell
   */
  QuietMoment(long atMostNanos, Supplier<Optional<Duration>> processorTime) {
    this.atMostNanos = atMostNanos;
    this.processorTime = processorTime;
  }

  /** Returns when the process is quiet, the time is over, or the thread is interrupted. */
  public void await() {
    long began = System.nanoTime();
    try {
      for (long left = atMostNanos; left > 0; left = atMostNanos - (System.nanoTime() - began)) {
        if (isQuietFor(Math.min(left, LOOK_NANOS))) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isQuietFor(long nanos) throws InterruptedException {
    Optional<Duration> before = processorTime.get();
    long from = System.nanoTime();
    TimeUnit.NANOSECONDS.sleep(nanos);
    long lasted = System.nanoTime() - from;
    Optional<Duration> after = processorTime.get();
    return before.isPresent()
        && after.isPresent()
        && after.get().minus(before.get()).toNanos() < QUIET * lasted;
  }
}
