// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.budget.SearchTerm;
import io.deimos.agent.messages.SpanRef;
import io.deimos.agent.span.Names;
import io.deimos.agent.span.RecordAttributes;
import io.deimos.agent.store.StoredTrace;
import io.deimos.agent.store.TraceQuery;
import io.deimos.agent.store.TraceStore;
import io.deimos.agent.store.TraceSummary;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One search among the traces that are kept: no more than {@value #MAX_TRACES} that fit, and
 * {@value #MAX_SPANS} spans of them. They reach further back than the log where something went
 * wrong, and only they know what messages said, and of other processes on the page.
 */
final class StoreSearch {
  private static final int MAX_TRACES = 20;
  private static final int MAX_SPANS = 20_000;

  /** A span takes about as long as so many characters that are searched. */
  private static final int CHARACTERS_OF_A_SPAN = 1024;

  private static final AttributeKey<String> SENDER_CLASS = Names.text(Attribute.SENDER_CLASS);

  private final TraceStore store;
  private final WhereQuery query;

  /** The dead letters that trouble tells of, by {@link #key}. */
  private final Set<String> dead;

  private int traces;
  private int spans;

  StoreSearch(TraceStore store, WhereQuery query, Set<String> dead) {
    this.store = store;
    this.query = query;
    this.dead = dead;
  }

  /** The mark of a dead letter: the span in which it happened, and when. */
  static String key(long spanId, long epochNanos) {
    return spanId + "@" + epochNanos;
  }

  /** How many traces fit and were looked through. */
  int traces() {
    return traces;
  }

  /** Whether more may fit than were looked through. */
  boolean isCut() {
    return traces >= MAX_TRACES || spans >= MAX_SPANS;
  }

  void run(Sightings into, Scan scan) {
    for (String id : ids(scan)) {
      StoredTrace trace = store.trace(id);
      if (scan.isCut() || spans >= MAX_SPANS) {
        return;
      }
      if (trace != null) {
        traces++;
        look(trace, into, scan);
      }
    }
  }

  private List<String> ids(Scan scan) {
    if (!query.traceId().isEmpty()) {
      return List.of(query.traceId());
    }
    StringBuilder terms = new StringBuilder();
    append(terms, "message", query.messages());
    append(terms, "text", query.actors());
    append(terms, "text", query.senders());
    append(terms, "text", query.texts());
    append(terms, "text", query.words());
    return store.latest(MAX_TRACES, false, TraceQuery.of(terms.toString()), scan).stream()
        .map(TraceSummary::traceId)
        .toList();
  }

  private static void append(StringBuilder to, String key, List<SearchTerm> values) {
    for (SearchTerm value : values) {
      to.append(key).append(":\"").append(value.text().replace("\"", "")).append("\" ");
    }
  }

  private void look(StoredTrace trace, Sightings into, Scan scan) {
    Map<String, SpanData> byId = new HashMap<>();
    trace.spans().forEach(span -> byId.put(span.getSpanContext().getSpanId(), span));
    for (SpanData span : trace.spans()) {
      if (++spans > MAX_SPANS || !scan.goesOn(CHARACTERS_OF_A_SPAN)) {
        return;
      }
      long spanId = Long.parseUnsignedLong(span.getSpanContext().getSpanId(), 16);
      Attributes attributes = span.getAttributes();
      Fate fate = fate(span, attributes);
      if (fate != null) {
        message(span, spanId, attributes, fate, sender(span, attributes, byId), into);
      }
      for (EventData event : span.getEvents()) {
        if (event.getName().equals(EventName.DEAD_LETTER.id())) {
          deadLetter(span, spanId, event, into);
        }
      }
    }
  }

  /** The words of its span on a message; null if the span is of something else. */
  private static @Nullable Fate fate(SpanData span, Attributes attributes) {
    String type = attributes.get(RecordAttributes.OPERATION_TYPE);
    if (type == null || attributes.get(RecordAttributes.MESSAGE_CLASS) == null) {
      return null;
    }
    boolean failed = span.getStatus().getStatusCode() == StatusCode.ERROR;
    if (type.equals("process")) {
      return failed ? Fate.FAILED : Fate.PROCESSED;
    }
    if (!type.equals("send")) {
      return null;
    }
    boolean late = RecordAttributes.TIMEOUT.equals(attributes.get(RecordAttributes.ERROR_TYPE));
    return late ? Fate.ASK_TIMEOUT : failed ? Fate.ASK_FAILED : Fate.ANSWERED;
  }

  private static String sender(SpanData span, Attributes attributes, Map<String, SpanData> byId) {
    String path = attributes.get(RecordAttributes.SENDER_PATH);
    if (path != null) {
      return path;
    }
    SpanData parent = byId.get(span.getParentSpanContext().getSpanId());
    if (parent != null
        && "send".equals(parent.getAttributes().get(RecordAttributes.OPERATION_TYPE))) {
      parent = byId.get(parent.getParentSpanContext().getSpanId());
    }
    return parent == null ? "" : text(parent.getAttributes(), RecordAttributes.ACTOR_PATH);
  }

  private void message(
      SpanData span, long spanId, Attributes attributes, Fate fate, String sender, Sightings into) {
    String message = text(attributes, RecordAttributes.MESSAGE_CLASS);
    String path = text(attributes, RecordAttributes.ACTOR_PATH);
    String type = text(attributes, RecordAttributes.ACTOR_CLASS);
    String content = attributes.get(RecordAttributes.MESSAGE_CONTENT);
    if (query.isMessage(message)
        && query.isActor(path, type)
        && query.isSender(sender, text(attributes, SENDER_CLASS))
        && query.says(() -> content, message, path, type, sender)) {
      into.add(fate, spanId, () -> sighting(span, fate, message, path, type, sender, content));
    }
  }

  private static Sighting sighting(
      SpanData span,
      Fate fate,
      String message,
      String path,
      String type,
      String sender,
      @Nullable String content) {
    Attributes attributes = span.getAttributes();
    long nanos = span.getEndEpochNanos() - span.getStartEpochNanos();
    Double wait = attributes.get(RecordAttributes.MAILBOX_WAIT);
    Long waitNanos = wait == null ? null : Math.round(wait * 1e9);
    String node = span.getResource().getAttribute(TraceStore.NODE);
    String who = Descriptions.actor(path, type);
    String story =
        Descriptions.name(message)
            + ' '
            + (fate == Fate.PROCESSED || fate == Fate.FAILED
                ? fate.said() + " by " + who + " in " + Descriptions.time(nanos)
                : fate.said() + ", of " + who + ", after " + Descriptions.time(nanos))
            + (waitNanos == null ? "" : ", after " + Descriptions.time(waitNanos) + " of waiting");
    return new Sighting(
        fate,
        story + Descriptions.by(sender) + (node == null ? "" : ", in another process") + '.',
        Sighting.Parties.of(message, path, type, sender),
        Sighting.Times.at(span.getStartEpochNanos()).waited(waitNanos).took(nanos),
        ref(span),
        content,
        null,
        node);
  }

  private void deadLetter(SpanData span, long spanId, EventData event, Sightings into) {
    Attributes facts = event.getAttributes();
    String message = text(facts, RecordAttributes.MESSAGE_CLASS);
    String path = text(facts, RecordAttributes.ACTOR_PATH);
    String type = text(facts, RecordAttributes.ACTOR_CLASS);
    String sender = text(facts, RecordAttributes.SENDER_PATH);
    Supplier<@Nullable String> nothing = () -> null;
    if (!message.isEmpty()
        && dead.add(key(spanId, event.getEpochNanos()))
        && query.isMessage(message)
        && query.isActor(path, type)
        && query.isSender(sender, text(facts, SENDER_CLASS))
        && query.says(nothing, message, path, type, sender)) {
      into.add(
          Fate.DEAD_LETTER,
          () ->
              new Sighting(
                  Fate.DEAD_LETTER,
                  Descriptions.name(message)
                      + " for "
                      + Descriptions.actor(path, type)
                      + " became a dead letter"
                      + Descriptions.by(sender)
                      + '.',
                  Sighting.Parties.of(message, path, type, sender),
                  Sighting.Times.at(event.getEpochNanos()),
                  ref(span),
                  null,
                  null,
                  span.getResource().getAttribute(TraceStore.NODE)));
    }
  }

  private static SpanRef ref(SpanData span) {
    String trace = span.getTraceId();
    return new SpanRef(
        Long.parseUnsignedLong(trace, 0, 16, 16),
        Long.parseUnsignedLong(trace, 16, 32, 16),
        Long.parseUnsignedLong(span.getSpanId(), 16));
  }

  private static String text(Attributes attributes, AttributeKey<String> key) {
    String value = attributes.get(key);
    return value == null ? "" : value;
  }

  /** The traces that were not looked at. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (isCut()) {
      notes.add("Traces beyond the latest " + traces + " that fit. Say more of the message.");
    }
    return notes;
  }
}
