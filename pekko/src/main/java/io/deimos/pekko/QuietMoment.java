// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Waits until the process has little to do, as it has when the application has started. So what can
 * wait does not make the start longer. A process that takes little because it gets little, as in a
 * container whose limit is used up, is not quiet: there a thread wakes late. Keeps nothing; for any
 * thread that may sleep.
 */
public final class QuietMoment {
  /** How long the process is watched at a time, and how often a thread wakes meanwhile. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final int WAKES = 10;

  /** A thread that wakes later than this did not get the processor when it wanted it. */
  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** A process that takes less than this part of one core meanwhile is quiet. */
  private static final double QUIET = 0.25;

  private final long atMostNanos;
  private final Supplier<Optional<Duration>> processorTime;
  private final Sleep sleep;

  /** A thread's sleep. */
  interface Sleep {
    /**
     * Sleeps.
     *
     * @return how long it really was
     */
    long nanos(long nanos) throws InterruptedException;
  }

  /**
   * For this process.
   *
   * @param atMostNanos how long it is waited for; 0 for not at all
   */
  public QuietMoment(long atMostNanos) {
    this(atMostNanos, () -> ProcessHandle.current().info().totalCpuDuration(), QuietMoment::sleep);
  }

  /**
   * For tests.
   *
   * @param processorTime what the process has taken so far; empty where the system does not tell
   */
  QuietMoment(long atMostNanos, Supplier<Optional<Duration>> processorTime, Sleep sleep) {
    this.atMostNanos = atMostNanos;
    this.processorTime = processorTime;
    this.sleep = sleep;
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
    long lasted = 0;
    boolean isLate = false;
    for (int i = 0; i < WAKES; i++) {
      long slept = sleep.nanos(nanos / WAKES);
      lasted += slept;
      isLate |= slept - nanos / WAKES > LATE_NANOS;
    }
    Optional<Duration> after = processorTime.get();
    return !isLate
        && before.isPresent()
        && after.isPresent()
        && after.get().minus(before.get()).toNanos() < QUIET * lasted;
  }

  static long sleep(long nanos) throws InterruptedException {
    long from = System.nanoTime();
    TimeUnit.NANOSECONDS.sleep(nanos);
    return System.nanoTime() - from;
  }
}
