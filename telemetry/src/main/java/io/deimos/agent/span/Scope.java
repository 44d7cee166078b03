// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.span;

import io.opentelemetry.api.logs.Logger;
import io.opentelemetry.api.logs.LoggerProvider;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The instrumentation scope of all our spans and metrics: its name, version and conventions. */
public final class Scope {
  private static final String NAME = "io.deimos.pekko";

  /** Version of the semantic conventions from which the names are taken that are not our own. */
  private static final String SCHEMA_URL = "https://opentelemetry.io/schemas/1.37.0";

  /** The version of Deimos. */
  public static final String VERSION = version();

  public static final InstrumentationScopeInfo INFO =
      InstrumentationScopeInfo.builder(NAME).setVersion(VERSION).setSchemaUrl(SCHEMA_URL).build();

  private Scope() {}

  /** The meter of all our instruments. */
  public static Meter meter(MeterProvider provider) {
    return provider
        .meterBuilder(NAME)
        .setInstrumentationVersion(VERSION)
        .setSchemaUrl(SCHEMA_URL)
        .build();
  }

  /** The logger of all our records. */
  static Logger logger(LoggerProvider provider) {
    return provider
        .loggerBuilder(NAME)
        .setInstrumentationVersion(VERSION)
        .setSchemaUrl(SCHEMA_URL)
        .build();
  }

  private static String version() {
    try (InputStream in = Scope.class.getResourceAsStream("version.properties")) {
      Properties properties = new Properties();
      if (in != null) {
        properties.load(in);
      }
      return properties.getProperty("version", "unknown");
    } catch (IOException | IllegalArgumentException e) {
      return "unknown";
    }
  }
}
