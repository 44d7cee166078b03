// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class HeaviestTest {
  private final Heaviest<String> heaviest = new Heaviest<>(2);

  @Test
  void of_asManyAsThereIsRoomFor_areAll() {
    assertThat(heaviest.of(Map.of("a", 0L, "b", 0L))).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void of_more_areThoseThatGrowMost() {
    assertThat(heaviest.of(Map.of("a", 1L, "b", 90L, "c", 100L, "d", 2L)))
        .containsExactlyInAnyOrder("b", "c");
  }

  @Test
  void of_aLittleMoreThanOneOfTheFew_doesNotTakeItsPlace() {
    heaviest.of(Map.of("a", 100L, "b", 100L, "c", 0L));
    assertThat(heaviest.of(Map.of("a", 100L, "b", 100L, "c", 150L)))
        .containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void of_muchMoreThanTheLeastOfTheFew_takesItsPlace() {
    heaviest.of(Map.of("a", 100L, "b", 50L, "c", 0L));
    assertThat(heaviest.of(Map.of("a", 100L, "b", 50L, "c", 150L)))
        .containsExactlyInAnyOrder("a", "c");
  }

  @Test
  void of_oneThatIsGone_leavesItsPlace() {
    heaviest.of(Map.of("a", 100L, "b", 50L, "c", 1L));
    assertThat(heaviest.of(Map.of("b", 0L, "c", 0L))).containsExactlyInAnyOrder("b", "c");
  }

  @Test
  void of_oneThatWasHeavy_isForgottenByAndBy() {
    heaviest.of(Map.of("a", 1000L, "b", 1000L, "c", 0L));
    Map<String, Long> now = Map.of("a", 1000L, "b", 0L, "c", 300L);
    for (int i = 0; i < 2; i++) {
      heaviest.of(now);
    }
    assertThat(heaviest.of(now)).containsExactlyInAnyOrder("a", "c");
  }
}
