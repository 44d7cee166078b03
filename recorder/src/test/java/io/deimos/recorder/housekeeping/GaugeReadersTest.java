// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.housekeeping;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GaugeReadersTest {
  @BeforeEach
  void every() {
    GaugeReaders.every(Duration.ofMillis(400));
  }

  @AfterEach
  void everySecond() {
    GaugeReaders.every(Duration.ofSeconds(1));
  }

  @Test
  void pause_afterAQuickReading_isTheInterval() {
    assertThat(pauseMillis(Duration.ZERO)).isEqualTo(400);
    assertThat(pauseMillis(Duration.ofMillis(2))).isEqualTo(400);
  }

  @Test
  void pause_afterASlowReading_isTwoHundredTimesAsLong() {
    assertThat(pauseMillis(Duration.ofMillis(3))).isEqualTo(600);
  }

  @Test
  void pause_afterAVerySlowReading_isTenIntervals() {
    assertThat(pauseMillis(Duration.ofSeconds(5))).isEqualTo(4_000);
  }

  private static long pauseMillis(Duration took) {
    return Duration.ofNanos(GaugeReaders.pauseNanos(took.toNanos())).toMillis();
  }
}
