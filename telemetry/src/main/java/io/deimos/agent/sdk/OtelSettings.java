// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import io.deimos.agent.log.Printable;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurablePropagatorProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import io.opentelemetry.sdk.autoconfigure.spi.logs.ConfigurableLogRecordExporterProvider;
import io.opentelemetry.sdk.autoconfigure.spi.metrics.ConfigurableMetricExporterProvider;
import io.opentelemetry.sdk.autoconfigure.spi.traces.ConfigurableSamplerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.traces.ConfigurableSpanExporterProvider;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the {@code OTEL_*} settings before the SDK does. The SDK throws at the first value that
 * it cannot use, and then there is no agent at all; here such a value is reported with the way out
 * and replaced by what holds without it. A name that an extension of the user's may know is left
 * alone.
 */
public final class OtelSettings {
  private static final String OTLP = "otlp";
  private static final String NONE = "none";
  private static final String ENDPOINT = "otel.exporter.otlp.endpoint";
  private static final String PROTOCOL = "otel.exporter.otlp.protocol";
  private static final String SAMPLER = "otel.traces.sampler";
  private static final String SAMPLER_ARG = "otel.traces.sampler.arg";
  private static final List<String> SIGNALS = List.of("traces", "metrics", "logs");

  private static final Set<String> SAMPLERS =
      Set.of(
          "always_on",
          "always_off",
          "traceidratio",
          "parentbased_always_on",
          "parentbased_always_off",
          "parentbased_traceidratio");

  /** Settings with few values, of which the first holds where none is given. */
  private static final Map<String, List<String>> CHOICES =
      Map.of(
          PROTOCOL,
          List.of("http/protobuf", "grpc"),
          "otel.exporter.otlp.traces.protocol",
          List.of("http/protobuf", "grpc"),
          "otel.exporter.otlp.metrics.protocol",
          List.of("http/protobuf", "grpc"),
          "otel.exporter.otlp.logs.protocol",
          List.of("http/protobuf", "grpc"),
          "otel.exporter.otlp.compression",
          List.of(NONE, "gzip"),
          "otel.exporter.otlp.metrics.temporality.preference",
          List.of("cumulative", "delta", "lowmemory"),
          "otel.exporter.otlp.metrics.default.histogram.aggregation",
          List.of("explicit_bucket_histogram", "base2_exponential_bucket_histogram"),
          "otel.metrics.exemplar.filter",
          List.of("trace_based", "always_on", "always_off"));

  private static final List<String> DURATIONS =
      List.of(
          "otel.bsp.schedule.delay",
          "otel.bsp.export.timeout",
          "otel.blrp.schedule.delay",
          "otel.blrp.export.timeout",
          "otel.metric.export.interval",
          "otel.metric.export.timeout",
          "otel.exporter.otlp.timeout",
          "otel.exporter.otlp.traces.timeout",
          "otel.exporter.otlp.metrics.timeout",
          "otel.exporter.otlp.logs.timeout");

  private static final List<String> NUMBERS =
      List.of(
          "otel.bsp.max.queue.size",
          "otel.bsp.max.export.batch.size",
          "otel.blrp.max.queue.size",
          "otel.blrp.max.export.batch.size",
          "otel.attribute.value.length.limit",
          "otel.attribute.count.limit",
          "otel.span.attribute.value.length.limit",
          "otel.span.attribute.count.limit",
          "otel.span.event.count.limit",
          "otel.span.link.count.limit");

  private static final List<String> MAPS =
      List.of(
          "otel.resource.attributes",
          "otel.exporter.otlp.headers",
          "otel.exporter.otlp.traces.headers",
          "otel.exporter.otlp.metrics.headers",
          "otel.exporter.otlp.logs.headers");

  private final ConfigProperties config;
  private final Consumer<String> problems;
  private final boolean knowsAllNames;
  private final Map<String, String> corrected = new LinkedHashMap<>();

  private OtelSettings(ConfigProperties config, Consumer<String> problems, boolean knowsAllNames) {
    this.config = config;
    this.problems = problems;
    this.knowsAllNames = knowsAllNames;
  }

