// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueFactory;
import io.deimos.agent.settings.Key;
import io.deimos.agent.settings.Settings;
import io.deimos.agent.settings.ValueType;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a preset on one setting. It knows what holds below the preset, so that a limit is
 * never made weaker than the one that somebody has set.
 *
 * @param rule {@code set}, {@code at most}, or {@code add} to a table
 * @param value as the page shows it
 * @param over the value to give over these settings; null if what they have will do
 */
record PresetRule(
    Key<?> key, String rule, String value, Function<Settings, @Nullable String> over) {
  /** This value, whatever it is otherwise. */
  static PresetRule set(Key<?> key, String value) {
    return new PresetRule(key, "set", value, any -> value);
  }

  /** At most this; a zero stands for no limit. */
  static PresetRule atMost(Key<Double> key, double most) {
    String value = ValueType.show(most);
    return new PresetRule(
        key,
        "at most",
        value,
        below -> below.get(key) > 0 && below.get(key) <= most ? null : value);
  }

  /** At most this; a zero is as low as any. */
  static PresetRule atMostOrNone(Key<Double> key, double most) {
    String value = ValueType.show(most);
    return new PresetRule(key, "at most", value, below -> below.get(key) <= most ? null : value);
  }

  /** At most as long as this; a zero stands for switched off. */
  static PresetRule within(Key<Duration> key, Duration most) {
    String value = ValueType.show(most);
    return new PresetRule(
        key,
        "at most",
        value,
        below -> {
          Duration now = below.get(key);
          return !now.isZero() && now.compareTo(most) <= 0 ? null : value;
        });
  }

  /** One more line of a table, unless it has it. */
  static PresetRule added(Key<Config> key, String line, double number) {
    return new PresetRule(
        key,
        "add",
        "\"" + line + "\" = " + ValueType.show(number),
        below -> {
          Config table = below.get(key);
          return table.root().containsKey(line)
              ? null
              : ValueType.show(
                  table.root().withValue(line, ConfigValueFactory.fromAnyRef(number)).toConfig());
        });
  }
}
