// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import io.deimos.agent.span.RecordAttributes;
import io.deimos.agent.span.RecordedSpan;
import io.deimos.agent.span.Scope;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.spans.Rare;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers the store about a span, without having a plain record write out its attributes. */
final class StoredSpans {
  /** The size of an object beside its text, in characters. */
  private static final int NUMBER_CHARS = 16;

  private static final int ATTRIBUTE_CHARS = 16;
  private static final int EVENT_CHARS = 64;
  private static final int LINK_CHARS = 128;
  private static final Set<String> TROUBLE =
      Stream.of(EventName.values())
          .filter(EventName::isTrouble)
          .map(EventName::id)
          .collect(Collectors.toUnmodifiableSet());

  private StoredSpans() {}

  /** How many spans this one counts as. */
  static int weight(SpanData span) {
    if (span instanceof RecordedSpan) {
      return 1;
    }
    return (int) Math.min(Integer.MAX_VALUE / 2, 1 + text(span) / StoreLimits.TEXT_PER_SPAN);
  }

  /** How many characters a span takes beside its objects, about. */
  static long text(SpanData span) {
    long text = text(span.getAttributes()) + span.getStatus().getDescription().length();
    for (EventData event : span.getEvents()) {
      text += EVENT_CHARS + event.getName().length() + text(event.getAttributes());
    }
    return text + (long) LINK_CHARS * span.getLinks().size();
  }

  private static long text(Attributes attributes) {
    long[] chars = new long[1];
    attributes.forEach(
        (key, value) -> chars[0] += ATTRIBUTE_CHARS + key.getKey().length() + text(value));
    return chars[0];
  }

  private static long text(Object value) {
    if (value instanceof String string) {
      return string.length();
    }
    if (value instanceof List<?> list) {
      return list.stream().mapToLong(StoredSpans::text).sum();
    }
    return NUMBER_CHARS;
  }

  /** Whether something went wrong while the span was open. */
  static boolean isTrouble(SpanView span) {
    Rare rare = span.rare();
    if (rare == null) {
      return false;
    }
    if (rare.error() != null) {
      return true;
    }
    for (Incident incident : rare.incidents()) { // no stream: this is asked of every such span
      if (incident.event().isTrouble()) {
        return true;
      }
    }
    return false;
  }

  /** The same of a span that is kept. A light record has no trouble beside it. */
  static boolean isTrouble(SpanData span) {
    if (span instanceof RecordedSpan) {
      return false;
    }
    if (isFailed(span)) {
      return true;
    }
    for (EventData event : span.getEvents()) {
      if (TROUBLE.contains(event.getName())) {
        return true;
      }
    }
    return false;
  }

  /** The trouble in a span, as far as one is like another: where, and of which type. */
  static String trouble(SpanData span) {
    String type = span.getAttributes().get(RecordAttributes.ERROR_TYPE);
    return type == null ? span.getName() : span.getName() + ' ' + type;
  }

  /** A light record has no events but those that say when it was taken out. */
  static boolean mayHaveEvents(SpanData span) {
    return !(span instanceof RecordedSpan);
  }

  static boolean isFailed(SpanData span) {
    return span.getStatus().getStatusCode() == StatusCode.ERROR;
  }

  static boolean isTimeout(SpanData span) {
    return RecordAttributes.TIMEOUT.equals(span.getAttributes().get(RecordAttributes.ERROR_TYPE));
  }

  static @Nullable String actorClass(SpanData span) {
    if (span instanceof RecordedSpan record) {
      ActorTelemetry actor = record.operation() == null ? record.actor() : null;
      return actor == null ? null : actor.className();
    }
    return Scope.INFO.equals(span.getInstrumentationScopeInfo()) && isProcessed(span)
        ? span.getAttributes().get(RecordAttributes.ACTOR_CLASS)
        : null;
  }

  /** An ask names the class of the actor it was sent to, who may never have seen it. */
  private static boolean isProcessed(SpanData span) {
    return "process".equals(span.getAttributes().get(RecordAttributes.OPERATION_TYPE));
  }

  /** The process that sent the span; empty for this one. */
  static String node(SpanData span) {
    if (span instanceof RecordedSpan) {
      return "";
    }
    String node = span.getResource().getAttribute(TraceStore.NODE);
    return node == null ? "" : node;
  }

  /** A span whose parent is not in this process, or that has none. */
  static boolean isRoot(SpanData span) {
    if (span instanceof RecordedSpan record) {
      return record.isRoot(); // without the four identifiers as text
    }
    SpanContext parent = span.getParentSpanContext();
    return !parent.isValid() || parent.isRemote();
  }
}
