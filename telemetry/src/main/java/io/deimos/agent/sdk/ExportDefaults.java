// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where telemetry goes. OpenTelemetry's default is an endpoint on this machine; ours is nowhere but
 * the page, signal by signal, until the user names an exporter or an endpoint.
 */
public final class ExportDefaults {
  private static final String[] SIGNALS = {"traces", "metrics", "logs"};
  private static final String ENDPOINT = "otel.exporter.otlp.endpoint";

  private ExportDefaults() {}

  /** The properties to be added: {@code none} for each signal that nothing is said about. */
  public static Map<String, String> of(ConfigProperties config) {
    Map<String, String> defaults = new LinkedHashMap<>();
    for (String signal : SIGNALS) {
      if (isUnset(config, exporter(signal))
          && isUnset(config, ENDPOINT)
          && isUnset(config, endpoint(signal))) {
        defaults.put(exporter(signal), "none");
      }
    }
    return defaults;
  }

  /** How the page and the messages name the exporter of spans; null if there is none. */
  public static @Nullable String spanTarget(ConfigProperties config) {
    String exporter = config.getString(exporter("traces"));
    if (exporter == null || exporter.isBlank()) {
      exporter = "otlp";
    }
    if (exporter.equals("none")) {
      return null;
    }
    if (!exporter.contains("otlp")) {
      return exporter;
    }
    String endpoint = config.getString(endpoint("traces"));
    if (endpoint == null || endpoint.isBlank()) {
      endpoint = config.getString(ENDPOINT);
    }
    if (endpoint == null || endpoint.isBlank()) {
      boolean grpc = "grpc".equals(config.getString("otel.exporter.otlp.protocol"));
      endpoint = "http://localhost:" + (grpc ? "4317" : "4318");
    }
    return exporter + " " + withoutSecrets(endpoint);
  }

  /** An endpoint as it may be shown: without user, password, query and fragment. */
  static String withoutSecrets(String endpoint) {
    String shown = endpoint.replaceFirst("[?#].*", "");
    int host = shown.indexOf("://") + 3;
    int path = host < 3 ? -1 : shown.indexOf('/', host);
    String authority = host < 3 ? shown : shown.substring(host, path < 0 ? shown.length() : path);
    int at = authority.lastIndexOf('@');
    return at < 0 ? shown : shown.replace(authority.substring(0, at + 1), "");
  }

  private static String exporter(String signal) {
    return "otel." + signal + ".exporter";
  }

  private static String endpoint(String signal) {
    return "otel.exporter.otlp." + signal + ".endpoint";
  }

  private static boolean isUnset(ConfigProperties config, String key) {
    String value = config.getString(key);
    return value == null || value.isBlank();
  }
}
