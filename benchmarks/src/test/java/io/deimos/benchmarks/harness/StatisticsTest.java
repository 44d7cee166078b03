// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class StatisticsTest {
  @Test
  void median_oddSample_isTheMiddleOne() {
    assertThat(Statistics.of(List.of(9.0, 1.0, 5.0)).median()).isEqualTo(5);
  }

  @Test
  void median_evenSample_isBetweenTheMiddleTwo() {
    assertThat(Statistics.of(List.of(4.0, 1.0, 2.0, 9.0)).median()).isEqualTo(3);
  }

  @Test
  void interquartileRange_fiveValues_isFourthLessSecond() {
    assertThat(Statistics.of(List.of(10.0, 20.0, 30.0, 50.0, 1000.0)).interquartileRange())
        .isEqualTo(30);
  }

  @Test
  void interquartileRange_oneValue_isZero() {
    Statistics one = Statistics.of(List.of(7.0));
    assertThat(one.interquartileRange()).isZero();
    assertThat(one.median()).isEqualTo(7);
  }

  @Test
  void minAndMax_anyOrder_areTheEnds() {
    Statistics statistics = Statistics.of(List.of(3.0, -1.0, 2.0));
    assertThat(statistics.min()).isEqualTo(-1);
    assertThat(statistics.max()).isEqualTo(3);
    assertThat(statistics.size()).isEqualTo(3);
  }

  @Test
  void of_emptySample_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Statistics.of(List.of()));
  }
}
