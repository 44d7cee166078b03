// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageClassesTest {
  @ParameterizedTest
  @CsvSource({
    "shop.Cart$AddItem, AddItem",
    "shop.Cart$Stop$, Stop",
    "java.lang.String, String",
    "shop.Cart$1, Cart$1",
    "shop.Cart$$Lambda$14/0x000000080011, Cart",
    "[I, [I",
    "Unnamed, Unnamed"
  })
  void simpleName_className_isItsLastPart(String name, String simple) {
    assertThat(MessageClasses.simpleName(name)).isEqualTo(simple);
  }

  @Test
  void of_sameClassTwice_isOneNumber() {
    MessageClass first = MessageClasses.of(String.class);
    assertThat(MessageClasses.of(String.class)).isSameAs(first);
    assertThat(MessageClasses.byId(first.id())).isSameAs(first);
  }

  @Test
  void of_pekkosWrappers_areKnown() {
    assertThat(MessageClasses.of("org.apache.pekko.actor.typed.internal.AdaptMessage").isWrapper())
        .isTrue();
    assertThat(MessageClasses.of("org.apache.pekko.actor.PoisonPill$").isTransparent()).isTrue();
    assertThat(
            MessageClasses.of("org.apache.pekko.actor.typed.internal.PoisonPill$").isTransparent())
        .isTrue();
  }
}
