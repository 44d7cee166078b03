// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.sdk.autoconfigure.spi.internal.DefaultConfigProperties;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExportDefaultsTest {
  private static Map<String, String> of(Map<String, String> given) {
    return ExportDefaults.of(DefaultConfigProperties.createFromMap(given));
  }

  private static String target(Map<String, String> given) {
    return String.valueOf(ExportDefaults.spanTarget(DefaultConfigProperties.createFromMap(given)));
  }

  @Test
  void of_nothingGiven_nothingIsExported() {
    assertThat(of(Map.of()))
        .containsOnly(
            Map.entry("otel.traces.exporter", "none"),
            Map.entry("otel.metrics.exporter", "none"),
            Map.entry("otel.logs.exporter", "none"));
  }

  @Test
  void of_endpointForAll_changesNothing() {
    assertThat(of(Map.of("otel.exporter.otlp.endpoint", "http://collector:4318"))).isEmpty();
  }

  @Test
  void of_oneSignalGiven_theOthersStayOff() {
    assertThat(of(Map.of("otel.exporter.otlp.traces.endpoint", "http://collector:4318/v1/traces")))
        .containsOnlyKeys("otel.metrics.exporter", "otel.logs.exporter");
    assertThat(of(Map.of("otel.metrics.exporter", "prometheus")))
        .containsOnlyKeys("otel.traces.exporter", "otel.logs.exporter");
  }

  @Test
  void spanTarget_exporterAndEndpoint_areNamed() {
    assertThat(target(Map.of("otel.traces.exporter", "none"))).isEqualTo("null");
    assertThat(target(Map.of())).isEqualTo("otlp http://localhost:4318");
    assertThat(target(Map.of("otel.exporter.otlp.endpoint", "http://c:1")))
        .isEqualTo("otlp http://c:1");
    assertThat(target(Map.of("otel.traces.exporter", "console"))).isEqualTo("console");
  }

  @Test
  void spanTarget_secretsInTheEndpoint_areNotShown() {
    assertThat(target(Map.of("otel.exporter.otlp.endpoint", "https://me:pw@c:1/v1?key=x#y@z")))
        .isEqualTo("otlp https://c:1/v1");
    assertThat(target(Map.of("otel.exporter.otlp.endpoint", "me:pw@c:1"))).isEqualTo("otlp c:1");
  }
}
