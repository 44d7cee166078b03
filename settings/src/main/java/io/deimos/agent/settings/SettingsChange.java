// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValueFactory;
import io.deimos.agent.log.Printable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A wish of somebody at the page or the command line for the settings: one thing at a time. */
public sealed interface SettingsChange {
  /**
   * One setting.
   *
   * @param value null to take back what was set so
   * @param during after which it goes back by itself; null for never
   */
  record Set(String key, @Nullable String value, @Nullable Duration during)
      implements SettingsChange {}

  /**
   * A preset begins.
   *
   * @param during after which it ends by itself; null for as long as it says itself
   */
  record Begin(String preset, @Nullable Duration during) implements SettingsChange {}

  /**
   * A change ends before its time.
   *
   * @param which its number, or the name of a preset
   */
  record End(String which) implements SettingsChange {}

  /** How long a change may hold. */
  ValueType<Duration> DURING = ValueType.duration(Duration.ofSeconds(1), Duration.ofDays(1));

  /**
   * Reads for how long a change holds; null for nothing.
   *
   * @throws IllegalArgumentException with a sentence that says what it has to be
   */
  static @Nullable Duration during(String text) {
    if (text.isEmpty()) {
      return null;
    }
    try {
      return DURING.parse().apply(ConfigValueFactory.fromAnyRef(text));
    } catch (ConfigException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "for="
              + Printable.shortLine(text)
              + DURING.refusal(e)
              + (e instanceof ConfigException ? ", such as 30s, 5m or 1h" : ""));
    }
  }
}
