// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

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

  /**
   * Whether {@code text} from {@code from} up to {@code to} fits; goes back at most to the last
   * star.
   */
  public static boolean matches(String glob, String text, int from, int to) {
    int g = 0;
    int t = from;
    int star = -1;
    int retry = from;
    while (t < to) {
      if (g < glob.length() && glob.charAt(g) == '*') {
        star = g++;
        retry = t;
      } else if (g < glob.length() && glob.charAt(g) == text.charAt(t)) {
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
