// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.data.DelegatingSpanData;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.List;

/** A span of ours on its way to an exporter, within the SDK's limits. Immutable. */
public final class ExportedSpan extends DelegatingSpanData {
  private final Attributes attributes;
  private final List<EventData> events;

  public ExportedSpan(SpanData span, SpanLimits limits) {
    super(span);
    int length = limits.getMaxAttributeValueLength();
    attributes = cut(span.getAttributes(), limits.getMaxNumberOfAttributes(), length);
    events =
        span.getEvents().stream()
            .limit(limits.getMaxNumberOfEvents())
            .map(event -> cut(event, limits.getMaxNumberOfAttributesPerEvent(), length))
            .toList();
  }

  private static EventData cut(EventData event, int most, int length) {
    Attributes all = event.getAttributes();
    Attributes kept = cut(all, most, length);
    return kept == all
        ? event
        : EventData.create(
            event.getEpochNanos(), event.getName(), kept, event.getTotalAttributeCount());
  }

  private static Attributes cut(Attributes all, int most, int length) {
    if (all.size() <= most && length == Integer.MAX_VALUE) {
      return all;
    }
    AttributesBuilder kept = Attributes.builder();
    int[] left = {most};
    all.forEach(
        (key, value) -> {
          if (left[0]-- > 0) {
            put(kept, key, cut(value, length));
          }
        });
    return kept.build();
  }

  private static Object cut(Object value, int length) {
    return value instanceof String text && text.length() > length
        ? text.substring(0, length)
        : value;
  }

  @SuppressWarnings("unchecked") // the value came with this key
  private static void put(AttributesBuilder to, AttributeKey<?> key, Object value) {
    to.put((AttributeKey<Object>) key, value);
  }

  @Override
  public Attributes getAttributes() {
    return attributes;
  }

  @Override
  public List<EventData> getEvents() {
    return events;
  }
}
