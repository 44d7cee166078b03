// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A monitor on which to wait for a condition, woken by whoever changes what it depends on. */
final class Eventually {
  static final Duration DEADLINE = Duration.ofSeconds(150);

  synchronized void changed() {
    notifyAll();
  }

  /** Waits until {@code condition} holds; fails with {@code otherwise} when time is up. */
  synchronized void await(
      BooleanSupplier condition, Duration deadline, Supplier<String> otherwise) {
    long until = System.nanoTime() + deadline.toNanos();
    while (!condition.getAsBoolean()) {
      long left = until - System.nanoTime();
      if (left <= 0) {
        throw new AssertionError("not within " + deadline + ": " + otherwise.get());
      }
      try {
        wait(Math.max(1, Math.min(left / 1_000_000, 200)));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted: " + otherwise.get(), e);
      }
    }
  }
}
