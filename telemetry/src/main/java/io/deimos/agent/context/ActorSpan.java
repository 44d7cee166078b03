// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.context;

import io.deimos.agent.span.Names;
import io.deimos.agent.span.UserEdits;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.trace.Trace;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The span of the message at work, as user code sees it. It keeps what is done to it, within the
 * SDK's limits, until the message is done; the span itself is made later, from the record.
 *
 * <p>Safe for any thread. The message's end ends it, the user's {@link #end} does not.
 */
final class ActorSpan implements Span, UserEdits {
  private final SpanContext identity;
  private final Trace trace;
  private final SpanLimits limits;
  private final Context context;
  private boolean ended;
  private boolean edited;
  private @Nullable String name;
  private @Nullable StatusData status;
  private @Nullable Map<AttributeKey<?>, Object> attributes;
  private @Nullable List<EventData> events;
  private @Nullable List<LinkData> links;

  @SuppressWarnings(
      "this-escape") // the context hands out the span, but not before its fields are set
  ActorSpan(SpanContext identity, Trace trace, Context base, SpanLimits limits) {
    this.identity = identity;
    this.trace = trace;
    this.limits = limits;
    this.context = base.with(this).with(OtelBridge.TRACE, trace);
  }

  /** The context that was made with this span in it. */
  Context context() {
    return context;
  }

  Trace trace() {
    return trace;
  }

  /** Takes no more edits; returns false if there were none. */
  synchronized boolean close() {
    ended = true;
    return edited;
  }

  private boolean edit() {
    edited |= !ended;
    return !ended;
  }

  @Override
  public synchronized <T> Span setAttribute(AttributeKey<T> key, @Nullable T value) {
    if (key != null && value != null && !key.getKey().isEmpty() && edit()) {
      Map<AttributeKey<?>, Object> to = attributes;
      if (to == null) {
        to = new LinkedHashMap<>();
        attributes = to;
      }
      if (to.size() < limits.getMaxNumberOfAttributes() || to.containsKey(key)) {
        to.put(key, cut(value, limits.getMaxAttributeValueLength()));
      }
    }
    return this;
  }

  @Override
  public Span addEvent(String event, Attributes with) {
    return event(event, with, Clock.epochNanos(Clock.now()));
  }

  @Override
  public Span addEvent(String event, Attributes with, long timestamp, TimeUnit unit) {
    return event(event, with, unit.toNanos(timestamp));
  }

  private synchronized Span event(@Nullable String event, @Nullable Attributes with, long nanos) {
    if (event != null && edit()) {
      List<EventData> to = events;
      if (to == null) {
        to = new ArrayList<>();
        events = to;
      }
      if (to.size() < limits.getMaxNumberOfEvents()) {
        Attributes all = with == null ? Attributes.empty() : with;
        Attributes kept = cut(all, limits.getMaxNumberOfAttributesPerEvent());
        to.add(EventData.create(nanos, event, kept, all.size()));
      }
    }
    return this;
  }

  @Override
  public synchronized Span setStatus(StatusCode code, @Nullable String description) {
    StatusData now = status;
    boolean final_ = now != null && now.getStatusCode() == StatusCode.OK;
    if (code != null && code != StatusCode.UNSET && !final_ && edit()) {
      status =
          StatusData.create(
              code, code == StatusCode.ERROR && description != null ? description : "");
    }
    return this;
  }

  @Override
  public Span recordException(Throwable exception, Attributes with) {
    if (exception == null) {
      return this;
    }
    StringWriter printed = new StringWriter();
    exception.printStackTrace(new PrintWriter(printed));
    AttributesBuilder all = Attributes.builder();
    all.put(Names.text(Attribute.EXCEPTION_TYPE), exception.getClass().getName());
    String message = exception.getMessage();
    if (message != null) {
      all.put(Names.text(Attribute.EXCEPTION_MESSAGE), message);
    }
    all.put(Names.text(Attribute.EXCEPTION_STACKTRACE), printed.toString());
    if (with != null) {
      all.putAll(with);
    }
    return addEvent(EventName.EXCEPTION.id(), all.build());
  }

  @Override
  public synchronized Span updateName(String to) {
    if (to != null && edit()) {
      name = to;
    }
    return this;
  }

  @Override
  public Span addLink(SpanContext to, Attributes with) {
    return link(to, with == null ? Attributes.empty() : with);
  }

  private synchronized Span link(@Nullable SpanContext to, Attributes with) {
    if (to != null && to.isValid() && edit()) {
      List<LinkData> all = links;
      if (all == null) {
        all = new ArrayList<>();
        links = all;
      }
      if (all.size() < limits.getMaxNumberOfLinks()) {
        Attributes kept = cut(with, limits.getMaxNumberOfAttributesPerLink());
        all.add(LinkData.create(to, kept, with.size()));
      }
    }
    return this;
  }

  private Attributes cut(Attributes all, int most) {
    int length = limits.getMaxAttributeValueLength();
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
    if (value instanceof String text && text.length() > length) {
      return text.substring(0, length);
    }
    if (value instanceof List<?> list && length != Integer.MAX_VALUE) {
      return list.stream().map(v -> v == null ? null : cut(v, length)).toList();
    }
    return value;
  }

  @SuppressWarnings("unchecked") // the value came with this key
  private static void put(AttributesBuilder to, AttributeKey<?> key, Object value) {
    to.put((AttributeKey<Object>) key, value);
  }

  @Override
  public void end() {}

  @Override
  public void end(long timestamp, TimeUnit unit) {}

  @Override
  public SpanContext getSpanContext() {
    return identity;
  }

  @Override
  public synchronized boolean isRecording() {
    return !ended;
  }

  @Override
  public synchronized @Nullable String name() {
    return name;
  }

  @Override
  public synchronized Attributes attributes() {
    if (attributes == null) {
      return Attributes.empty();
    }
    AttributesBuilder all = Attributes.builder();
    attributes.forEach((key, value) -> put(all, key, value));
    return all.build();
  }

  @Override
  public synchronized List<EventData> events() {
    return events == null ? List.of() : List.copyOf(events);
  }

  @Override
  public synchronized List<LinkData> links() {
    return links == null ? List.of() : List.copyOf(links);
  }

  @Override
  public synchronized @Nullable StatusData status() {
    return status;
  }
}
