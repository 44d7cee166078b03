// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.budget;

import java.util.function.LongSupplier;

/**
 * Keeps what is searched within a share of one core, on the average. The processor time of searches
 * is owed, and time pays it back. While more than a reserve is owed, none begins. While {@value
 * #MAX_NANOS} ns more are owed, none goes on. Safe for any thread.
 */
final class CpuDebt {
  /** Bursts are bought with it. */
  static final long RESERVE_NANOS = 500_000_000;

  /** The bound of one search, and of all that are at work beyond the reserve. */
  static final long MAX_NANOS = 1_000_000_000;

  private final double share;
  private final LongSupplier nanoTime;
  private double owed;
  private long paidAt;

  /**
   * @param share of one core, above 0
   */
  CpuDebt(double share, LongSupplier nanoTime) {
    this.share = share;
    this.nanoTime = nanoTime;
    this.paidAt = nanoTime.getAsLong();
  }

  /** Whether no search may begin. */
  synchronized boolean isOver() {
    pay();
    return owed > RESERVE_NANOS;
  }

  /**
   * Adds what a search has taken.
   *
   * @return whether it may go on
   */
  synchronized boolean add(long nanos) {
    pay();
    owed += Math.max(0, nanos);
    return owed <= RESERVE_NANOS + MAX_NANOS;
  }

  /** After how many seconds the next search may begin, rounded up. */
  synchronized long secondsToWait() {
    pay();
    return (long) Math.ceil(Math.max(0, owed - RESERVE_NANOS) / share / 1e9);
  }

  /** How many times as long as it took a search has to be paid for. */
  double timesItsCost() {
    return 1 / share;
  }

  private void pay() {
    long now = nanoTime.getAsLong();
    owed = Math.max(0, owed - (now - paidAt) * share);
    paidAt = now;
  }
}
