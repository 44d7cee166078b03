// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.settings;

import com.typesafe.config.Config;
import java.util.List;
import java.util.Objects;

/** Settings of Pekko that are for sockets which this transport does not have. */
public final class UnusedSettings {
  static final List<String> SECTIONS =
      List.of("pekko.io.tcp", "pekko.remote.artery.advanced.aeron");

  private UnusedSettings() {}

  /** Those that somebody has set, sorted: they have another value than by default. */
  public static List<String> of(Config configuration, Config defaults) {
    return SECTIONS.stream()
        .filter(configuration::hasPath)
        .flatMap(
            section ->
                configuration.getConfig(section).entrySet().stream()
                    .map(entry -> section + "." + entry.getKey()))
        .filter(key -> !Objects.equals(value(configuration, key), value(defaults, key)))
        .sorted()
        .toList();
  }

  private static Object value(Config config, String key) {
    return config.hasPath(key) ? config.getValue(key).unwrapped() : "";
  }
}
