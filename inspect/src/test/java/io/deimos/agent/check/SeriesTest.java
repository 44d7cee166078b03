// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SeriesTest {
  private static final long NOW = 1_000_000;

  private static Series every2s(long... values) {
    return Series.every(Duration.ofSeconds(2), NOW, values);
  }

  @Test
  void perSecond_ofALine_isItsSlope() {
    assertThat(every2s(0, 10, 20, 30).perSecond()).isEqualTo(5, within(1e-9));
    assertThat(every2s(7, 7, 7).perSecond()).isZero();
    assertThat(Series.EMPTY.perSecond()).isZero();
  }

  @Test
  void last_ofATime_hasTheValuesWithinIt() {
    Series last = every2s(1, 2, 3, 4, 5).last(Duration.ofSeconds(4));
    assertThat(last.size()).isEqualTo(3);
    assertThat(last.growth()).isEqualTo(2);
    assertThat(last.length()).isEqualTo(Duration.ofSeconds(4));
    assertThat(every2s(1, 2).last(Duration.ofHours(1)).size()).isEqualTo(2);
  }

  @Test
  void risingSince_afterALongPause_isTheRiseThatEndedIt() {
    Series series = every2s(0, 1, 1, 1, 1, 2, 3, 3);
    assertThat(series.risingSince(Duration.ofSeconds(4))).isEqualTo(NOW - 4_000);
    assertThat(series.risingSince(Duration.ofMinutes(1))).isEqualTo(NOW - 12_000);
    assertThat(every2s(3, 3).risingSince(Duration.ofMinutes(1))).isZero();
  }

  @Test
  void climbsSince_afterAFall_isTheLowestPoint() {
    assertThat(every2s(900, 800, 100, 300, 280, 700).climbsSince()).isEqualTo(NOW - 6_000);
  }

  @Test
  void rises_andTheTimeSince_areOfEachStepUp() {
    Series series = every2s(0, 1, 1, 5, 5, 5);
    assertThat(series.rises()).isEqualTo(2);
    assertThat(series.sinceRise()).isEqualTo(Duration.ofSeconds(4));
    assertThat(every2s(5, 5, 5).sinceRise()).isEqualTo(Duration.ofSeconds(4));
  }
}
