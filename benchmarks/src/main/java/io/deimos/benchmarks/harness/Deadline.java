// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.util.concurrent.TimeUnit;

/** Keeps a quick run short: another pass begins only if one like the longest so far would fit. */
final class Deadline {
  private static final long QUICK_SECONDS = 215;

  private final long endNanos;
  private long passStartNanos;
  private long longestNanos;

  private Deadline(long endNanos) {
    this.endNanos = endNanos;
  }

  static Deadline of(Options options) {
    return of(options, QUICK_SECONDS);
  }

  /**
   * @param quickSeconds how long a quick run may take
   */
  static Deadline of(Options options, long quickSeconds) {
    long nanos =
        options.quick() ? TimeUnit.SECONDS.toNanos(quickSeconds) : TimeUnit.DAYS.toNanos(1);
    return new Deadline(System.nanoTime() + nanos);
  }

  /** Starts anew for passes of another kind; the end stays. */
  Deadline next() {
    return new Deadline(endNanos);
  }

  /** The first pass always begins. */
  boolean allowsAnother(int passesDone) {
    return passesDone == 0 || System.nanoTime() + longestNanos < endNanos;
  }

  /** Whether nothing at all may begin any more. */
  boolean isOver() {
    return System.nanoTime() - endNanos > 0;
  }

  void passStarts() {
    passStartNanos = System.nanoTime();
  }

  void passEnds() {
    longestNanos = Math.max(longestNanos, System.nanoTime() - passStartNanos);
  }
}
