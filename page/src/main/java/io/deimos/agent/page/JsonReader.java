// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON strictly into maps, lists, strings, numbers, booleans and null. Whole numbers are
 * {@link Long}, if they are no greater than that, all others {@link Double}.
 */
final class JsonReader {
  private static final int MAX_DEPTH = 100;

  private final String text;
  private int at;
  private int depth;

  private JsonReader(String text) {
    this.text = text;
  }

  /**
   * Reads one value.
   *
   * @throws IllegalArgumentException if the text is no JSON, or is nested too deeply
   */
  static @Nullable Object read(String text) {
    JsonReader reader = new JsonReader(text);
    @Nullable Object value = reader.value();
    if (reader.next() != 0 || reader.at != text.length()) {
      throw reader.wrong();
    }
    return value;
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> object(@Nullable Object value) {
    return (Map<String, Object>) Objects.requireNonNull(value);
  }

  @SuppressWarnings("unchecked")
  static List<Object> array(@Nullable Object value) {
    return (List<Object>) Objects.requireNonNull(value);
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
    @Nullable Object value =
        switch (next()) {
          case '{' -> object();
          case '[' -> array();
          case '"' -> string();
          case 't' -> literal("true", true);
          case 'f' -> literal("false", false);
          case 'n' -> literal("null", null);
          default -> number();
        };
    depth--;
    return value;
  }

  private Map<String, @Nullable Object> object() {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    at++;
    while (!isNext('}')) {
      if (!members.isEmpty()) {
        expect(',');
      }
      String name = string();
      expect(':');
      if (members.containsKey(name)) {
        throw wrong();
      }
      members.put(name, value());
    }
    return members;
  }

  private List<@Nullable Object> array() {
    List<@Nullable Object> elements = new ArrayList<>();
    at++;
    while (!isNext(']')) {
      if (!elements.isEmpty()) {
        expect(',');
      }
      elements.add(value());
    }
    return elements;
  }

  private String string() {
    expect('"');
    StringBuilder read = new StringBuilder();
    while (true) {
      char c = take();
      if (c == '"') {
        return read.toString();
      }
      if (c < ' ') {
        throw wrong();
      }
      read.append(c == '\\' ? escaped() : c);
    }
  }

  private char take() {
    if (at >= text.length()) {
      throw wrong();
    }
    return text.charAt(at++);
  }

  private char escaped() {
    char c = take();
    if (c == 'u') {
      int code = 0;
      for (int i = 0; i < 4; i++) {
        int digit = Character.digit(take(), 16);
        if (digit < 0) {
          throw wrong();
        }
        code = code << 4 | digit;
      }
      return (char) code;
    }
    int known = "\"\\/bfnrt".indexOf(c);
    if (known < 0) {
      throw wrong();
    }
    return "\"\\/\b\f\n\r\t".charAt(known);
  }

  private @Nullable Object literal(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw wrong();
    }
    at += word.length();
    return value;
  }

  private Object number() {
    int from = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    String digits = text.substring(from, at);
    try {
      return digits.matches("-?[0-9]{1,18}")
          ? (Object) Long.valueOf(digits)
          : Double.valueOf(digits);
    } catch (NumberFormatException e) {
      throw wrong();
    }
  }

  private boolean isNext(char c) {
    boolean next = next() == c;
    at += next ? 1 : 0;
    return next;
  }

  private void expect(char c) {
    if (!isNext(c)) {
      throw wrong();
    }
  }

  private IllegalArgumentException wrong() {
    return new IllegalArgumentException("no JSON at character " + at);
  }
}
