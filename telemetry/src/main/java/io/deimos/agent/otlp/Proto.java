// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.opentelemetry.api.common.AttributeKey;
import java.io.ByteArrayOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Protobuf's wire format, as far as OTLP's spans need it. */
final class Proto {
  static final int VARINT = 0;
  static final int FIXED_64 = 1;
  static final int LENGTH_DELIMITED = 2;
  static final int FIXED_32 = 5;

  /** The most bytes that the length of a field takes. */
  static final int MAX_LENGTH_BYTES = 5;

  private static final VarHandle LITTLE_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle BIG_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int SPAN_ATTRIBUTES = 9;
  private static final int KEY = 1;
  private static final int VALUE = 2;
  private static final int STRING_VALUE = 1;
  private static final int DOUBLE_VALUE = 4;

  private Proto() {}

  static int tag(int field, int type) {
    return field << 3 | type;
  }

  static int varintBytes(int value) {
    return value < 0 ? MAX_LENGTH_BYTES : (38 - Integer.numberOfLeadingZeros(value | 1)) / 7;
  }

  /** Writes a number that is not negative; returns where the next byte goes. */
  static int varint(byte[] to, int at, int value) {
    int left = value;
    int next = at;
    while (left > 0x7f) {
      to[next++] = (byte) (left | 0x80);
      left >>>= 7;
    }
    to[next++] = (byte) left;
    return next;
  }

  static void fixed64(byte[] to, int at, long value) {
    LITTLE_LONG.set(to, at, value);
  }

  /** Half of a trace id, or a span id: the first byte is the highest. */
  static void id(byte[] to, int at, long value) {
    BIG_LONG.set(to, at, value);
  }

  /** A field of bytes, its tag and length included. */
  static byte[] field(int number, byte[] content) {
    ByteArrayOutputStream to = new ByteArrayOutputStream(content.length + 8);
    field(to, number, content);
    return to.toByteArray();
  }

  static byte[] field(int number, String content) {
    return field(number, content.getBytes(StandardCharsets.UTF_8));
  }

  private static void field(ByteArrayOutputStream to, int number, byte[] content) {
    byte[] length = new byte[MAX_LENGTH_BYTES];
    int lengthBytes = varint(length, 0, content.length);
    to.write(tag(number, LENGTH_DELIMITED));
    to.write(length, 0, lengthBytes);
    to.write(content, 0, content.length);
  }

  /** An attribute as a span holds it. */
  static byte[] attribute(String key, String value) {
    return attribute(SPAN_ATTRIBUTES, key, value);
  }

  /** An attribute in a field of this number. */
  static byte[] attribute(int number, String key, String value) {
    return attribute(number, key, field(STRING_VALUE, value));
  }

  /** An attribute but for the eight bytes of its value, with which it ends. */
  static byte[] attributeUpToValue(AttributeKey<Double> key) {
    byte[] value = new byte[1 + Double.BYTES];
    value[0] = (byte) tag(DOUBLE_VALUE, FIXED_64);
    byte[] whole = attribute(SPAN_ATTRIBUTES, key.getKey(), value);
    return java.util.Arrays.copyOf(whole, whole.length - Double.BYTES);
  }

  private static byte[] attribute(int number, String key, byte[] value) {
    ByteArrayOutputStream pair = new ByteArrayOutputStream();
    field(pair, KEY, key.getBytes(StandardCharsets.UTF_8));
    field(pair, VALUE, value);
    return field(number, pair.toByteArray());
  }
}
