// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PekkoNamesTest {
  @Test
  void of_classOfAkka_isTheSameOfPekko() {
    assertThat(PekkoNames.of("akka.actor.PoisonPill$"))
        .isEqualTo("org.apache.pekko.actor.PoisonPill$");
  }

  @Test
  void of_anyOtherClass_isItself() {
    assertThat(PekkoNames.of("org.apache.pekko.Done$")).isEqualTo("org.apache.pekko.Done$");
    assertThat(PekkoNames.of("shop.akka.Cart")).isEqualTo("shop.akka.Cart");
  }

  @Test
  void isPekkos_namesOfBoth_areSo() {
    assertThat(PekkoNames.isPekkos("akka.actor.Props")).isTrue();
    assertThat(PekkoNames.isPekkos("org.apache.pekko.actor.Props")).isTrue();
    assertThat(PekkoNames.isPekkos("akkarin.Shop")).isFalse();
  }

  @Test
  void isPath_pathsOfBoth_areSo() {
    assertThat(PekkoNames.isPath("pekko://shop/user")).isTrue();
    assertThat(PekkoNames.isPath("akka://shop/user")).isTrue();
    assertThat(PekkoNames.isPath("/user")).isFalse();
  }
}
