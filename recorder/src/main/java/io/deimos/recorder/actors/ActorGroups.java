// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import java.util.List;

/**
 * Groups of actors by pattern of path: {@code *} stands for any part of one element of a path,
 * {@code **} at the end for any elements below. The first pattern that fits is the group.
 * Immutable.
 */
public final class ActorGroups {
  /** The group of an actor that is in none. */
  public static final String NONE = "";

  private final List<String> names;
  private final List<PathPattern> patterns;

  public ActorGroups(List<String> names) {
    this.names = List.copyOf(names);
    this.patterns = names.stream().map(name -> new PathPattern(name, false)).toList();
  }

  /**
   * The pattern that a path fits.
   *
   * @param path {@code pekko://system/user/a}; asked for its text only if there are groups
   */
  public String of(Object path) {
    if (names.isEmpty()) {
      return NONE;
    }
    String text = path.toString();
    for (int i = 0; i < names.size(); i++) {
      if (patterns.get(i).matches(text)) {
        return names.get(i);
      }
    }
    return NONE;
  }
}
