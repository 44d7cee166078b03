// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.deimos.agent.log.Printable;
import io.deimos.agent.settings.ConfigurationFile;
import io.deimos.recorder.base.Faults;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfiguration;
import io.opentelemetry.sdk.autoconfigure.spi.internal.ComponentProvider;
import io.opentelemetry.sdk.logs.LogRecordProcessor;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Looks at OpenTelemetry's configuration file before the SDK does, which throws at the first value
 * that it cannot use, and then there is no agent at all. A reason for which OpenTelemetry would
 * throw is the reason to leave the file alone: a value that does not fit the model of the file, a
 * name of an exporter, processor, reader, propagator or sampler that there is not, an endpoint, a
 * ratio.
 */
public final class ConfigurationCheck {
  /** An element of the path in what the model's reader says: {@code ["key"]} or {@code [0]}. */
  private static final Pattern STEP = Pattern.compile("\\[(?:\"([^\"]+)\"|(\\d+))\\]");

  /** Keys of collectors stand there. */
  private static final Pattern MAY_BE_SECRET = Pattern.compile("header|attribute");

  private static final String CHAIN = "(through reference chain:";
  private static final Pattern FORMAT = Pattern.compile("0\\.4|1\\..+");

  private static final Set<String> SAMPLERS =
      Set.of("always_on", "always_off", "always_record", "parent_based", "trace_id_ratio_based");
  private static final String RATIO_SAMPLER = "trace_id_ratio_based";
  private static final String PARENT_SAMPLER = "parent_based";

  private final ConfigurationFile file;
  private final Map<Class<?>, Set<String>> names = new HashMap<>();
  private final boolean knowsAllNames;

  private ConfigurationCheck(ConfigurationFile file, boolean knowsAllNames) {
    this.file = file;
    this.knowsAllNames = knowsAllNames;
  }

  /**
   * Why the SDK cannot use a file, with the line and the way out; null if nothing is found.
   *
   * @param knowsAllNames false if classes that we do not see may bring exporters and samplers
   */
  public static @Nullable String refusal(ConfigurationFile file, boolean knowsAllNames) {
    if (file.refusal() != null) {
      return file.refusal();
    }
    try {
      new ConfigurationCheck(file, knowsAllNames).all();
      return null;
    } catch (Refused e) {
      return e.getMessage();
    } catch (LinkageError e) {
      return null; // an SDK that we do not know, and that will say for itself
    }
  }

