// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CpuBudgetTest {
  private static final double SHARE = 0.05;

  private long now = 1_000;
  private final CpuBudget budget = new CpuBudget(SHARE, () -> now);

  /** Pieces that take so long, one after another with so much between them; how many were done. */
  private int pieces(int number, long nanos, long between) {
    int done = 0;
    for (int i = 0; i < number; i++) {
      if (budget.begin()) {
        now += nanos;
        budget.end();
        done++;
      }
      now += between;
    }
    return done;
  }

  @Test
  void begin_withinTheShare_leavesNothingOut() {
    assertThat(pieces(100_000, 100, 10_000)).isEqualTo(100_000);
    assertThat(budget.leftOut()).isZero();
  }

  @Test
  void begin_burst_isPaidFromTheReserve() {
    assertThat(pieces(1_000_000, 100, 0)).isEqualTo(1_000_000);
  }

  @Test
  void begin_tooMuchForLong_takesItsShareAndCountsTheRest() {
    int before = pieces(10_000_000, 100, 400);
    long begun = now;
    int number = 10_000_000;
    int done = pieces(number, 100, 400);
    assertThat(before).isLessThan(10_000_000);
    assertThat(done * 100.0 / (now - begun)).isCloseTo(SHARE, within(0.005));
    assertThat(budget.leftOut()).isEqualTo(2 * 10_000_000 - before - done);
  }

  @Test
  void begin_afterAPause_goesOn() {
    pieces(20_000_000, 100, 100);
    assertThat(budget.leftOut()).isPositive();
    long leftOut = budget.leftOut();
    now += 60_000_000_000L;
    pieces(64, 100, 100);
    assertThat(budget.leftOut() - leftOut).as("until the next look at the clock").isLessThan(32);
  }

  @Test
  void end_pieceThatWasInterrupted_countsForLittle() {
    for (int i = 0; i < 700; i++) {
      assertThat(pieces(1, 1_000_000_000L, 0)).isEqualTo(1);
    }
  }
}
