// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import java.util.concurrent.CountDownLatch;

/**
 * A message that holds its actor until it is opened, so that a mailbox can be filled while nobody
 * takes from it.
 */
public final class Gate {
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch opened = new CountDownLatch(1);
  private long passedNanos;

  /** Called by the actor. */
  void pass() throws InterruptedException {
    entered.countDown();
    opened.await();
    passedNanos = System.nanoTime();
  }

  void awaitEntered() throws InterruptedException {
    entered.await();
  }

  void open() {
    opened.countDown();
  }

  /** When the actor came through; to be read after a {@link Finish} sent later was reached. */
  long passedNanos() {
    return passedNanos;
  }
}
