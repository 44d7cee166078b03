// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.export.ExportCounts;
import io.deimos.agent.export.StoreProcessor;
import io.deimos.agent.log.Problems;
import io.deimos.agent.settings.Settings;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The SDK reads the JVM's system properties. */
class SdkAdditionsTest {
  private final Map<String, String> given = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();

  @AfterEach
  void clear() {
    given.keySet().forEach(System::clearProperty);
  }

  @Test
  void alone_samplerPropagatorsAndLimits_areAsSettingsSay() {
    give("otel.traces.exporter", "otlp");
    give("otel.exporter.otlp.certificate", "no-such.pem");
    give("otel.traces.sampler", "parentbased_traceidratio");
    give("otel.traces.sampler.arg", "0.01");
    give("otel.propagators", "none");
    give("otel.span.attribute.count.limit", "7");
    give("otel.service.name", "orders");
    try (OpenTelemetrySdk sdk = alone()) {
      SdkTracerProvider tracers = sdk.getSdkTracerProvider();
      assertThat(tracers.getSampler().getDescription())
          .startsWith("ParentBased{root:TraceIdRatioBased{0.01");
      assertThat(tracers.getSpanLimits().getMaxNumberOfAttributes()).isEqualTo(7);
      assertThat(sdk.getPropagators().getTextMapPropagator().fields()).isEmpty();
      assertThat(SdkView.of(tracers, new Problems(problems::add)).serviceName())
          .isEqualTo("orders");
    }
    assertThat(problems).isEmpty();
  }

  @Test
  void alone_nothingGiven_hasTheDefaults() {
    try (OpenTelemetrySdk sdk = alone()) {
      assertThat(sdk.getSdkTracerProvider().getSampler().getDescription())
          .startsWith("ParentBased{root:AlwaysOnSampler");
      assertThat(sdk.getPropagators().getTextMapPropagator().fields())
          .contains("traceparent", "baggage");
    }
    assertThat(problems).isEmpty();
  }

  private void give(String key, String value) {
    given.put(key, value);
    System.setProperty(key, value);
  }

  private OpenTelemetrySdk alone() {
    return new SdkAdditions(Settings.defaults(), new Problems(problems::add), new ExportCounts())
        .alone(new StoreProcessor(null, null, () -> {}), null, false);
  }
}
