// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GlobsTest {
  @Test
  void matchesClass_nameAsThePageHasIt_isThatClass() {
    String name = "io.shop.LoadGenerator$Tick";
    assertThat(Globs.matchesClass("io.shop.LoadGenerator$Tick", name)).isTrue();
    assertThat(Globs.matchesClass("io.shop.LoadGenerator.Tick", name)).isTrue();
    assertThat(Globs.matchesClass("LoadGenerator.Tick", name)).isTrue();
    assertThat(Globs.matchesClass("LoadGenerator$*", name)).isTrue();
    assertThat(Globs.matchesClass("*Tick", name)).isTrue();
    assertThat(Globs.matchesClass("io.shop.*", name)).isTrue();
    assertThat(Globs.matchesClass("Tick", name)).isFalse();
    assertThat(Globs.matchesClass("shop.LoadGenerator.Tick", name)).isFalse();
    assertThat(Globs.matchesClass("LoadGenerator", name)).isFalse();
    assertThat(Globs.matchesClass("LoadGenerator$Tick", "io.shop.LoadGenerator.Tick")).isFalse();
  }
}
