// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.tail;

import io.opentelemetry.api.trace.SpanContext;
import java.util.concurrent.ThreadLocalRandom;

/** A trace id as two longs. */
record TraceId(long hi, long lo) {
  private static final long KEY = ThreadLocalRandom.current().nextLong();

  static TraceId of(SpanContext span) {
    String hex = span.getTraceId();
    return new TraceId(
        Long.parseUnsignedLong(hex, 0, 16, 16), Long.parseUnsignedLong(hex, 16, 32, 16));
  }

  /** A number in [0, 2^63) that spreads evenly however ids are made, and is the same everywhere. */
  long spread() {
    long z = lo ^ (hi * 0x9E3779B97F4A7C15L);
    z = (z ^ (z >>> 32)) * 0xD6E8FEB86659FD93L;
    z = (z ^ (z >>> 32)) * 0xD6E8FEB86659FD93L;
    return (z ^ (z >>> 32)) >>> 1;
  }

  /** With a key of this process, so that nobody can choose ids that all have the same. */
  @Override
  public int hashCode() {
    return Long.hashCode(((hi ^ KEY) * 0x9E3779B97F4A7C15L ^ lo) * (KEY | 1));
  }
}
