// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.sdk.autoconfigure.spi.internal.DefaultConfigProperties;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SdkPropertiesTest {
  private static final String AKKA = "otel.instrumentation.akka-actor.enabled";
  private static final String ALL = "otel.instrumentation.common.default-enabled";
  private static final String API = "otel.instrumentation.opentelemetry-api.enabled";

  private static Map<String, String> of(boolean actorsOnly, Map<String, String> given) {
    return SdkProperties.of(
        DefaultConfigProperties.createFromMap(given), List.of("akka-actor"), actorsOnly, p -> {});
  }

  @Test
  void of_modulesThatAreReplaced_areOff() {
    assertThat(of(false, Map.of())).containsEntry(AKKA, "false").doesNotContainKey(ALL);
  }

  /** For an Akka that Deimos does not know. */
  @Test
  void of_akkasModuleThatTheUserWants_isLeftAlone() {
    assertThat(of(false, Map.of(AKKA, "true"))).doesNotContainKey(AKKA);
  }

  @Test
  void of_actorsOnly_switchesTheRestOffButWhatActorsNeed() {
    assertThat(of(true, Map.of()))
        .containsEntry(ALL, "false")
        .containsEntry(API, "true")
        .containsEntry("otel.instrumentation.executors.enabled", "true");
  }

  @Test
  void of_actorsOnly_leavesWhatTheUserSaid() {
    assertThat(of(true, Map.of(ALL, "true", API, "false"))).doesNotContainKeys(ALL, API);
  }
}
