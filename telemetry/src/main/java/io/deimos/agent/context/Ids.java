// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.context;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import java.util.concurrent.ThreadLocalRandom;

/** Identifiers as two forms of the same thing: longs here, hexadecimal text there. */
final class Ids {
  /** Sampled, and the trace's identifier is random (W3C Trace Context, level 2). */
  static final TraceFlags SAMPLED_RANDOM = TraceFlags.fromByte((byte) 0x03);

  private Ids() {}

  /** The 16 digits from {@code at} on, which an identifier that is valid has. */
  static long parse(String hex, int at) {
    long value = 0;
    for (int i = at; i < at + 16; i++) {
      value = value << 4 | digit(hex.charAt(i));
    }
    return value;
  }

  /** The low four bits of a digit are its value, and of a letter its place in the alphabet. */
  private static int digit(char hex) {
    return (hex & 0xF) + (hex >> 6) * 9;
  }

  static boolean isTrace(SpanContext span, long hi, long lo) {
    String id = span.getTraceId();
    return span.isValid() && parse(id, 0) == hi && parse(id, 16) == lo;
  }

  static boolean isSpan(SpanContext span, long id) {
    return span.isValid() && parse(span.getSpanId(), 0) == id;
  }

  /** A span that nobody records and that belongs to a trace of its own. */
  static SpanContext unsampled() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return SpanContext.create(
        TraceId.fromLongs(random.nextLong() | 1L, random.nextLong() | 1L),
        SpanId.fromLong(random.nextLong() | 1L),
        TraceFlags.getDefault(),
        TraceState.getDefault());
  }
}
