// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites a request in OTLP's JSON as the same request in protobuf, so that one reader reads both.
 * Fields that nobody here reads are skipped. What it makes is no longer than what it is given, and
 * nesting has an end.
 */
final class OtlpJson {
  private static final int MAX_DEPTH = 40;

  /** No field that is read has a longer name. */
  private static final int MAX_NAME = 64;

  private enum As {
    TEXT,
    HEX,
    BASE64,
    NUMBER,
    FLAG,
    FIXED_32,
    FIXED_64,
    DOUBLE,
    MESSAGE
  }

  private record Field(int number, As as, @Nullable Message message) {}

  /** The fields of one type of message, by their names in JSON. */
  private static final class Message {
    private final Map<String, Field> fields = new LinkedHashMap<>();

    Message with(String name, int number, As as) {
      fields.put(name, new Field(number, as, null));
      return this;
    }

    Message with(String name, int number, Message message) {
      fields.put(name, new Field(number, As.MESSAGE, message));
      return this;
    }
  }

  private static final Message REQUEST = request();

  private static Message request() {
    Message value = new Message();
    Message values = new Message().with("values", 1, value);
    value
        .with("stringValue", 1, As.TEXT)
        .with("boolValue", 2, As.FLAG)
        .with("intValue", 3, As.NUMBER)
        .with("doubleValue", 4, As.DOUBLE)
        .with("arrayValue", 5, values)
        .with("bytesValue", 7, As.BASE64);
    Message pair = new Message().with("key", 1, As.TEXT).with("value", 2, value);
    Message event =
        new Message()
            .with("timeUnixNano", 1, As.FIXED_64)
            .with("name", 2, As.TEXT)
            .with("attributes", 3, pair);
    Message link =
        new Message()
            .with("traceId", 1, As.HEX)
            .with("spanId", 2, As.HEX)
            .with("attributes", 4, pair);
    Message span =
        new Message()
            .with("traceId", 1, As.HEX)
            .with("spanId", 2, As.HEX)
            .with("parentSpanId", 4, As.HEX)
            .with("name", 5, As.TEXT)
            .with("kind", 6, As.NUMBER)
            .with("startTimeUnixNano", 7, As.FIXED_64)
            .with("endTimeUnixNano", 8, As.FIXED_64)
            .with("attributes", 9, pair)
            .with("events", 11, event)
            .with("links", 13, link)
            .with(
                "status", 15, new Message().with("message", 2, As.TEXT).with("code", 3, As.NUMBER))
            .with("flags", 16, As.FIXED_32);
    Message resource = new Message().with("attributes", 1, pair);
    Message scope = new Message().with("name", 1, As.TEXT).with("version", 2, As.TEXT);
    Message points = new Message().with("dataPoints", 1, new Message());
    Message metric =
        new Message()
            .with("gauge", 5, points)
            .with("sum", 7, points)
            .with("histogram", 9, points)
            .with("exponentialHistogram", 10, points)
            .with("summary", 11, points);
    return new Message()
        .with("resourceSpans", 1, of(resource, "scopeSpans", scope, "spans", span))
        .with("resourceMetrics", 1, of(resource, "scopeMetrics", scope, "metrics", metric))
        .with("resourceLogs", 1, of(resource, "scopeLogs", scope, "logRecords", new Message()));
  }

  private static Message of(
      Message resource, String scopes, Message scope, String items, Message item) {
    return new Message()
        .with("resource", 1, resource)
        .with(scopes, 2, new Message().with("scope", 1, scope).with(items, 2, item));
  }

  private final String text;
  private int at;
  private int depth;

  private OtlpJson(String text) {
    this.text = text;
  }

  /**
   * The request in protobuf.
   *
   * @throws IllegalArgumentException if it is no JSON, or not that of a request
   */
  static byte[] toProtobuf(byte[] json) {
    OtlpJson reader = new OtlpJson(new String(json, StandardCharsets.UTF_8));
    ByteArrayOutputStream to = new ByteArrayOutputStream(json.length / 2 + 16);
    reader.message(REQUEST, to);
    reader.space();
    if (reader.at < reader.text.length()) {
      throw reader.bad("the end");
    }
    return to.toByteArray();
  }

  private void message(Message type, ByteArrayOutputStream to) {
    expect('{');
    deeper();
    if (!ends('}')) {
      do {
        Field field = type.fields.get(name());
        expect(':');
        if (field == null) {
          skip();
        } else {
          field(field, to);
        }
      } while (goesOn('}'));
    }
    depth--;
  }

  private void field(Field field, ByteArrayOutputStream to) {
    Message inner = field.message;
    if (peek() == 'n') {
      skip();
    } else if (inner == null) {
      value(field, to);
    } else if (peek() == '[') {
      at++;
      if (!ends(']')) {
        do {
          nested(field.number, inner, to);
        } while (goesOn(']'));
      }
    } else {
      nested(field.number, inner, to);
    }
  }

  private void nested(int number, Message type, ByteArrayOutputStream to) {
    ByteArrayOutputStream inside = new ByteArrayOutputStream();
    message(type, inside);
    to.writeBytes(Proto.field(number, inside.toByteArray()));
  }

