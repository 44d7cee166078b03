// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One setting as the page shows it.
 *
 * @param source where its value comes from, in a few words
 * @param mayChange whether the page can change it now
 * @param isChanged whether it is set on the page, by itself or by a preset
 * @param preset the preset that its value comes from; empty if from none
 * @param leftMillis until its value goes back by itself; null for never
 */
public record SettingLine(
    Key<?> key,
    String value,
    String source,
    boolean mayChange,
    boolean isChanged,
    String preset,
    @Nullable Long leftMillis) {
  public String name() {
    return key.name();
  }

  public String otherwise() {
    return ValueType.show(key.otherwise());
  }

  public String wanted() {
    return key.type().wanted();
  }

  /** All the values there are, if they are few. */
  public List<String> choices() {
    if (key.otherwise() instanceof Boolean) {
      return List.of("true", "false");
    }
    return key.otherwise() instanceof Enum<?> one
        ? Arrays.stream(one.getDeclaringClass().getEnumConstants()).map(ValueType::show).toList()
        : List.of();
  }

  public String does() {
    return KeyText.of(key).does();
  }

  public String costs() {
    return KeyText.of(key).costs();
  }
}
