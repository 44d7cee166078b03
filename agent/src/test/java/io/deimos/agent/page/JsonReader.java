// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads JSON strictly into maps, lists, strings, numbers, booleans and null. */
final class JsonReader {
  private final String text;
  private int at;

  private JsonReader(String text) {
    this.text = text;
  }

  static @Nullable Object read(String text) {
    JsonReader reader = new JsonReader(text);
    @Nullable Object value = reader.value();
    if (reader.at != text.length()) {
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

  private @Nullable Object value() {
    char c = text.charAt(at);
    return switch (c) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> literal("true", true);
      case 'f' -> literal("false", false);
      case 'n' -> literal("null", null);
      default -> number();
    };
  }

  private Map<String, Object> object() {
    Map<String, Object> members = new LinkedHashMap<>();
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

  private List<Object> array() {
    List<Object> elements = new ArrayList<>();
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
    while (!isNext('"')) {
      char c = text.charAt(at++);
      if (c < ' ') {
        throw wrong();
      }
      read.append(c == '\\' ? escaped() : c);
    }
    return read.toString();
  }

  private char escaped() {
    char c = text.charAt(at++);
    if (c == 'u') {
      at += 4;
      return (char) Integer.parseInt(text, at - 4, at, 16);
    }
    if ("\"\\/".indexOf(c) < 0) {
      throw wrong();
    }
    return c;
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
    return digits.matches("-?[0-9]+") ? (Object) Long.valueOf(digits) : Double.valueOf(digits);
  }

  private boolean isNext(char c) {
    boolean next = text.charAt(at) == c;
    at += next ? 1 : 0;
    return next;
  }

  private void expect(char c) {
    if (!isNext(c)) {
      throw wrong();
    }
  }

  private IllegalArgumentException wrong() {
    return new IllegalArgumentException("not JSON at " + at + ": " + text);
  }
}
