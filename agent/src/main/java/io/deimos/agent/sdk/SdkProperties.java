// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import io.deimos.agent.start.BootClasses;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The {@code OTEL_*} settings that we give in place of, or beside, the user's. */
public final class SdkProperties {
  private static final String PEKKO_ACTOR = "otel.instrumentation.pekko-actor.enabled";
  private static final String PEKKO_REMOTE = "otel.instrumentation.pekko-remote.enabled";

  /** Read by the agent's own logging when a logger of that package is made. */
  private static final String EXPORTERS_LOG =
      "io.opentelemetry.javaagent.slf4j.simpleLogger.log.io.opentelemetry.exporter.otlp.internal";

  private SdkProperties() {}

  /**
   * The properties to be set.
   *
   * @param replacesUpstream whether the agent's own Pekko modules are to be off
   * @param problems told of settings that cannot be used
   */
  public static Map<String, String> of(
      ConfigProperties config, boolean replacesUpstream, Consumer<String> problems) {
    Map<String, String> ours = new LinkedHashMap<>();
    if (!BootClasses.isExtension()) {
      ours.putAll(OtelSettings.corrected(config, problems, true));
      ours.putAll(ExportDefaults.of(config));
    } else if (replacesUpstream) {
      ours.put(PEKKO_ACTOR, "false");
      ours.put(PEKKO_REMOTE, "false");
    }
    return ours;
  }

  /**
   * What OTLP exporters say of each failure, with a stack each time, is said by {@link
   * io.deimos.agent.export.Outage} in one line. Whoever debugs the agent still sees all.
   */
  static void quietExporters() {
    if (!BootClasses.isExtension()
        && !Boolean.getBoolean("otel.javaagent.debug")
        && !"true".equalsIgnoreCase(System.getenv("OTEL_JAVAAGENT_DEBUG"))
        && System.getProperty(EXPORTERS_LOG) == null) {
      System.setProperty(EXPORTERS_LOG, "off");
    }
  }
}
