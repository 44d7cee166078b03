// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.tail;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.Map;

/**
 * An ended span of another instrumentation, and as how many of ours it counts. Immutable.
 *
 * @param weight by the text in its attributes, so that the bound in spans is one in bytes
 */
record OtherSpan(ReadableSpan span, int weight) {
  /** The size of a span of the SDK without any text, in bytes. */
  private static final int PLAIN_BYTES = 640;

  private static final int BYTES_PER_ATTRIBUTE = 48;

  static OtherSpan of(ReadableSpan span) {
    SpanData data = span.toSpanData();
    long bytes = PLAIN_BYTES + bytes(data.getAttributes());
    for (EventData event : data.getEvents()) {
      bytes += BYTES_PER_ATTRIBUTE + bytes(event.getAttributes());
    }
    bytes += (long) BYTES_PER_ATTRIBUTE * data.getLinks().size();
    long weight = bytes / TailSampler.BYTES_PER_SPAN;
    return new OtherSpan(span, (int) Math.min(Integer.MAX_VALUE / 2, weight));
  }

  private static long bytes(Attributes attributes) {
    long bytes = 0;
    for (Map.Entry<AttributeKey<?>, Object> entry : attributes.asMap().entrySet()) {
      bytes += BYTES_PER_ATTRIBUTE + bytes(entry.getValue());
    }
    return bytes;
  }

  private static long bytes(Object value) {
    if (value instanceof String text) {
      return 2L * text.length();
    }
    if (value instanceof Iterable<?> list) {
      long bytes = 0;
      for (Object each : list) {
        bytes += BYTES_PER_ATTRIBUTE + bytes(each);
      }
      return bytes;
    }
    return Long.BYTES;
  }
}
