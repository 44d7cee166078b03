// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import java.util.concurrent.CountDownLatch;

/** The last message of a round: its arrival is the round's end on the receiving side. */
public final class Finish {
  private final CountDownLatch reached = new CountDownLatch(1);
  private long reachedNanos;

  /** Called by the actor. */
  public void reached() {
    reachedNanos = System.nanoTime();
    reached.countDown();
  }

  long awaitReachedNanos() throws InterruptedException {
    reached.await();
    return reachedNanos;
  }
}
