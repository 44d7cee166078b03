// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class RemoteSettingsTest {
  private static RemoteSettings of(String text, String... properties) {
    Properties system = new Properties();
    for (String property : properties) {
      int equals = property.indexOf('=');
      system.setProperty(property.substring(0, equals), property.substring(equals + 1));
    }
    return RemoteSettings.of(ConfigFactory.parseString(text), Map.of(), system);
  }

  @Test
  void of_nothing_isOffWithDefaults() {
    RemoteSettings settings = of("");
    assertThat(settings.enabled()).isFalse();
    assertThat(settings.batching().maxPendingWrites()).isEqualTo(256);
    assertThat(settings.batching().flushInterval()).isEqualTo(Duration.ZERO);
    assertThat(settings.warnings()).isEmpty();
  }

  @Test
  void of_referenceFile_saysTheSameAsTheCode() {
    Config file = ConfigFactory.parseResources("io/deimos/remote/reference.conf");
    assertThat(file.isEmpty()).isFalse();
    assertThat(RemoteSettings.of(file, Map.of(), new Properties())).isEqualTo(of(""));
  }

  @Test
  void of_systemProperty_winsOverConfiguration() {
    RemoteSettings settings =
        of("deimos.remote.enabled = off", "deimos.remote.enabled=on", "deimos.remote.io=nio");
    assertThat(settings.enabled()).isTrue();
    assertThat(settings.loops().io()).isEqualTo("nio");
  }

  @Test
  void of_environmentVariable_winsOverConfigurationAndNotOverAProperty() {
    Properties system = new Properties();
    system.setProperty("deimos.remote.io", "nio");
    RemoteSettings settings =
        RemoteSettings.of(
            ConfigFactory.parseString("deimos.remote.batching.max-pending-writes = 3"),
            Map.of(
                "DEIMOS_REMOTE_BATCHING_MAX_PENDING_WRITES", "7",
                "DEIMOS_REMOTE_DIRECT_LANE_INBOUND", "off",
                "DEIMOS_REMOTE_IO", "fast"),
            system);
    assertThat(settings.batching().maxPendingWrites()).isEqualTo(7);
    assertThat(settings.directLane().inbound()).isFalse();
    assertThat(settings.loops().io()).isEqualTo("nio");
    assertThat(settings.warnings()).isEmpty();
  }

  @Test
  void of_badValue_namesKeyValueAndRangeAndUsesTheDefault() {
    RemoteSettings settings =
        of(
            "deimos.remote { enabled = on, event-loop-threads = 0, batching.max-pending-writes = x,"
                + " strangers { max-connections = 3, timeout = 1 day } }");
    assertThat(settings.enabled()).isTrue();
    assertThat(settings.batching().maxPendingWrites()).isEqualTo(256);
    assertThat(settings.warnings())
        .containsExactly(
            "deimos.remote.event-loop-threads = 0 must be auto or a number in [1, 64]; auto is"
                + " used",
            "deimos.remote.batching.max-pending-writes = x must be a number in [1, 65536]; 256 is"
                + " used",
            "deimos.remote.strangers.max-connections = 3 must be a number in [16, 65536]; 512 is"
                + " used",
            "deimos.remote.strangers.timeout = 1 day must be a duration in [1 s, 1 h]; 20 s is"
                + " used");
    assertThat(settings.strangers().max()).isEqualTo(512);
    assertThat(settings.strangers().timeout()).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void of_unknownKey_isNamedWithTheKnownOnes() {
    assertThat(of("deimos.remote.batchnig.enabled = on").warnings())
        .singleElement()
        .asString()
        .startsWith("deimos.remote.batchnig.enabled is no setting of this transport; known are ");
  }

  @Test
  void of_batchingOff_sendsEachMessageAlone() {
    assertThat(of("deimos.remote.batching.enabled = off").batching().maxPendingWrites())
        .isEqualTo(1);
  }
}
