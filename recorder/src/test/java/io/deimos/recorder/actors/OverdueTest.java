// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OverdueTest {
  private static final long LATE = Overdue.AFTER_NANOS + 1;

  private final Overdue overdue = new Overdue();
  private final Object system = new Object();

  @Test
  void at_systemThatWasNeverSeenToStart_isToldOnce() {
    overdue.met(system, 0);
    overdue.met(new Object(), 5);
    assertThat(overdue.at(Overdue.AFTER_NANOS - 1)).isNull();
    assertThat(overdue.at(LATE)).isSameAs(system);
    assertThat(overdue.at(LATE)).isNull();
  }

  @Test
  void started_afterItWasToldOf_isNotToldAgain() {
    overdue.met(system, 0);
    assertThat(overdue.at(LATE)).isSameAs(system);
    assertThat(overdue.started(system)).isFalse();
    assertThat(overdue.started(new Object())).isTrue();
    assertThat(overdue.at(LATE)).isNull();
  }

  @Test
  void started_inTime_nothingIsOverdue() {
    overdue.met(system, 0);
    assertThat(overdue.started(system)).isTrue();
    assertThat(overdue.at(LATE)).isNull();
  }
}
