// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.deimos.agent.json.JsonReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites a request in OTLP's JSON as the same request in protobuf, so that one reader reads both.
 * Fields that nobody here reads are skipped. The result is no longer than the input, and nesting
 * has an end.
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

  private final JsonParser from;
  private int depth;

  private OtlpJson(JsonParser from) {
    this.from = from;
  }

  /**
   * The request in protobuf.
   *
   * @throws IllegalArgumentException if it is no JSON, or not that of a request
   */
  static byte[] toProtobuf(byte[] json) {
    ByteArrayOutputStream to = new ByteArrayOutputStream(json.length / 2 + 16);
    JsonReader.read(
        new InputStreamReader(new ByteArrayInputStream(json), StandardCharsets.UTF_8),
        from -> new OtlpJson(from).message(REQUEST, to));
    return to.toByteArray();
  }

  private void message(Message type, ByteArrayOutputStream to) throws IOException {
    expect(JsonToken.START_OBJECT);
    if (++depth > MAX_DEPTH) {
      throw bad("end of what is nested");
    }
    while (from.nextToken() != JsonToken.END_OBJECT) {
      Field field = type.fields.get(camel(from.currentName()));
      from.nextToken();
      if (field == null) {
        from.skipChildren();
      } else if (from.currentToken() != JsonToken.VALUE_NULL) {
        field(field, to);
      }
    }
    depth--;
  }

  private void field(Field field, ByteArrayOutputStream to) throws IOException {
    Message inner = field.message;
    if (inner == null) {
      value(field, to);
    } else if (from.currentToken() == JsonToken.START_ARRAY) {
      while (from.nextToken() != JsonToken.END_ARRAY) {
        nested(field.number, inner, to);
      }
    } else {
      nested(field.number, inner, to);
    }
  }

  private void nested(int number, Message type, ByteArrayOutputStream to) throws IOException {
    ByteArrayOutputStream inside = new ByteArrayOutputStream();
    message(type, inside);
    to.writeBytes(Proto.field(number, inside.toByteArray()));
  }

  private void value(Field field, ByteArrayOutputStream to) throws IOException {
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
  private static String camel(String name) {
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
  private String scalar() throws IOException {
    if (!from.currentToken().isScalarValue()) {
      throw bad("a value");
    }
    return from.getText();
  }

  private String string() throws IOException {
    expect(JsonToken.VALUE_STRING);
    return from.getText();
  }

  private void expect(JsonToken wanted) {
    if (from.currentToken() != wanted) {
      throw bad(wanted.name());
    }
  }

  private IllegalArgumentException bad(String wanted) {
    return new IllegalArgumentException(
        "no " + wanted + " at character " + from.currentLocation().getCharOffset());
  }
}
