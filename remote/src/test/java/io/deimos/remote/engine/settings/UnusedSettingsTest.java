// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import org.junit.jupiter.api.Test;

class UnusedSettingsTest {
  private static final Config DEFAULTS = ConfigFactory.defaultReference();

  private static Config with(String key) {
    return DEFAULTS.withValue(key, ConfigValueFactory.fromAnyRef("another value"));
  }

  @Test
  void of_defaults_isNone() {
    assertThat(UnusedSettings.of(DEFAULTS, DEFAULTS)).isEmpty();
  }

  @Test
  void of_eachThatHasNoEffect_namesIt() {
    for (String section : UnusedSettings.SECTIONS) {
      assertThat(DEFAULTS.getConfig(section).entrySet())
          .isNotEmpty()
          .allSatisfy(
              entry -> {
                String key = section + "." + entry.getKey();
                assertThat(UnusedSettings.of(with(key), DEFAULTS)).containsExactly(key);
              });
    }
  }

  @Test
  void of_oneThatPekkoDoesNotKnow_namesIt() {
    String key = "pekko.io.tcp.new";
    assertThat(UnusedSettings.of(with(key), DEFAULTS)).containsExactly(key);
  }

  @Test
  void of_oneThatIsHonoured_isNone() {
    assertThat(UnusedSettings.of(with("pekko.remote.artery.advanced.inbound-lanes"), DEFAULTS))
        .isEmpty();
  }
}
