// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PaceTest {

  @Test
  void due_fractionPerTick_addsUpToTheRate() {
    Pace pace = new Pace(30, Duration.ofMillis(20));

    assertThat(IntStream.range(0, 50).map(tick -> pace.due()).sum()).isBetween(29, 30);
  }

  @Test
  void due_rateZero_isNeverDue() {
    Pace pace = new Pace(0, Duration.ofMillis(20));

    assertThat(IntStream.range(0, 50).map(tick -> pace.due()).sum()).isZero();
  }
}
