// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.launch;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@code -javaagent:deimos.jar=page.port=9800,tracing.asks=off}: settings, with or
 * without {@code deimos.} before them, and those of OpenTelemetry that begin with {@code otel.}.
 * They become system properties, unless these are set already.
 */
@SuppressWarnings("SystemOut") // too early for any logging
final class Options {
  private static final String OURS = "deimos.";
  private static final String OTEL = "otel.";

  private Options() {}

  static void set(@Nullable String arguments) {
    for (Map.Entry<String, String> option : parse(arguments).entrySet()) {
      if (System.getProperty(option.getKey()) == null) {
        System.setProperty(option.getKey(), option.getValue());
      }
    }
  }

  /** By the names of the properties. A part without {@code =} belongs to the list before it. */
  static Map<String, String> parse(@Nullable String arguments) {
    Map<String, String> options = new LinkedHashMap<>();
    String last = null;
    for (String option : (arguments == null ? "" : arguments).split("[,;]", -1)) {
      int equals = option.indexOf('=');
      if (equals > 0) {
        String key = option.substring(0, equals).trim();
        last = key.startsWith(OURS) || key.startsWith(OTEL) ? key : OURS + key;
        options.put(last, option.substring(equals + 1));
      } else if (last != null) {
        options.put(last, options.get(last) + "," + option);
      } else if (!option.trim().isEmpty()) {
        System.err.println(
            "deimos: the option \""
                + option.replaceAll("[^ -~]", "?")
                + "\" of -javaagent:deimos.jar is not key=value; it is ignored. Write"
                + " -javaagent:deimos.jar=page.port=9800, or -Ddeimos.page.port=9800");
      }
    }
    return options;
  }
}
