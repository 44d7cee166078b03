// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.sdk.autoconfigure.spi.internal.DefaultConfigProperties;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each of these values makes the SDK throw, and then there is no agent. */
class OtelSettingsTest {
  /** As the user sees them: the same sentence is said once. */
  private final Set<String> problems = new LinkedHashSet<>();

  private Map<String, String> corrected(Map<String, String> given) {
    return OtelSettings.corrected(
        DefaultConfigProperties.createFromMap(given), problems::add, true);
  }

  private void survives(Map<String, String> given, String... said) {
    problems.clear();
    Map<String, String> used = new HashMap<>(given);
    used.putAll(corrected(given));
    assertThat(used).isNotEqualTo(given);
    assertThat(problems).hasSize(1);
    assertThat(problems.iterator().next()).contains(said).doesNotContain("hunter2");
    // The values in use now are nothing to complain about.
    assertThat(corrected(used)).isEmpty();
    assertThat(problems).hasSize(1);
  }

  @Test
  void exporter_thatDoesNotExist_isLeftOut() {
    survives(
        Map.of("otel.traces.exporter", "jaeger"),
        "otel.traces.exporter=jaeger (OTEL_TRACES_EXPORTER)",
        "otlp, which Jaeger takes");
    assertThat(corrected(Map.of("otel.traces.exporter", "otlp,jaeger")))
        .containsEntry("otel.traces.exporter", "otlp");
    assertThat(corrected(Map.of("otel.traces.exporter", "jaeger")))
        .containsEntry("otel.traces.exporter", "none");
  }

  @Test
  void endpoint_thatIsNoUrl_isNotExportedTo() {
    survives(
        Map.of("otel.traces.exporter", "otlp", "otel.exporter.otlp.endpoint", "localhost:4318"),
        "otel.exporter.otlp.endpoint=localhost:4318",
        "write http://localhost:4318");
    survives(
        Map.of(
            "otel.traces.exporter",
            "otlp",
            "otel.exporter.otlp.protocol",
            "http/protobuf",
            "otel.exporter.otlp.traces.endpoint",
            "https://me:hunter2@c:1/v1/traces?key=hunter2"),
        "otel.exporter.otlp.traces.endpoint=https://c:1/v1/traces",
        "otel.exporter.otlp.headers");
  }

  @Test
  void sampler_unknownOrWithoutItsNumber_takesAll() {
    survives(Map.of("otel.traces.sampler", "half"), "otel.traces.sampler=half", "traceidratio");
    survives(
        Map.of("otel.traces.sampler", "traceidratio", "otel.traces.sampler.arg", "10%"),
        "otel.traces.sampler.arg=10%",
        "[0, 1]");
  }

  @Test
  void others_thatTheSdkThrowsAt_holdTheirDefaults() {
    survives(Map.of("otel.propagators", "zipkin"), "otel.propagators=zipkin", "b3");
    survives(
        Map.of("otel.bsp.schedule.delay", "soon"), "otel.bsp.schedule.delay=soon", "5s or 500ms");
    survives(
        Map.of("otel.span.attribute.count.limit", "many"), "otel.span.attribute.count.limit=many");
    survives(Map.of("otel.resource.attributes", "hunter2"), "otel.resource.attributes", "a=1,b=2");
    survives(
        Map.of("otel.traces.exporter", "otlp", "otel.exporter.otlp.protocol", "http"),
        "otel.exporter.otlp.protocol=http",
        "http/protobuf or grpc");
  }

  @Test
  void usableValues_areLeftAlone() {
    Map<String, String> given = new HashMap<>();
    given.put("otel.traces.exporter", "otlp");
    given.put("otel.metrics.exporter", "none");
    given.put("otel.logs.exporter", "none");
    given.put("otel.exporter.otlp.endpoint", "http://collector:4318");
    given.put("otel.traces.sampler", "parentbased_traceidratio");
    given.put("otel.traces.sampler.arg", "0.5");
    given.put("otel.propagators", "tracecontext,baggage");
    given.put("otel.resource.attributes", "a=b");
    assertThat(corrected(given)).isEmpty();
    assertThat(corrected(Map.of())).isEmpty();
    assertThat(problems).isEmpty();
  }

  @Test
  void namesOfAnExtension_areLeftToIt() {
    assertThat(
            corrected(
                Map.of(
                    "otel.traces.exporter", "mine",
                    "otel.traces.sampler", "mine",
                    "otel.javaagent.extensions", "mine.jar")))
        .isEmpty();
    assertThat(problems).isEmpty();
  }
}
