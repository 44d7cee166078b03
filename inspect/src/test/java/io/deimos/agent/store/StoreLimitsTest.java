// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class StoreLimitsTest {
  @Test
  void of_badValue_namesKeyValueAndRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StoreLimits.of(0, 20_000))
        .withMessage("deimos.page.traces-per-second=0: must be a whole number in [1, 100000]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StoreLimits.of(50, 99))
        .withMessage("deimos.page.spans-kept=99: must be a whole number in [100, 10000000]");
  }

  @Test
  void of_fewSpans_leavesRoomForSeveralTraces() {
    assertThat(StoreLimits.of(50, 400).spansPerTrace()).isEqualTo(133);
    assertThat(StoreLimits.of(50, 16_384)).isEqualTo(StoreLimits.DEFAULT);
  }
}
