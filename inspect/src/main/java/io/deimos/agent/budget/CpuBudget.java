// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.budget;

import java.util.function.LongSupplier;

/**
 * Keeps work that is done again and again within a share of one core, on the average: beyond a
 * reserve, what would be more is left out.
 *
 * <p>One of {@value #EVERY} pieces is timed, and those that follow count for as much, so a piece
 * that is not timed costs a few instructions. A piece counts for no more than {@value #MAX_NANOS}
 * ns: what took longer was interrupted. For one thread; {@link #leftOut} may be read by any.
 */
public final class CpuBudget {
  private static final int EVERY = 32;
  private static final long MAX_NANOS = 20_000;

  /** Bursts are bought with it, and the time until the compilers have had their turn. */
  private static final long RESERVE_NANOS = 500_000_000;

  private final double share;
  private final LongSupplier clock;
  private double leftNanos = RESERVE_NANOS;
  private long paidNanos;
  private int count;
  private boolean isTimed;
  private long begunNanos;
  private long pieceNanos;
  private volatile long leftOut;

  /**
   * A budget of which nothing is used.
   *
   * @param share of one core, in (0, 1]
   * @param clock in nanoseconds
   */
  public CpuBudget(double share, LongSupplier clock) {
    this.share = share;
    this.clock = clock;
    paidNanos = clock.getAsLong();
  }

  /** Whether the next piece is to be done; if it is, {@link #end} follows. */
  public boolean begin() {
    isTimed = (++count & (EVERY - 1)) == 0;
    if (isTimed) {
      begunNanos = clock.getAsLong();
      leftNanos = Math.min(RESERVE_NANOS, leftNanos + (begunNanos - paidNanos) * share);
      paidNanos = begunNanos;
    }
    if (leftNanos > 0) {
      return true;
    }
    leaveOut();
    return false;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread
  private void leaveOut() {
    leftOut++;
  }

  public void end() {
    if (isTimed) {
      pieceNanos = Math.min(MAX_NANOS, clock.getAsLong() - begunNanos);
    }
    leftNanos -= pieceNanos;
  }

  /** How many pieces were left out. */
  public long leftOut() {
    return leftOut;
  }
}
