// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON into maps, lists, strings, doubles, booleans and null. */
final class PlainJson {
  private static final int MAX_DEPTH = 100;

  private final String text;
  private int at;
  private int depth;

  private PlainJson(String text) {
    this.text = text;
  }

  /**
   * Reads one value.
   *
   * @throws IllegalArgumentException if the text is no JSON
   */
  static @Nullable Object read(String text) {
    PlainJson json = new PlainJson(text);
    @Nullable Object value = json.value();
    if (json.next() != 0) {
      throw json.wrong();
    }
    return value;
  }

  @SuppressWarnings("unchecked")
  static Map<String, @Nullable Object> object(@Nullable Object value) {
    if (!(value instanceof Map)) {
      throw new IllegalArgumentException("its answer is no JSON object");
    }
    return (Map<String, @Nullable Object>) value;
  }

  /** An empty list for what is none. */
  @SuppressWarnings("unchecked")
  static List<@Nullable Object> list(@Nullable Object value) {
    return value instanceof List
        ? (List<@Nullable Object>) value
        : new ArrayList<@Nullable Object>();
  }

  /** The character that comes next, blanks left out; 0 at the end. */
  private char next() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return at < text.length() ? text.charAt(at) : 0;
  }

  private @Nullable Object value() {
    if (++depth > MAX_DEPTH) {
      throw wrong();
    }
    try {
      switch (next()) {
        case '{':
          return map();
        case '[':
          return list();
        case '"':
          return string();
        case 't':
          return word("true", Boolean.TRUE);
        case 'f':
          return word("false", Boolean.FALSE);
        case 'n':
          return word("null", null);
        default:
          return number();
      }
    } finally {
      depth--;
    }
  }

  private Map<String, @Nullable Object> map() {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    at++;
    while (next() != '}') {
      String key = string();
      take(':');
      map.put(key, value());
      if (next() != '}') {
        take(',');
      }
    }
    at++;
    return map;
  }

  private List<@Nullable Object> list() {
    List<@Nullable Object> list = new ArrayList<>();
    at++;
    while (next() != ']') {
      list.add(value());
      if (next() != ']') {
        take(',');
      }
    }
    at++;
    return list;
  }

  private void take(char wanted) {
    if (next() != wanted) {
      throw wrong();
    }
    at++;
  }

  private String string() {
    take('"');
    StringBuilder string = new StringBuilder();
    while (at < text.length() && text.charAt(at) != '"') {
      char c = text.charAt(at++);
      string.append(c == '\\' ? escaped() : c);
    }
    take('"');
    return string.toString();
  }

  private char escaped() {
    char c = at < text.length() ? text.charAt(at++) : 0;
    if (c == 'u') {
      if (at + 4 > text.length()) {
        throw wrong();
      }
      at += 4;
      try {
        return (char) Integer.parseInt(text.substring(at - 4, at), 16);
      } catch (NumberFormatException e) {
        throw wrong();
      }
    }
    int known = "nrtbf".indexOf(c);
    return known >= 0 ? "\n\r\t\b\f".charAt(known) : c;
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw wrong();
    }
    at += word.length();
    return value;
  }

  private Double number() {
    int from = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    try {
      return Double.valueOf(text.substring(from, at));
    } catch (NumberFormatException e) {
      throw wrong();
    }
  }

  private IllegalArgumentException wrong() {
    return new IllegalArgumentException("its answer is no JSON at character " + at);
  }
}
