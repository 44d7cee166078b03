// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigValue;
import io.deimos.agent.log.Printable;
import org.jspecify.annotations.Nullable;

/**
 * One setting as somebody gave it.
 *
 * @param name the name in the giver's spelling
 * @param value what was given
 * @param place where it stands, if not in a system property or variable of that name
 */
public record Given(String name, ConfigValue value, @Nullable String place) {
  /** How messages name it: {@code deimos.page.port=x}, and where that stands. */
  public String shown() {
    String text =
        value.unwrapped() instanceof String plain ? plain : value.render(Rendering.ONE_LINE);
    return name + "=" + Printable.shortLine(text) + where();
  }

  /** Its name alone: the value of what is no setting of ours may be somebody's secret. */
  String named() {
    return Printable.shortLine(name) + where();
  }

  private String where() {
    return place == null ? "" : " (" + place + ")";
  }

  /** Where a value within a setting stands, as messages have it behind a name; empty if unknown. */
  public static String at(ConfigValue value) {
    String place = place(value.origin(), "");
    return place.isEmpty() ? "" : " (" + place + ")";
  }

  /** The file and the line that a value comes from, as far as they are known. */
  static String place(ConfigOrigin origin, String otherwise) {
    String file = origin.filename() != null ? origin.filename() : origin.resource();
    if (file == null) {
      // Text that was parsed under a name says that name and the line.
      return origin.description().startsWith(otherwise + ": ") ? origin.description() : otherwise;
    }
    String name = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
    return origin.lineNumber() > 0 ? name + ": " + origin.lineNumber() : name;
  }
}
