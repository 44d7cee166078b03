// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.span;

import io.deimos.agent.control.ExceptionSignal;
import io.deimos.agent.control.MessageEvents;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.spans.Incident;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.trace.data.EventData;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events of a record's span: {@code waiting} at the send ({@code stashed} when it was stashed),
 * {@code message} when the message was taken out of the mailbox, {@code exception} if the actor
 * failed, and the user's own, in the order of time. An exception that is told as a log record only
 * is still an event where its stack trace is left out, on the page.
 */
final class RecordEvents {
  private static final AttributeKey<String> TYPE = Names.text(Attribute.EXCEPTION_TYPE);
  private static final AttributeKey<String> MESSAGE = Names.text(Attribute.EXCEPTION_MESSAGE);
  private static final AttributeKey<String> STACK = Names.text(Attribute.EXCEPTION_STACKTRACE);

  private static final AttributeKey<String> CODE_STACK = Names.text(Attribute.CODE_STACKTRACE);

  private RecordEvents() {}

  static List<EventData> of(RecordedSpan span, @Nullable Throwable error, boolean stackTrace) {
    List<EventData> events = new ArrayList<>(4);
    if (!span.isAsk() && span.operation() == null && MessageEvents.areOn(span.actor())) {
      events.add(
          event(
              span.sentEpochNanos(),
              span.isStashed() ? EventName.STASHED : EventName.WAITING,
              Attributes.empty()));
      events.add(event(span.takenOutEpochNanos(), EventName.MESSAGE, Attributes.empty()));
    }
    UserEdits edits = span.userEdits();
    if (edits != null && !edits.events().isEmpty()) {
      events.addAll(edits.events());
      events.sort(Comparator.comparingLong(EventData::getEpochNanos));
    }
    for (Incident incident : span.incidents()) {
      events.add(
          event(Clock.epochNanos(incident.atNanos()), incident.event(), attributes(incident)));
    }
    if (error != null && (!stackTrace || ExceptionSignal.isOnSpans())) {
      events.add(event(span.getEndEpochNanos(), EventName.EXCEPTION, exception(error, stackTrace)));
    }
    return events;
  }

  private static EventData event(long epochNanos, EventName name, Attributes attributes) {
    return EventData.create(epochNanos, name.id(), attributes);
  }

  static Attributes attributes(Incident incident) {
    AttributesBuilder attributes = Attributes.builder();
    incident.facts().forEach((fact, value) -> put(attributes, fact, value));
    if (!incident.stack().isEmpty()) {
      attributes.put(CODE_STACK, incident.stack());
    }
    return attributes.build();
  }

  private static void put(AttributesBuilder to, Attribute fact, String value) {
    switch (fact.type()) {
      case STRING -> to.put(Names.text(fact), value);
      case LONG -> to.put(Names.whole(fact), Long.valueOf(value));
      case DOUBLE -> to.put(Names.decimal(fact), Double.valueOf(value));
    }
  }

  private static Attributes exception(Throwable error, boolean stackTrace) {
    AttributesBuilder attributes = Attributes.builder();
    attributes.put(TYPE, error.getClass().getName());
    attributes.put(MESSAGE, text(error));
    if (stackTrace) {
      attributes.put(STACK, stackTrace(error));
    }
    return attributes.build();
  }

  /** The exception's message; the user's code makes it and may itself fail. */
  static String text(Throwable error) {
    try {
      String message = error.getMessage();
      return message == null ? "" : message;
    } catch (RuntimeException | StackOverflowError e) {
      return "";
    }
  }

  static String stackTrace(Throwable error) {
    StringWriter printed = new StringWriter();
    try {
      error.printStackTrace(new PrintWriter(printed));
    } catch (RuntimeException | StackOverflowError e) {
      printed.append("\n(the exception could not be printed: ").append(e.toString()).append(')');
    }
    return printed.toString();
  }
}
