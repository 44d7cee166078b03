// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import org.junit.jupiter.api.Test;

class ReferenceConfTest {
  @Test
  void load_withTheLibraryOnTheClassPath_knowsEachSetting() {
    Config config = ConfigFactory.load();
    assertThat(config.getBoolean("deimos.tracing.enabled")).isTrue();
    assertThat(config.getDouble("deimos.tracing.tail.keep")).isEqualTo(0.01);
    assertThat(config.getStringList("deimos.content.messages")).isEmpty();
  }
}
