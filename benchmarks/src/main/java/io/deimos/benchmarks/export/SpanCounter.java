// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.export;

/**
 * Counts the spans of an OTLP {@code ExportTraceServiceRequest} by walking its protobuf bytes.
 *
 * <p>Only three levels are entered; a span is skipped over by its length:
 *
 * <pre>
 *   request        field 1  resource_spans   length-delimited
 *   ResourceSpans  field 2  scope_spans      length-delimited
 *   ScopeSpans     field 2  spans            length-delimited
 * </pre>
 */
final class SpanCounter {
  private static final int[] FIELD_AT_DEPTH = {1, 2, 2};
  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int LENGTH_DELIMITED = 2;
  private static final int FIXED_32 = 5;

  private final byte[] bytes;
  private int position;

  private SpanCounter(byte[] bytes, int from) {
    this.bytes = bytes;
    position = from;
  }

  /** Returns the number of spans in {@code length} bytes from {@code from} on. */
  static int count(byte[] bytes, int from, int length) {
    return new SpanCounter(bytes, from).countTo(from + length, 0);
  }

  private int countTo(int end, int depth) {
    if (end > bytes.length) {
      throw new IllegalArgumentException(
          "cut off: " + end + " bytes said, " + bytes.length + " there");
    }
    int spans = 0;
    while (position < end) {
      int tag = (int) varint(end);
      int type = tag & 7;
      if (type != LENGTH_DELIMITED) {
        skip(type, end);
        continue;
      }
      int fieldEnd = (int) Math.min(Integer.MAX_VALUE, varint(end) + position);
      if (fieldEnd < position || fieldEnd > end) {
        throw new IllegalArgumentException(
            "a field ends at " + fieldEnd + ", its message at " + end);
      }
      if (tag >>> 3 == FIELD_AT_DEPTH[depth]) {
        spans += depth == 2 ? 1 : countTo(fieldEnd, depth + 1);
      }
      position = fieldEnd;
    }
    return spans;
  }

  private void skip(int type, int end) {
    switch (type) {
      case VARINT -> {
        varint(end);
      }
      case FIXED_64 -> position += Long.BYTES;
      case FIXED_32 -> position += Integer.BYTES;
      default -> throw new IllegalArgumentException("wire type " + type + " at byte " + position);
    }
    if (position > end) {
      throw new IllegalArgumentException("cut off at byte " + end);
    }
  }

  private long varint(int end) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE && position < end; shift += 7) {
      byte b = bytes[position++];
      value |= (b & 0x7fL) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("no end of a number at byte " + position);
  }
}
