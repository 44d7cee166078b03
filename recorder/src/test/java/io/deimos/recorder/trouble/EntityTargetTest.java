// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.hooks.Woven;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EntityTargetTest {
  @Test
  void of_referenceToAnEntity_isItsRegion() {
    Object region = new Woven.Ref();
    assertThat(EntityTarget.of(new TestEntityRefImpl(region))).isSameAs(region);
  }

  @Test
  void of_whateverElse_isItself() {
    for (Object target :
        new Object[] {
          new Woven.Ref(),
          "a selection",
          new ShapelessEntityRefImpl(),
          new TestEntityRefImpl(null),
          new Region("not a reference to an entity")
        }) {
      assertThat(EntityTarget.of(target)).isSameAs(target);
    }
  }

  /** As Pekko's, as far as it is looked at. */
  record TestEntityRefImpl(@Nullable Object shardRegion) {}

  record Region(Object shardRegion) {}

  static final class ShapelessEntityRefImpl {}
}
