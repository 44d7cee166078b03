// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import io.deimos.agent.bootstrap.BootClasses;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The {@code OTEL_*} settings that we give in place of, or beside, the user's. */
public final class SdkProperties {
  private static final String AKKA_ACTOR = "otel.instrumentation.akka-actor.enabled";

  private static final String BY_DEFAULT = "otel.instrumentation.common.default-enabled";

  /** Contexts in thread pools, the application's own spans, log events of actors. */
  private static final List<String> BESIDE_ACTORS =
      List.of(
          "executors",
          "opentelemetry-api",
          "opentelemetry-instrumentation-annotations",
          "logback-appender",
          "log4j-appender",
          "java-util-logging");

  /** Read by the agent's own logging when a logger of that package is made. */
  private static final String EXPORTERS_LOG =
      "io.opentelemetry.javaagent.slf4j.simpleLogger.log.io.opentelemetry.exporter.otlp.internal";

  /** Likewise, of a shutdown that {@link SdkEnd} has done already. */
  private static final String SDK_LOG =
      "io.opentelemetry.javaagent.slf4j.simpleLogger.log.io.opentelemetry.sdk.OpenTelemetrySdk";

  private SdkProperties() {}

  /** Modules of the agent that are on where {@code deimos.instrumentations} is {@code actors}. */
  public static List<String> besideActors() {
    return BESIDE_ACTORS;
  }

  /**
   * The properties to be set.
   *
   * @param replaced the agent's own modules that are to be off
   * @param actorsOnly whether all others are to be off, too, but for what actors need
   * @param problems told of settings that cannot be used
   */
  public static Map<String, String> of(
      ConfigProperties config,
      List<String> replaced,
      boolean actorsOnly,
      Consumer<String> problems) {
    Map<String, String> ours = new LinkedHashMap<>();
    if (actorsOnly) {
      putIfUnset(config, BY_DEFAULT, "false", ours);
      for (String module : BESIDE_ACTORS) {
        putIfUnset(config, "otel.instrumentation." + module + ".enabled", "true", ours);
      }
    }
    replaced.forEach(module -> ours.put("otel.instrumentation." + module + ".enabled", "false"));
    if (config.getString(AKKA_ACTOR) != null) { // for an Akka that Deimos does not know
      ours.remove(AKKA_ACTOR);
    }
    if (!BootClasses.isExtension()) {
      ours.putAll(OtelSettings.corrected(config, problems, true));
      ours.putAll(ExportDefaults.of(config));
    }
    return ours;
  }

  private static void putIfUnset(
      ConfigProperties config, String key, String value, Map<String, String> into) {
    if (config.getString(key) == null) {
      into.put(key, value);
    }
  }

  /**
   * The messages of OTLP exporters on each failure, with a stack each time, are said by {@link
   * io.deimos.agent.export.Outage} in one line. A user who debugs the agent still sees all.
   */
  static void quietExporters() {
    quiet(EXPORTERS_LOG, "off");
  }

  /** As {@link #quietExporters()}, of the SDK's second shutdown. */
  static void quietShutdown() {
    quiet(SDK_LOG, "warn");
  }

  private static void quiet(String logger, String level) {
    if (!BootClasses.isExtension()
        && !Boolean.getBoolean("otel.javaagent.debug")
        && !"true".equalsIgnoreCase(System.getenv("OTEL_JAVAAGENT_DEBUG"))
        && System.getProperty(logger) == null) {
      System.setProperty(logger, level);
    }
  }
}
