// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.budget.Accountant.Kind;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class AccountantTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int PIECES = 1 << 14;

  private long now;
  private final Accountant accountant = new Accountant(0.05, 1 << 20, () -> now);

  private <V> V during(BooleanSupplier unwanted, Accountant.Task<V, RuntimeException> task) {
    return accountant.count(Kind.REQUESTS, unwanted, task);
  }

  /** Takes time of the processor until the scan ends. */
  private Scan search(BooleanSupplier unwanted) {
    return during(
        unwanted,
        () -> {
          try (Scan scan = accountant.scan()) {
            while (scan.goesOn(PIECES)) {}
            scan.leftOut("The rest");
            return scan;
          }
        });
  }

  /** Takes some time of the processor. */
  private void searchShortly() {
    during(
        () -> false,
        () -> {
          try (Scan scan = accountant.scan()) {
            for (int i = 0; i < 1000 && scan.goesOn(PIECES); i++) {}
            return scan.isCut();
          }
        });
  }

  @Test
  void scans_thatNeverEnd_areCutAndThenRefusedUntilTimeHasPaid() {
    assertThat(accountant.isOver()).isFalse();
    Scan first = search(() -> false);
    int scans = 1;
    for (; !accountant.isOver(); scans++) {
      search(() -> false);
    }
    assertThat(first.isCut()).isTrue();
    assertThat(first.isCancelled()).isFalse();
    assertThat(first.notLookedAt()).hasSize(1);
    assertThat(first.notLookedAt().get(0)).startsWith("The rest: ");
    assertThat(accountant.isOver()).isTrue();
    assertThat(accountant.secondsToWait()).isBetween(1L, 40L);
    now += 40 * SECOND;
    assertThat(accountant.isOver()).isFalse();
    Accountant.Taken taken = accountant.taken(Kind.SEARCHES);
    assertThat(taken.cut()).isEqualTo(scans);
    assertThat(taken.cancelled()).isZero();
    assertThat(taken.nanos()).isBetween(SECOND / 2, 2 * SECOND);
  }

  @Test
  void scan_whoseClientHasGone_endsAtOnce() {
    AtomicBoolean gone = new AtomicBoolean(true);
    Scan scan = search(gone::get);
    assertThat(scan.isCancelled()).isTrue();
    assertThat(scan.notLookedAt().get(0)).contains("nobody waits");
    assertThat(accountant.isOver()).isFalse();
    assertThat(accountant.taken(Kind.SEARCHES).cancelled()).isEqualTo(1);
    assertThat(accountant.taken(Kind.SEARCHES).cut()).isZero();
  }

  @Test
  void work_withinOtherWork_countsOnce() {
    searchShortly();
    long searched = accountant.taken(Kind.SEARCHES).nanos();
    assertThat(accountant.taken(Kind.REQUESTS).nanos()).isLessThan(searched);
    assertThat(accountant.taken(Kind.REQUESTS).requests()).isEqualTo(1);
  }

  @Test
  void minute_ofWhatWasTaken_endsAfterAMinute() {
    searchShortly();
    long taken = accountant.taken(Kind.SEARCHES).nanos();
    assertThat(accountant.taken(Kind.SEARCHES).minuteNanos()).isEqualTo(taken);
    now += 59 * SECOND;
    assertThat(accountant.taken(Kind.SEARCHES).minuteNanos()).isEqualTo(taken);
    now += SECOND;
    assertThat(accountant.taken(Kind.SEARCHES).minuteNanos()).isZero();
    assertThat(accountant.taken(Kind.SEARCHES).nanos()).isEqualTo(taken);
  }

  @Test
  void memory_beyondTheBound_isRefusedAndCounted() throws Exception {
    AnswerMemory answers = accountant.answers();
    answers.take(0, 1 << 19);
    answers.take(0, 1 << 19);
    assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> answers.take(0, 1)))
        .isInstanceOf(AnswerMemory.ExceededException.class);
    answers.giveBack(1 << 20);
    assertThat(answers.taken()).isZero();
    assertThat(answers.greatest()).isEqualTo(1 << 20);
    assertThat(answers.refused()).isEqualTo(1);
    assertThat(accountant.bodies().taken()).isZero();
  }
}