  /**
   * The properties to be set in place of what cannot be used.
   *
   * @param knowsAllNames false if classes that we do not see may bring exporters and samplers
   */
  public static Map<String, String> corrected(
      ConfigProperties config, Consumer<String> problems, boolean knowsAllNames) {
    OtelSettings settings =
        new OtelSettings(
            config,
            problems,
            knowsAllNames && config.getString("otel.javaagent.extensions", "").isBlank());
    settings.exporters();
    settings.sampler();
    settings.propagators();
    CHOICES.forEach(settings::choice);
    DURATIONS.forEach(
        key ->
            settings.typed(key, ConfigProperties::getDuration, "a duration such as 5s or 500ms"));
    NUMBERS.forEach(key -> settings.typed(key, ConfigProperties::getInt, "a whole number"));
    MAPS.forEach(key -> settings.typed(key, ConfigProperties::getMap, "a list such as a=1,b=2"));
    return settings.corrected;
  }

  private void exporters() {
    for (String signal : SIGNALS) {
      String key = "otel." + signal + ".exporter";
      Set<String> wanted = new LinkedHashSet<>(config.getList(key));
      boolean isGiven = !wanted.isEmpty();
      if (!isGiven) {
        wanted.add(OTLP);
      }
      List<String> unknown = new ArrayList<>(wanted);
      unknown.removeIf(name -> name.equals(OTLP) || name.equals(NONE) || isExporter(signal, name));
      for (String name : unknown) {
        tell(
            key,
            name,
            "there is no such exporter, so "
                + signal
                + " do not leave by it. Use "
                + (name.equals("jaeger") ? "otlp, which Jaeger takes," : OTLP)
                + " or none");
      }
      boolean isRepeated = isGiven && isRepeated(key);
      boolean changed = wanted.removeAll(unknown) || isRepeated;
      if (wanted.size() > 1 && wanted.remove(NONE)) {
        tell(key, config.getString(key, ""), "none stands beside others; it is ignored");
        changed = true;
      }
      if (wanted.contains(OTLP) && !isEndpointUsable(signal)) {
        wanted.remove(OTLP);
        changed = true;
      }
      if (changed) {
        corrected.put(key, wanted.isEmpty() ? NONE : String.join(",", wanted));
      }
    }
  }

  private boolean isRepeated(String key) {
    List<String> names = config.getList(key);
    return names.size() > new LinkedHashSet<>(names).size();
  }

  private boolean isExporter(String signal, String name) {
    if (!knowsAllNames) {
      return true;
    }
    return switch (signal) {
      case "traces" ->
          isProvided(
              ConfigurableSpanExporterProvider.class,
              ConfigurableSpanExporterProvider::getName,
              name);
      case "metrics" ->
          name.equals("prometheus")
              || isProvided(
                  ConfigurableMetricExporterProvider.class,
                  ConfigurableMetricExporterProvider::getName,
                  name);
      default ->
          isProvided(
              ConfigurableLogRecordExporterProvider.class,
              ConfigurableLogRecordExporterProvider::getName,
              name);
    };
  }

  private static <T> boolean isProvided(Class<T> type, Function<T, String> name, String wanted) {
    for (T provider : ServiceLoader.load(type, OtelSettings.class.getClassLoader())) {
      if (name.apply(provider).equals(wanted)) {
        return true;
      }
    }
    return false;
  }

  private boolean isEndpointUsable(String signal) {
    String own = "otel.exporter.otlp." + signal + ".endpoint";
    String key = isBlank(own) ? ENDPOINT : own;
    String endpoint = config.getString(key, "").strip();
    if (endpoint.isEmpty()) {
      return true;
    }
    String wrong = wrongWith(endpoint, isGrpc(signal));
    if (wrong != null) {
      tell(
          key,
          ExportDefaults.withoutSecrets(endpoint),
          wrong + ". Until then nothing is exported there");
    }
    return wrong == null;
  }

