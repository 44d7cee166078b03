// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

/**
 * A {@link CountingActor} with work of its own for each message, as many multiplications as {@code
 * -Dwork} says, each waiting for the one before. It counts how often its mailbox has moved to
 * another thread.
 */
public final class BusyActor extends CountingActor {
  private static final int WORK = Integer.getInteger("work", 0);
  private static final long FACTOR = 6_364_136_223_846_793_005L;

  /** Written by one thread at a time, and read when the actor has told that a round is over. */
  private static long moves;

  private long product = 1;
  private Thread last = Thread.currentThread();

  @Override
  public void onReceive(Object message) throws Exception {
    Thread here = Thread.currentThread();
    if (here != last) {
      last = here;
      moves++;
    }
    long p = product;
    for (int i = 0; i < WORK; i++) {
      p = p * FACTOR + i;
    }
    product = p;
    super.onReceive(message);
  }

  /** How often a message was processed on another thread than the one before it. */
  static long moves() {
    return moves;
  }
}
