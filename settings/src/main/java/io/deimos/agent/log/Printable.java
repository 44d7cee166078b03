// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.log;

import java.util.Locale;

/**
 * Makes text safe to print on one line. Values, actor names and exception messages come from
 * outside: a line feed in them would forge a log line, an escape would steer a terminal, and a
 * bidirectional override would show a line in another order than it has.
 */
public final class Printable {
  private static final int SHORT = 200;

  private Printable() {}

  /**
   * The text with everything that does not print written as an escape, {@code \n} or {@code
   * \u001b}.
   */
  public static String line(String text) {
    int at = 0;
    while (at < text.length() && isPlain(text.charAt(at))) {
      at++;
    }
    if (at == text.length()) {
      return text;
    }
    StringBuilder line = new StringBuilder(text.length() + 16).append(text, 0, at);
    for (; at < text.length(); at++) {
      char c = text.charAt(at);
      if (isPlain(c)) {
        line.append(c);
      } else {
        line.append(escaped(c));
      }
    }
    return line.toString();
  }

  /** As {@link #line}, cut after 200 characters. */
  public static String shortLine(String text) {
    return text.length() <= SHORT
        ? line(text)
        : line(text.substring(0, SHORT)) + "… (" + text.length() + " characters)";
  }

  /** Whether a character prints as itself and moves nothing around it. */
  public static boolean isPlain(char c) {
    if (c < 0x7F) {
      return c >= ' ';
    }
    return c >= 0xA0 && !isBidiControl(c) && c != '\u2028' && c != '\u2029' && c != '\uFEFF';
  }

  private static boolean isBidiControl(char c) {
    return c == '\u061C'
        || c == '\u200E'
        || c == '\u200F'
        || (c >= '\u202A' && c <= '\u202E')
        || (c >= '\u2066' && c <= '\u2069');
  }

  private static String escaped(char c) {
    return switch (c) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> String.format(Locale.ROOT, "\\u%04x", (int) c);
    };
  }
}