  /** Why an endpoint cannot be used, and the way out; null if it can. */
  static @Nullable String wrongWith(String endpoint, boolean isGrpc) {
    if (!endpoint.contains("://")) {
      return "it has no scheme; write http://" + ExportDefaults.withoutSecrets(endpoint);
    }
    try {
      URI uri = new URI(endpoint);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if (!scheme.equals("http") && !scheme.equals("https")) {
        return "the scheme must be http or https";
      }
      if (uri.getRawAuthority() == null) {
        return "it names no host; write " + scheme + "://host:port";
      }
      if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
        return "it may have no query and no fragment; put what they say into"
            + " otel.exporter.otlp.headers";
      }
      String path = uri.getRawPath();
      if (isGrpc && !path.isEmpty() && !path.equals("/")) {
        return "with protocol grpc it may have no path; write " + scheme + "://host:port";
      }
      return null;
    } catch (URISyntaxException e) {
      return "it is no URL; write http://host:port";
    }
  }

  private boolean isGrpc(String signal) {
    String own = config.getString("otel.exporter.otlp." + signal + ".protocol", "");
    return (own.isBlank() ? config.getString(PROTOCOL, "") : own).strip().equals("grpc");
  }

  private void sampler() {
    String name = config.getString(SAMPLER, "").strip();
    if (!name.isEmpty()
        && !SAMPLERS.contains(name)
        && knowsAllNames
        && !isProvided(
            ConfigurableSamplerProvider.class, ConfigurableSamplerProvider::getName, name)) {
      tell(
          SAMPLER,
          name,
          "there is no such sampler; using parentbased_always_on, which takes all traces. For a"
              + " share of them use parentbased_traceidratio with "
              + SAMPLER_ARG);
      corrected.put(SAMPLER, "parentbased_always_on");
    } else if (name.endsWith("traceidratio") && !isRatio(config.getString(SAMPLER_ARG, "1"))) {
      tell(
          SAMPLER_ARG,
          config.getString(SAMPLER_ARG, ""),
          "it is no number in [0, 1]; using 1, which takes all traces");
      corrected.put(SAMPLER_ARG, "1.0");
    }
  }

  private static boolean isRatio(String text) {
    try {
      double ratio = Double.parseDouble(text.strip());
      return text.isBlank() || (ratio >= 0 && ratio <= 1);
    } catch (NumberFormatException e) {
      return text.isBlank();
    }
  }

  private void propagators() {
    String key = "otel.propagators";
    List<String> wanted = new ArrayList<>(config.getList(key));
    List<String> unknown = new ArrayList<>(wanted);
    unknown.removeAll(List.of("tracecontext", "baggage", NONE));
    unknown.removeIf(
        name ->
            !knowsAllNames
                || isProvided(
                    ConfigurablePropagatorProvider.class,
                    ConfigurablePropagatorProvider::getName,
                    name));
    if (unknown.isEmpty()) {
      return;
    }
    wanted.removeAll(unknown);
    String used = wanted.isEmpty() ? "tracecontext,baggage" : String.join(",", wanted);
    tell(
        key,
        String.join(",", unknown),
        "there is no such propagator; using "
            + used
            + ". Known are tracecontext, baggage, b3,"
            + " b3multi, jaeger, ottrace, xray and none");
    corrected.put(key, used);
  }

  private void choice(String key, List<String> values) {
    String given = config.getString(key, "").strip();
    if (!given.isEmpty() && !values.contains(given.toLowerCase(Locale.ROOT))) {
      tell(key, given, "it must be " + String.join(" or ", values) + "; using " + values.get(0));
      corrected.put(key, values.get(0));
    }
  }

  private void typed(String key, BiConsumer<ConfigProperties, String> read, String wanted) {
    try {
      read.accept(config, key);
    } catch (ConfigurationException e) {
      // The value of headers and attributes is not shown: keys of collectors stand there.
      boolean isSecret = MAPS.contains(key);
      tell(
          key,
          isSecret ? null : config.getString(key, ""),
          "it is not " + wanted + "; using the default");
      corrected.put(key, "");
    }
  }

  private boolean isBlank(String key) {
    return config.getString(key, "").isBlank();
  }

  private void tell(String key, @Nullable String value, String what) {
    problems.accept(
        key
            + (value == null ? "" : "=" + Printable.shortLine(value))
            + " ("
            + key.toUpperCase(Locale.ROOT).replace('.', '_')
            + "): "
            + what);
  }
}
