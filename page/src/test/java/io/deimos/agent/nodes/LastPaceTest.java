// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.nodes.LastState.Kept;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How often a process makes what is to outlive it; the time is the test's own. */
class LastPaceTest {
  private static final Kept OFTEN = new Kept("/often", 5);
  private static final Kept SELDOM = new Kept("/seldom", 30);
  private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final LastPace pace = new LastPace(List.of(OFTEN, SELDOM));
  private final Map<Kept, Integer> made = new HashMap<>();
  private long now = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(30); // the clock may turn over
  private long processed;
  private long worked;

  /** Rounds as a link has them. */
  private void pass(long seconds, boolean busy, long answerNanos) {
    long until = now + TimeUnit.SECONDS.toNanos(seconds);
    while (until - now > 0) {
      pace.counted(busy ? ++processed : processed, 10);
      Kept next = pace.next(now);
      if (next != null) {
        made.merge(next, 1, Integer::sum);
        worked += answerNanos;
        pace.made(next, now, now + answerNanos);
      }
      now += ROUND_NANOS;
    }
  }

  private int times(Kept of) {
    return made.getOrDefault(of, 0);
  }

  @Test
  void next_processThatWorks_isEachInItsTime() {
    pass(1, true, 1_000);
    assertThat(made).as("all are made at once").containsEntry(OFTEN, 1).containsEntry(SELDOM, 1);
    pass(600, true, 1_000);
    assertThat(times(OFTEN)).isBetween(115, 121);
    assertThat(times(SELDOM)).isBetween(19, 21);
  }

  @Test
  void next_processThatDoesNothing_isOnceAMinute() {
    pass(601, false, 1_000);
    assertThat(times(OFTEN)).isBetween(10, 11);
    assertThat(times(SELDOM)).isBetween(10, 11);
  }

  @Test
  void next_somethingNewWentWrong_isAllAtOnceAndThenAsBefore() {
    pass(2, false, 1_000);
    pace.worried(now);
    made.clear();
    pass(1, false, 1_000);
    assertThat(made).containsEntry(OFTEN, 1).containsEntry(SELDOM, 1);
    pass(30, false, 1_000);
    assertThat(times(OFTEN)).isEqualTo(1);
  }

  @Test
  void next_answersThatTakeLong_takeAHundredthOfACoreTogetherAndEachHasItsTurn() {
    long from = now;
    pass(3600, true, TimeUnit.MILLISECONDS.toNanos(400));
    pace.worried(now);
    pass(3600, true, TimeUnit.MILLISECONDS.toNanos(400));
    assertThat(worked).isLessThanOrEqualTo((now - from) / 100 + TimeUnit.SECONDS.toNanos(1));
    assertThat(times(OFTEN)).isGreaterThan(50);
    assertThat(times(SELDOM)).isGreaterThan(50);
  }
}