  private void value(Field field, ByteArrayOutputStream to) {
    switch (field.as) {
      case TEXT -> to.writeBytes(Proto.field(field.number, string()));
      case HEX -> to.writeBytes(Proto.field(field.number, HexFormat.of().parseHex(string())));
      case BASE64 -> to.writeBytes(Proto.field(field.number, Base64.getDecoder().decode(string())));
      case FLAG -> number(field.number, scalar().equals("true") ? 1 : 0, to);
      case NUMBER -> number(field.number, whole(scalar()), to);
      case FIXED_32 -> fixed(field.number, whole(scalar()), Integer.BYTES, to);
      case FIXED_64 -> fixed(field.number, whole(scalar()), Long.BYTES, to);
      case DOUBLE ->
          fixed(
              field.number,
              Double.doubleToRawLongBits(Double.parseDouble(scalar())),
              Long.BYTES,
              to);
      case MESSAGE -> throw bad("an object");
    }
  }

  /** A number, in quotes or not: 64 bits do not fit into a number of JavaScript. */
  private static long whole(String text) {
    return text.indexOf('.') < 0 && text.indexOf('e') < 0 && text.indexOf('E') < 0
        ? text.startsWith("-") ? Long.parseLong(text) : Long.parseUnsignedLong(text)
        : (long) Double.parseDouble(text);
  }

  private static void number(int field, long value, ByteArrayOutputStream to) {
    tag(field, Proto.VARINT, to);
    varint(value, to);
  }

  private static void fixed(int field, long bits, int bytes, ByteArrayOutputStream to) {
    tag(field, bytes == Long.BYTES ? Proto.FIXED_64 : Proto.FIXED_32, to);
    for (int i = 0; i < bytes; i++) {
      to.write((int) (bits >>> (8 * i)));
    }
  }

  private static void tag(int field, int type, ByteArrayOutputStream to) {
    varint(Proto.tag(field, type), to);
  }

  private static void varint(long value, ByteArrayOutputStream to) {
    long left = value;
    while ((left & ~0x7fL) != 0) {
      to.write((int) (left & 0x7f) | 0x80);
      left >>>= 7;
    }
    to.write((int) left);
  }

  /** A field's name; that of the protobuf definition, {@code trace_id}, is taken as well. */
  private String name() {
    String name = string();
    int dash = name.indexOf('_');
    if (dash < 0 || name.length() > MAX_NAME) {
      return name;
    }
    StringBuilder camel = new StringBuilder(name);
    for (; dash >= 0 && dash + 1 < camel.length(); dash = camel.indexOf("_")) {
      camel.deleteCharAt(dash);
      camel.setCharAt(dash, Character.toUpperCase(camel.charAt(dash)));
    }
    return camel.toString();
  }

  /** A string's content, or another scalar as it is written. */
  private String scalar() {
    if (peek() == '"') {
      return string();
    }
    int from = at;
    while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    if (from == at) {
      throw bad("a value");
    }
    return text.substring(from, at);
  }

  private String string() {
    expect('"');
    int from = at;
    while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\\') {
      at++;
    }
    if (at < text.length() && text.charAt(at) == '"') {
      return text.substring(from, at++);
    }
    StringBuilder string = new StringBuilder(text.substring(from, at));
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        return string.toString();
      }
      string.append(c == '\\' ? escaped() : c);
    }
    throw bad("the end of a string");
  }

  private char escaped() {
    char c = at < text.length() ? text.charAt(at++) : ' ';
    switch (c) {
      case '"', '\\', '/' -> {
        return c;
      }
      case 'b' -> {
        return '\b';
      }
      case 'f' -> {
        return '\f';
      }
      case 'n' -> {
        return '\n';
      }
      case 'r' -> {
        return '\r';
      }
      case 't' -> {
        return '\t';
      }
      case 'u' -> {
        if (at + 4 <= text.length()) {
          at += 4;
          return (char) HexFormat.fromHexDigits(text, at - 4, at);
        }
      }
      default -> {}
    }
    throw bad("an escape");
  }

  private void skip() {
    char c = peek();
    if (c == '"') {
      String unused = string();
    } else if (c == '{' || c == '[') {
      boolean isObject = c == '{';
      char end = isObject ? '}' : ']';
      at++;
      deeper();
      if (!ends(end)) {
        do {
          if (isObject) {
            String unused = string();
            expect(':');
          }
          skip();
        } while (goesOn(end));
      }
      depth--;
    } else {
      String unused = scalar();
    }
  }

  private void deeper() {
    if (++depth > MAX_DEPTH) {
      throw bad("end of what is nested");
    }
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char peek() {
    space();
    return at < text.length() ? text.charAt(at) : ' ';
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw bad("'" + wanted + "'");
    }
    at++;
  }

  private boolean ends(char end) {
    boolean is = peek() == end;
    at += is ? 1 : 0;
    return is;
  }

  /** After a member: true if another follows, false at the end. */
  private boolean goesOn(char end) {
    if (ends(end)) {
      return false;
    }
    expect(',');
    return true;
  }

  private IllegalArgumentException bad(String wanted) {
    return new IllegalArgumentException("no " + wanted + " at character " + at);
  }
}
