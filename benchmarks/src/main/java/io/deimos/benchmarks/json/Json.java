// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.json;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes and reads JSON of maps, lists, strings, numbers and booleans; {@code null} is refused both
 * ways.
 *
 * <p>It exists so that the programs under test carry no library that an agent might instrument.
 */
public final class Json {
  private final String text;
  private int position;

  private Json(String text) {
    this.text = text;
  }

  /** Returns {@code value} on one line; members keep the map's order. */
  public static String write(Object value) {
    StringBuilder out = new StringBuilder();
    append(out, value);
    return out.toString();
  }

  /** Returns the object that {@code text} is; numbers become {@code Double}. */
  public static Map<String, Object> parseObject(String text) {
    Json parser = new Json(text);
    parser.skipSpace();
    Map<String, Object> object = parser.object();
    parser.skipSpace();
    if (parser.position != text.length()) {
      throw parser.unexpected();
    }
    return object;
  }

  /** Returns {@code value} with at most {@code digits} decimals, for a result that people read. */
  public static double round(double value, int digits) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("not a finite number: " + value);
    }
    return BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP).doubleValue();
  }

  private static void append(StringBuilder out, Object value) {
    if (value instanceof Map<?, ?> map) {
      out.append('{');
      String separator = "";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.append(separator);
        appendString(out, String.valueOf(entry.getKey()));
        out.append(':');
        append(out, entry.getValue());
        separator = ",";
      }
      out.append('}');
    } else if (value instanceof List<?> list) {
      out.append('[');
      String separator = "";
      for (Object element : list) {
        out.append(separator);
        append(out, element);
        separator = ",";
      }
      out.append(']');
    } else if (value instanceof CharSequence) {
      appendString(out, value.toString());
    } else if (value instanceof Double || value instanceof Float) {
      appendDecimal(out, ((Number) value).doubleValue());
    } else if (value instanceof Number || value instanceof Boolean) {
      out.append(value);
    } else {
      throw new IllegalArgumentException("cannot be written as JSON: " + value);
    }
  }

  private static void appendDecimal(StringBuilder out, double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("cannot be written as JSON: " + value);
    }
    BigDecimal decimal = BigDecimal.valueOf(value).stripTrailingZeros();
    out.append(decimal.toPlainString());
  }

  private static void appendString(StringBuilder out, String value) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < ' ') {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  private Object value() {
    skipSpace();
    char c = peek();
    if (c == '{') {
      return object();
    }
    if (c == '[') {
      return array();
    }
    if (c == '"') {
      return string();
    }
    if (text.startsWith("true", position)) {
      position += 4;
      return true;
    }
    if (text.startsWith("false", position)) {
      position += 5;
      return false;
    }
    return number();
  }

  private Map<String, Object> object() {
    Map<String, Object> members = new LinkedHashMap<>();
    expect('{');
    skipSpace();
    if (peek() == '}') {
      position++;
      return members;
    }
    while (true) {
      skipSpace();
      String key = string();
      skipSpace();
      expect(':');
      members.put(key, value());
      skipSpace();
      if (peek() == '}') {
        position++;
        return members;
      }
      expect(',');
    }
  }

  private List<Object> array() {
    List<Object> elements = new ArrayList<>();
    expect('[');
    skipSpace();
    if (peek() == ']') {
      position++;
      return elements;
    }
    while (true) {
      elements.add(value());
      skipSpace();
      if (peek() == ']') {
        position++;
        return elements;
      }
      expect(',');
    }
  }

  private String string() {
    expect('"');
    StringBuilder out = new StringBuilder();
    while (true) {
      char c = next();
      if (c == '"') {
        return out.toString();
      }
      out.append(c == '\\' ? escaped() : c);
    }
  }

  private char escaped() {
    char c = next();
    return switch (c) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> {
        if (position + 4 > text.length()) {
          throw unexpected();
        }
        position += 4;
        yield (char) Integer.parseInt(text.substring(position - 4, position), 16);
      }
      default -> c;
    };
  }

  private Double number() {
    int start = position;
    while (position < text.length() && "+-.eE0123456789".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
    if (start == position) {
      throw unexpected();
    }
    return Double.valueOf(text.substring(start, position));
  }

  private void skipSpace() {
    while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
  }

  private char peek() {
    if (position >= text.length()) {
      throw unexpected();
    }
    return text.charAt(position);
  }

  private char next() {
    char c = peek();
    position++;
    return c;
  }

  private void expect(char c) {
    if (peek() != c) {
      throw unexpected();
    }
    position++;
  }

  private IllegalArgumentException unexpected() {
    return new IllegalArgumentException("not JSON at character " + position + ": " + text);
  }
}
