// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.endurance;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The load of a soak: how long it goes on is what a soak is about. */
final class SoakLoad {
  private SoakLoad() {}

  static void goesOnFor(int seconds) {
    long until = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    while (System.nanoTime() < until) {
      LockSupport.parkNanos(Math.max(1, until - System.nanoTime()));
    }
  }
}
