// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import io.deimos.agent.settings.ConfigurationFile;
import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdkBuilder;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurablePropagatorProvider;
import io.opentelemetry.sdk.autoconfigure.spi.traces.ConfigurableSamplerProvider;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An SDK that samples, passes contexts on and limits spans as {@code OTEL_*} settings say, and has
 * no exporters and no detectors of resources: those are what fails.
 */
final class WithoutExporters implements ComponentLoader {
  private static final Set<Class<?>> LOADED =
      Set.of(ConfigurableSamplerProvider.class, ConfigurablePropagatorProvider.class);

  private final ComponentLoader all =
      ComponentLoader.forClassLoader(WithoutExporters.class.getClassLoader());

  private WithoutExporters() {}

  /** Such an SDK, to which parts can be added. */
  static AutoConfiguredOpenTelemetrySdkBuilder builder() {
    return AutoConfiguredOpenTelemetrySdk.builder()
        .disableShutdownHook()
        .setComponentLoader(new WithoutExporters())
        .addPropertiesCustomizer(WithoutExporters::properties)
        .addResourceCustomizer((resource, config) -> SdkView.namedByUser());
  }

  /** Unusable values were told when the SDK was to be made the first time. */
  private static Map<String, String> properties(ConfigProperties config) {
    Map<String, String> ours = new HashMap<>(OtelSettings.corrected(config, told -> {}, true));
    for (String signal : List.of("traces", "metrics", "logs")) {
      ours.put("otel." + signal + ".exporter", "none");
    }
    ours.put(ConfigurationFile.KEY, "");
    return ours;
  }

  @Override
  public <T> Iterable<T> load(Class<T> type) {
    return LOADED.contains(type) ? all.load(type) : List.of();
  }
}