  /** The mistakes in the file. */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    Refused(String why) {
      super(why);
    }
  }

  private void all() {
    format();
    model();
    if (knowsAllNames) {
      for (ComponentProvider provider :
          ServiceLoader.load(ComponentProvider.class, getClass().getClassLoader())) {
        names.computeIfAbsent(provider.getType(), any -> new TreeSet<>()).add(provider.getName());
      }
    }
    ConfigObject root = file.root();
    for (ConfigValue processor : list(in(root, "tracer_provider", "processors"))) {
      processor(processor, "span processor", SpanProcessor.class, SpanExporter.class);
    }
    for (ConfigValue processor : list(in(root, "logger_provider", "processors"))) {
      processor(
          processor, "log record processor", LogRecordProcessor.class, LogRecordExporter.class);
    }
    for (ConfigValue reader : list(in(root, "meter_provider", "readers"))) {
      reader(reader);
    }
    for (ConfigValue propagator : list(in(root, "propagator", "composite"))) {
      only(propagator, "propagator", Set.of("tracecontext", "baggage"), TextMapPropagator.class);
    }
    sampler(in(root, "tracer_provider", "sampler"));
  }

  private void format() {
    ConfigValue format = file.root().get("file_format");
    String given = format == null ? "" : String.valueOf(format.unwrapped());
    if (format == null || !FORMAT.matcher(given).matches()) {
      throw new Refused(
          (format == null ? "file_format is missing" : at("file_format=" + shown(format), format))
              + "; the SDK knows 1.0 and its successors: write file_format: \"1.2\" as the first"
              + " line");
    }
  }

  /** The SDK's own reading, which makes nothing yet. The model it gives changes with versions. */
  private void model() {
    try {
      Object unused =
          DeclarativeConfiguration.class
              .getMethod("parse", InputStream.class)
              .invoke(null, new ByteArrayInputStream(file.content()));
    } catch (InvocationTargetException e) {
      Throwable cause = e;
      for (Throwable t = e; t != null; t = t.getCause()) {
        cause = t.getMessage() == null ? cause : t;
      }
      throw new Refused(inWords(String.valueOf(cause.getMessage())));
    } catch (ReflectiveOperationException e) {
      Faults.caught(e); // an SDK that we do not know, and that will say for itself
    }
  }

  private String inWords(String said) {
    int chain = said.indexOf(CHAIN);
    String reason = said.strip().lines().findFirst().orElse("").strip();
    if (chain < 0) {
      return said.strip().replaceAll("\\s*\\R\\s*", " ");
    }
    StringBuilder path = new StringBuilder();
    ConfigValue value = file.root();
    ConfigValue known = value;
    Matcher step = STEP.matcher(said.substring(chain));
    while (step.find()) {
      String key = step.group(1);
      if (key == null) {
        path.append('[').append(step.group(2)).append(']');
        int index = Integer.parseInt(step.group(2));
        value = value instanceof ConfigList l && index < l.size() ? l.get(index) : null;
      } else {
        path.append(path.isEmpty() ? "" : ".").append(key);
        value = value instanceof ConfigObject o ? o.get(key) : null;
      }
      known = value == null ? known : value;
    }
    if (MAY_BE_SECRET.matcher(path).find()) {
      return at(path.toString(), known) + " is not what the SDK reads there";
    }
    String key = path + (value == null ? "" : "=" + shown(value));
    return at(key, known) + " is not what the SDK reads there: " + reason;
  }

  private void processor(ConfigValue given, String what, Class<?> type, Class<?> exporter) {
    String kind = only(given, what, Set.of("batch", "simple"), type);
    if (kind.equals("batch") || kind.equals("simple")) {
      exporter(in(given, kind), what, exporter);
    }
  }

  private void reader(ConfigValue given) {
    String kind = only(given, "metric reader", Set.of("periodic", "pull"), MetricReader.class);
    exporter(
        in(given, kind),
        "metric reader",
        kind.equals("pull") ? MetricReader.class : MetricExporter.class);
  }

  private void exporter(@Nullable ConfigValue holder, String what, Class<?> type) {
    ConfigValue exporter = in(holder, "exporter");
    if (exporter == null) {
      throw new Refused(
          at("the " + what, holder == null ? file.root() : holder)
              + " has no exporter; write exporter: below it, and below that the name of one");
    }
    String name = only(exporter, "exporter", Set.of(), type);
    ConfigValue endpoint = in(exporter, name, "endpoint");
    if (endpoint != null && endpoint.unwrapped() != null) {
      String url = String.valueOf(endpoint.unwrapped()).strip();
      String wrong = OtelSettings.wrongWith(url, name.equals("otlp_grpc"));
      if (wrong != null) {
        throw new Refused(
            at("endpoint=" + shown(ExportDefaults.withoutSecrets(url)), endpoint) + ": " + wrong);
      }
    }
  }

  private void sampler(@Nullable ConfigValue given) {
    if (given == null || given.unwrapped() == null) {
      return;
    }
    String name = only(given, "sampler", SAMPLERS, Sampler.class);
    ConfigValue said = in(given, name);
    if (name.equals(RATIO_SAMPLER)) {
      ConfigValue ratio = in(said, "ratio");
      if (ratio != null && !isRatio(String.valueOf(ratio.unwrapped()))) {
        throw new Refused(
            at("ratio=" + shown(ratio), ratio)
                + " is no number in [0, 1]; write the share of traces, such as 0.1");
      }
    } else if (name.equals(PARENT_SAMPLER) && said instanceof ConfigObject parts) {
      parts.values().forEach(this::sampler);
    }
  }

  private static boolean isRatio(String text) {
    try {
      double ratio = Double.parseDouble(text);
      return ratio >= 0 && ratio <= 1;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** The one name below a value, if there is such a component. */
  private String only(ConfigValue given, String what, Set<String> builtIn, Class<?> type) {
    if (!(given instanceof ConfigObject object) || object.size() != 1) {
      throw new Refused(
          at("the " + what, given) + " is not one name with what belongs to it below; write one");
    }
    Map.Entry<String, ConfigValue> only = object.entrySet().iterator().next();
    String name = only.getKey();
    Set<String> provided = names.getOrDefault(type, Set.of());
    if (knowsAllNames
        && !builtIn.contains(name)
        && !provided.contains(name)
        && !name.endsWith("/development")) {
      Set<String> known = new TreeSet<>(builtIn);
      provided.stream().filter(each -> !each.startsWith("deimos")).forEach(known::add);
      throw new Refused(
          at("the " + what + " " + Printable.shortLine(name), only.getValue())
              + " is none that there is; there are "
              + String.join(", ", known));
    }
    return name;
  }

  private static @Nullable ConfigValue in(@Nullable ConfigValue value, String... keys) {
    ConfigValue found = value;
    for (String key : keys) {
      found = found instanceof ConfigObject object ? object.get(key) : null;
    }
    return found;
  }

  private static List<ConfigValue> list(@Nullable ConfigValue value) {
    return value instanceof ConfigList list ? list : List.of();
  }

  private String at(String what, ConfigValue value) {
    return what + " (" + file.place(value) + ")";
  }

  /** A scalar as it was given; of others it is enough to say where they are. */
  private static String shown(Object value) {
    Object plain = value instanceof ConfigValue of ? of.unwrapped() : value;
    return plain instanceof String text ? Printable.shortLine(text) : "…";
  }
}
