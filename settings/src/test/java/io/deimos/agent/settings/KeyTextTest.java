// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeyTextTest {
  @Test
  void all_namesAndWords_areThoseOfTheSettings() {
    assertThat(KeyText.all()).containsOnlyKeys(Keys.all().stream().map(Key::name).toList());
    assertThat(KeyText.all().values())
        .allSatisfy(
            text -> {
              assertThat(text.does()).isNotBlank();
              assertThat(text.costs()).isNotBlank();
            });
  }
}
