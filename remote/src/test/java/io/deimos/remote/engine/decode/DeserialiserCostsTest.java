// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When a deserialiser is held to be heavy. */
class DeserialiserCostsTest {
  private final DeserialiserCosts costs = new DeserialiserCosts();
  private final DeserialiserCosts.Cost cost = costs.of(4711);

  private void took(int times, long nanos) {
    for (int i = 0; i < times; i++) {
      cost.took(nanos);
    }
  }

  @Test
  void isHeavy_atFirst_isFalse() {
    assertThat(cost.isHeavy()).isFalse();
  }

  @Test
  void isHeavy_afterSomeLongOnes_isTrue() {
    took(8, 3 * DeserialiserCosts.HEAVY_NANOS);
    assertThat(cost.isHeavy()).isTrue();
  }

  @Test
  void isHeavy_afterOnePauseAmongShortOnes_isFalse() {
    took(8, 300);
    took(1, 1_000_000_000);
    assertThat(cost.isHeavy()).isFalse();
  }

  @Test
  void isHeavy_betweenTheMarks_isWhatItWas() {
    took(100, DeserialiserCosts.HEAVY_NANOS * 3 / 4);
    assertThat(cost.isHeavy()).isFalse();
    took(100, DeserialiserCosts.HEAVY_NANOS * 2);
    took(100, DeserialiserCosts.HEAVY_NANOS * 3 / 4);
    assertThat(cost.isHeavy()).isTrue();
    took(100, DeserialiserCosts.LIGHT_NANOS / 2);
    assertThat(cost.isHeavy()).isFalse();
  }

  @Test
  void isDue_ofManyMessages_isTrueOfTheFirstAndThenSeldom() {
    long first = IntStream.range(0, 16).filter(i -> cost.isDue()).count();
    long later = IntStream.range(0, 64_000).filter(i -> cost.isDue()).count();
    assertThat(first).isEqualTo(16);
    assertThat(later).isEqualTo(1000);
  }

  @Test
  void of_theSameSerialiser_isTheSame_alsoAfterOthers() {
    costs.of(1);
    assertThat(costs.of(4711)).isSameAs(cost);
  }

  @Test
  void of_moreSerialisersThanThereCanBe_keepsNoMore() {
    IntStream.range(0, 5000).forEach(costs::of);
    assertThat(costs.of(4711)).isNotSameAs(cost);
  }
}
