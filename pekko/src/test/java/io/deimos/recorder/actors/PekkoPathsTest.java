// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.ActorPaths;
import org.junit.jupiter.api.Test;

/** {@link PathTexts} of Pekko's own paths. */
class PekkoPathsTest {
  private final PathTexts texts = new PathTexts(null);

  @Test
  void of_siblings_areEqualToPekkosText() {
    ActorPath carts = ActorPaths.fromString("pekko://shop/user/carts");
    ActorPath first = carts.child("cart-1").withUid(17);
    ActorPath second = carts.child("cart-2").withUid(-3);
    assertThat(texts.of(first)).hasToString(first.toString());
    assertThat(texts.of(second))
        .hasToString("pekko://shop/user/carts/cart-2")
        .isNotInstanceOf(String.class);
    assertThat(texts.of(carts)).hasToString(carts.toString());
    assertThat(texts.of(carts.parent())).hasToString("pekko://shop/user");
    assertThat(texts.of(carts.root())).isEqualTo("pekko://shop/");
  }

  /** As in most applications. */
  @Test
  void of_pathsOfTheJvmsClassPath_areThesePaths() {
    PathTexts lasting = new PathTexts();
    ActorPath cart = ActorPaths.fromString("pekko://shop/user/carts").child("cart-1").withUid(17);
    assertThat(lasting.of(cart)).isSameAs(cart);
  }

  @Test
  void of_pathWithAnAddress_isEqualToPekkosText() {
    ActorPath far = ActorPaths.fromString("pekko://shop@10.0.0.1:25520/user/a");
    assertThat(texts.of(far)).hasToString(far.toString());
  }
}
