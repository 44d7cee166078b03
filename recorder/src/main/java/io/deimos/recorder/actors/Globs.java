// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import java.util.List;

/** Names with {@code *} in them, which stands for any number of letters. */
public final class Globs {
  private Globs() {}

  public static boolean anyMatches(List<String> globs, String name) {
    for (String glob : globs) {
      if (matches(glob, name, 0, name.length())) {
        return true;
      }
    }
    return false;
  }

  /** {@link #matchesClass} for any of them. */
  public static boolean anyMatchesClass(List<String> globs, String name) {
    for (String glob : globs) {
      if (matchesClass(glob, name)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a class has that name: the full one, or, as spans and the page have it, the one without
   * the package; and with {@code .} or {@code $} before the name of a nested class.
   */
  public static boolean matchesClass(String glob, String name) {
    return matches(glob, name, 0, name.length(), true)
        || matches(glob, name, name.lastIndexOf('.') + 1, name.length(), true);
  }

  /**
   * Whether {@code text} from {@code from} up to {@code to} fits; goes back at most to the last
   * star.
   */
  public static boolean matches(String glob, String text, int from, int to) {
    return matches(glob, text, from, to, false);
  }

  private static boolean matches(String glob, String text, int from, int to, boolean ofClass) {
    int g = 0;
    int t = from;
    int star = -1;
    int retry = from;
    while (t < to) {
      if (g < glob.length() && glob.charAt(g) == '*') {
        star = g++;
        retry = t;
      } else if (g < glob.length()
          && (glob.charAt(g) == text.charAt(t)
              || (ofClass && glob.charAt(g) == '.' && text.charAt(t) == '$'))) {
        g++;
        t++;
      } else if (star >= 0) {
        g = star + 1;
        t = ++retry;
      } else {
        return false;
      }
    }
    while (g < glob.length() && glob.charAt(g) == '*') {
      g++;
    }
    return g == glob.length();
  }
}
