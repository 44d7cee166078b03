// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.endurance;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The load of a soak: how long it goes on is what a soak is about. */
final class SoakLoad {
  private SoakLoad() {}

  /** Until it has had an effect that it must have; so long a wait ends what hangs. */
  static void goesOnUntil(BooleanSupplier effect) {
    long until = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (!effect.getAsBoolean() && System.nanoTime() < until) {
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
  }

  static void goesOnFor(int seconds) {
    long until = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    while (System.nanoTime() < until) {
      LockSupport.parkNanos(Math.max(1, until - System.nanoTime()));
    }
  }
}
