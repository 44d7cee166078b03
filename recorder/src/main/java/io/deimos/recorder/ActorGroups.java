// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Groups of actors by pattern of path: {@code *} stands for any part of one element of a path,
 * {@code **} at the end for any elements below. The first pattern that fits is the group.
 * Immutable.
 */
final class ActorGroups {
  /** The group of an actor that is in none. */
  static final String NONE = "";

  private final List<String> names;
  private final List<Pattern> patterns = new ArrayList<>();

  ActorGroups(List<String> names) {
    this.names = List.copyOf(names);
    names.forEach(name -> patterns.add(pattern(name)));
  }

  private static Pattern pattern(String name) {
    boolean below = name.endsWith("/**");
    String[] parts = (below ? name.substring(0, name.length() - 3) : name).split("\\*", -1);
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < parts.length; i++) {
      regex.append(i == 0 ? "" : "[^/]*").append(Pattern.quote(parts[i]));
    }
    return Pattern.compile(regex + (below ? "/.*" : ""));
  }

  /**
   * The pattern that a path fits.
   *
   * @param path {@code pekko://system/user/a}; asked for its text only if there are groups
   */
  String of(Object path) {
    if (names.isEmpty()) {
      return NONE;
    }
    String text = path.toString();
    int system = text.indexOf("://");
    int from = system < 0 ? 0 : text.indexOf('/', system + 3);
    String below = from < 0 ? "/" : text.substring(from);
    for (int i = 0; i < names.size(); i++) {
      if (patterns.get(i).matcher(below).matches()) {
        return names.get(i);
      }
    }
    return NONE;
  }
}
