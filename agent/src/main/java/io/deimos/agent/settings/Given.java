// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigValue;
import org.jspecify.annotations.Nullable;

/**
 * One setting as somebody gave it.
 *
 * @param name the name in the giver's spelling
 * @param value what was given
 * @param place where it stands, if not in a system property or variable of that name
 */
record Given(String name, ConfigValue value, @Nullable String place) {
  /** How messages name it: {@code deimos.page.port=x}, and where that stands. */
  String shown() {
    return name
        + "="
        + (value.unwrapped() instanceof String text ? text : value.render(Rendering.ONE_LINE))
        + (place == null ? "" : " (" + place + ")");
  }

  /** The file and the line that a value comes from, as far as they are known. */
  static String place(ConfigOrigin origin, String otherwise) {
    String file = origin.filename() != null ? origin.filename() : origin.resource();
    if (file == null) {
      return otherwise;
    }
    String name = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
    return origin.lineNumber() > 0 ? name + ": " + origin.lineNumber() : name;
  }
}
