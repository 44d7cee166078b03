// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import static io.deimos.agent.store.TraceStream.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Traces with trouble in them stay whole while they are young, whatever else comes. */
class WholeTroubleTest {
  private static final double ALMOST_ALL = 0.95;
  private static final int HOUR = 3_600;
  private static final int DAY = 24 * HOUR;
  private final Throwable declined = asDeepAsInAnActor(new IllegalStateException("declined"));
  private final Throwable broken = asDeepAsInAnActor(new IllegalArgumentException("broken"));

  private final TraceStream stream = new TraceStream(StoreLimits.DEFAULT);

  /** With as many frames as an actor's failure has, however the tests are run. */
  private static Throwable asDeepAsInAnActor(Throwable thrown) {
    thrown.setStackTrace(Arrays.copyOf(thrown.getStackTrace(), 25));
    return thrown;
  }

  /** A second of what the sample makes, with fewer of its ordinary traces. */
  private void secondOfTheSample(int second) {
    stream.ordinary(3);
    if (second % 3 != 0) {
      stream.failing(11 + second % 7, declined);
    }
  }

  /** With every second second left out. */
  @Test
  void trouble_aDayOfTheSample_isWholeForFourMinutes() {
    for (int second = 2; second <= DAY; second += 2) {
      secondOfTheSample(second);
      if (second % 10 == 0) {
        stream.pass(10 * SECOND); // in steps, since a day has many seconds
      }
      if (second % 900 == 0) {
        assertThat(stream.whole(240 * SECOND))
            .as("in minute %d", second / 60)
            .isGreaterThanOrEqualTo(ALMOST_ALL);
      }
    }
    assertThat(stream.store().counts().thinned().traces()).as("it was full").isPositive();
  }

  @Test
  void trouble_aFloodOfOneKind_isWholeForAsLongAsTheStoreSays_andTheRareKindForLonger() {
    for (int second = 1; second <= HOUR / 6; second++) {
      secondOfTheSample(second);
      for (int i = 0; i < 20; i++) {
        stream.failing(10, broken);
      }
      stream.pass(SECOND);
      if (second % 30 == 0) {
        long said = stream.store().counts().troubleWholeNanos();
        assertThat(said).isGreaterThan(5 * SECOND);
        assertThat(stream.whole(said)).isGreaterThanOrEqualTo(ALMOST_ALL);
        assertThat(stream.whole(30 * SECOND, "IllegalStateException"))
            .as("the rare kind")
            .isGreaterThanOrEqualTo(ALMOST_ALL);
      }
    }
  }

  @Test
  void trouble_halfOfItNamedByTheLog_isWholeAllTheSame() {
    for (int second = 1; second <= HOUR / 2; second++) {
      stream.failing(14, declined);
      stream.failingAndNamed(14, declined);
      stream.pass(SECOND);
      if (second % 30 == 0) {
        assertThat(stream.whole(70 * SECOND)).isGreaterThanOrEqualTo(ALMOST_ALL);
      }
    }
    assertThat(stream.store().counts().troubleWholeNanos()).isGreaterThan(70 * SECOND);
  }

  @Test
  void trouble_hugeTracesBeside_isWholeForAMinute() {
    for (int second = 1; second <= HOUR / 6; second++) {
      secondOfTheSample(second);
      if (second % 10 == 0) {
        stream.failing(3_000, broken);
      }
      stream.pass(SECOND);
      if (second % 30 == 29) {
        assertThat(stream.whole(60 * SECOND, "IllegalStateException"))
            .isGreaterThanOrEqualTo(ALMOST_ALL);
        assertThat(stream.store().counts().troubleWholeNanos())
            .isGreaterThanOrEqualTo(Math.min(60, second) * SECOND);
      }
    }
  }

  /** An ask that waits for 20 seconds, while more ordinary traces end than are kept. */
  @Test
  void trouble_thatComesLate_findsItsTraceStillThere() {
    for (int second = 1; second <= HOUR / 12; second++) {
      for (int i = 0; i < 100; i++) {
        stream.ordinary(2);
      }
      stream.failingLate(10, 20 * SECOND, declined);
      stream.pass(SECOND);
      if (second % 30 == 29) {
        assertThat(stream.whole(60 * SECOND)).isGreaterThanOrEqualTo(ALMOST_ALL);
      }
    }
    assertThat(stream.store().counts().letGo().traces()).isPositive();
  }

  @Test
  void trouble_ofTenProcesses_isWholeForAsLongAsTheStoreSays() {
    for (int second = 1; second <= HOUR / 12; second++) {
      for (int i = 0; i < 6; i++) {
        stream.failingOverNodes(12, declined);
      }
      stream.pass(SECOND);
      if (second % 30 == 0) {
        long said = stream.store().counts().troubleWholeNanos();
        assertThat(said).isGreaterThan(20 * SECOND);
        assertThat(stream.whole(said)).isGreaterThanOrEqualTo(ALMOST_ALL);
      }
    }
  }

  /** One trace in a dozen is taken; of the others the latest spans are there when they fail. */
  @Test
  void trouble_inTracesThatWereNotTaken_isWholeNevertheless() {
    for (int second = 1; second <= 120; second++) {
      for (int i = 0; i < 4_000; i++) {
        stream.ordinary(3);
      }
      for (int i = 0; i < 4; i++) {
        stream.failing(10, declined);
      }
      stream.pass(SECOND);
      if (second % 30 == 0) {
        assertThat(stream.store().share()).isLessThan(0.2);
        assertThat(stream.whole(30 * SECOND)).isGreaterThanOrEqualTo(ALMOST_ALL);
      }
    }
  }

  /** More than are taken: those that are kept are nevertheless whole, since no parts are kept. */
  @Test
  void trouble_moreThanIsTaken_keepsWholeTraces() {
    for (int second = 1; second <= 30; second++) {
      for (int i = 0; i < 2_000; i++) {
        stream.failing(4, broken);
      }
      stream.pass(SECOND);
    }
    assertThat(stream.store().share()).isLessThan(0.5);
    assertThat(stream.store().latest(500, true, TraceQuery.of("")))
        .filteredOn(trace -> !trace.extent().running())
        .isNotEmpty()
        .filteredOn(TraceSummary::complete)
        .hasSizeGreaterThan(100);
  }
}
