// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import java.time.Duration;

/** Turns a rate into a whole number of things due at each tick; what is left over is carried on. */
final class Pace {
  private final double perTick;
  private double owed;

  Pace(double perSecond, Duration tick) {
    perTick = perSecond * tick.toNanos() / 1e9;
  }

  /** How many are due now. */
  int due() {
    owed += perTick;
    int whole = (int) owed;
    owed -= whole;
    return whole;
  }
}
