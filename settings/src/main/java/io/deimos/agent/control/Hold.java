// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueFactory;
import io.deimos.agent.settings.Key;
import io.deimos.agent.settings.Kind;
import io.deimos.agent.settings.Settings;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a preset makes of one setting. It knows what holds below the preset, so that a limit is
 * never made weaker than the one that somebody has set.
 *
 * @param rule {@code set}, {@code at most}, or {@code add} to a table
 * @param value as the page shows it
 * @param over the value to give over these settings; null if what they have will do
 */
record Hold(Key<?> key, String rule, String value, Function<Settings, @Nullable String> over) {
  /** This value, whatever it is otherwise. */
  static Hold set(Key<?> key, String value) {
    return new Hold(key, "set", value, any -> value);
  }

  /** At most this; a zero stands for no limit. */
  static Hold atMost(Key<Double> key, double most) {
    String value = Kind.show(most);
    return new Hold(
        key,
        "at most",
        value,
        below -> below.get(key) > 0 && below.get(key) <= most ? null : value);
  }

  /** At most this; a zero is as low as any. */
  static Hold atMostOrNone(Key<Double> key, double most) {
    String value = Kind.show(most);
    return new Hold(key, "at most", value, below -> below.get(key) <= most ? null : value);
  }

  /** At most as long as this; a zero stands for switched off. */
  static Hold within(Key<Duration> key, Duration most) {
    String value = Kind.show(most);
    return new Hold(
        key,
        "at most",
        value,
        below -> {
          Duration now = below.get(key);
          return !now.isZero() && now.compareTo(most) <= 0 ? null : value;
        });
  }

  /** One more line of a table, unless it has it. */
  static Hold added(Key<Config> key, String line, double number) {
    return new Hold(
        key,
        "add",
        "\"" + line + "\" = " + Kind.show(number),
        below -> {
          Config table = below.get(key);
          return table.root().containsKey(line)
              ? null
              : Kind.show(
                  table.root().withValue(line, ConfigValueFactory.fromAnyRef(number)).toConfig());
        });
  }
}
