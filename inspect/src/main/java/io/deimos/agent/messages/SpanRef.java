// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.messages;

import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import org.jspecify.annotations.Nullable;

/** A span in a trace, by their ids. The span is 0 where only the trace is known. */
public record SpanRef(long traceHi, long traceLo, long spanId) {
  /** The trace, as it is written. */
  public String traceHex() {
    return TraceId.fromLongs(traceHi, traceLo);
  }

  /** The span, as it is written. */
  public String spanHex() {
    return SpanId.fromLong(spanId);
  }

  public boolean isOf(long otherHi, long otherLo) {
    return traceHi == otherHi && traceLo == otherLo;
  }

  /** Null if there is no trace. */
  public static @Nullable SpanRef of(long traceHi, long traceLo, long spanId) {
    return (traceHi | traceLo) == 0 ? null : new SpanRef(traceHi, traceLo, spanId);
  }

  /** The span of a message that was processed; null if it had none. */
  public static @Nullable SpanRef of(MessageRecord record) {
    return of(record.traceHi(), record.traceLo(), record.spanId());
  }
}
