// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.lean;

import io.deimos.agent.log.Log;
import io.opentelemetry.javaagent.bootstrap.InternalLogger;
import org.jspecify.annotations.Nullable;

/**
 * The log of OpenTelemetry's SDK and exporters: warnings and errors, each as one line. {@code
 * otel.javaagent.debug} adds the rest, with stacks; {@code otel.javaagent.logging=none} leaves all
 * out.
 */
public final class SdkLog implements InternalLogger {
  /** Settings of single loggers, by which we too keep exporters quiet. */
  private static final String LEVELS = "io.opentelemetry.javaagent.slf4j.simpleLogger.log.";

  private static final boolean DEBUG = isOn("otel.javaagent.debug", "OTEL_JAVAAGENT_DEBUG", "true");
  private static final boolean NONE =
      isOn("otel.javaagent.logging", "OTEL_JAVAAGENT_LOGGING", "none");

  private final String name;
  private final @Nullable Level least;

  private SdkLog(String name) {
    this.name = name;
    this.least = least(name);
  }

  /** Takes the log over; before any class of OpenTelemetry is there. */
  public static void begin() {
    InternalLogger.initialize(SdkLog::new);
  }

  private static boolean isOn(String property, String variable, String value) {
    String given = System.getProperty(property);
    return value.equalsIgnoreCase(given == null ? System.getenv(variable) : given);
  }

  /** The least grave that is not left out; null if all are. */
  private static @Nullable Level least(String logger) {
    if (NONE) {
      return null;
    }
    String of = logger;
    while (!of.isEmpty()) {
      String given = System.getProperty(LEVELS + of);
      if (given != null) {
        return given.equalsIgnoreCase("off") ? null : level(given);
      }
      of = of.substring(0, Math.max(0, of.lastIndexOf('.')));
    }
    return DEBUG ? Level.DEBUG : Level.WARN;
  }

  private static Level level(String name) {
    for (Level level : Level.values()) {
      if (level.name().equalsIgnoreCase(name)) {
        return level;
      }
    }
    return Level.WARN;
  }

  @Override
  public boolean isLoggable(Level level) {
    return least != null && level.compareTo(least) <= 0; // the gravest is the first
  }

  @Override
  public void log(Level level, String message, @Nullable Throwable error) {
    if (isLoggable(level)) {
      Log.line(
          "OpenTelemetry's "
              + name.substring(name.lastIndexOf('.') + 1)
              + " says: "
              + message
              + (error == null ? "" : " (" + error + ")"));
      if (DEBUG && error != null) {
        error.printStackTrace();
      }
    }
  }

  @Override
  public String name() {
    return name;
  }
}
