// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Steps through the fields of one protobuf message. How many messages may be inside of it, and of
 * those, can be bounded: a message of two bytes may become an object of a hundred.
 */
final class ProtoFields {
  private final byte[] bytes;
  private final int end;
  private final Parts parts;
  private int at;
  private int field;
  private int type;
  private int start;
  private int contentStart;
  private long number;

  ProtoFields(byte[] bytes, int from, int end) {
    this(bytes, from, end, new Parts(Integer.MAX_VALUE));
  }

  private ProtoFields(byte[] bytes, int from, int end, Parts parts) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
    this.parts = parts;
  }

  /** All of a message with no more than so many messages inside. */
  static ProtoFields of(byte[] bytes, int mostParts) {
    return new ProtoFields(bytes, 0, bytes.length, new Parts(mostParts));
  }

  /** Goes to the next field; false at the end. */
  boolean next() {
    if (at >= end) {
      return false;
    }
    start = at;
    int tag = (int) varint();
    field = tag >>> 3;
    type = tag & 7;
    contentStart = at;
    switch (type) {
      case Proto.VARINT -> number = varint();
      case Proto.FIXED_64 -> at += Long.BYTES;
      case Proto.FIXED_32 -> at += Integer.BYTES;
      case Proto.LENGTH_DELIMITED -> {
        long length = varint();
        contentStart = at;
        at = (int) Math.min(Integer.MAX_VALUE, contentStart + length);
      }
      default -> throw new IllegalArgumentException("wire type " + type + " at byte " + start);
    }
    if (at < contentStart || at > end) {
      throw new IllegalArgumentException("field " + field + " ends at " + at + ", after " + end);
    }
    return true;
  }

  /** Goes to the first field of this number that has bytes; false if there is none. */
  boolean find(int wanted) {
    while (next()) {
      if (isMessage(wanted)) {
        return true;
      }
    }
    return false;
  }

  boolean isMessage(int wanted) {
    return field == wanted && type == Proto.LENGTH_DELIMITED;
  }

  boolean isNumber(int wanted) {
    return field == wanted && type == Proto.VARINT;
  }

  long number() {
    return number;
  }

  boolean isFixed(int wanted) {
    return field == wanted && (type == Proto.FIXED_64 || type == Proto.FIXED_32);
  }

  /** The bits of a field of a fixed size, the lowest byte first. */
  long bits() {
    long bits = 0;
    for (int i = at - 1; i >= contentStart; i--) {
      bits = (bits << 8) | (bytes[i] & 0xff);
    }
    return bits;
  }

  String text() {
    return new String(bytes, contentStart, at - contentStart, StandardCharsets.UTF_8);
  }

  /** The bytes as hexadecimal digits. */
  String hex() {
    return HexFormat.of().formatHex(bytes, contentStart, at);
  }

  /** Where the field begins, its tag included. */
  int start() {
    return start;
  }

  /** Behind the field's last byte. */
  int end() {
    return at;
  }

  /** The fields of the message that this field is. */
  ProtoFields inside() {
    parts.countOne();
    return new ProtoFields(bytes, contentStart, at, parts);
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE && at < end; shift += 7) {
      byte b = bytes[at++];
      value |= (b & 0x7fL) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("no end of a number at byte " + at);
  }

  /** Counts the messages inside of one. */
  private static final class Parts {
    private final int most;
    private int count;

    Parts(int most) {
      this.most = most;
    }

    void countOne() {
      if (++count > most) {
        throw new IllegalArgumentException("more than " + most + " parts; send less at once");
      }
    }
  }
}
