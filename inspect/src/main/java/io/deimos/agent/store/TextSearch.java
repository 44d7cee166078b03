// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import io.deimos.agent.budget.SearchTerm;
import io.deimos.agent.span.RecordAttributes;
import io.deimos.agent.span.RecordedSpan;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.spans.Operation;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One search for a text, in any case, in spans' names and values. Thousands of light records share
 * few actors and message classes: each is looked at once. Not for use by two threads.
 */
final class TextSearch {
  private final SearchTerm term;
  private final IdentityHashMap<Object, Boolean> known = new IdentityHashMap<>();
  private final IdentityHashMap<Object, Boolean> knownAsks = new IdentityHashMap<>();

  /** How many characters were looked at since somebody has asked. */
  private int looked;

  /**
   * Begins.
   *
   * @throws IllegalArgumentException with a sentence for the reader, if the text is too long
   */
  TextSearch(String text) {
    this.term = SearchTerm.of(text.strip());
  }

  /** How many characters were looked at since this was asked last. */
  int takeLooked() {
    int now = looked;
    looked = 0;
    return now;
  }

  /** Whether this is the name, whatever the case. */
  boolean isName(String name) {
    return term.text().equalsIgnoreCase(name);
  }

  boolean matchesId(String traceId) {
    return isIn(traceId);
  }

  boolean matches(SpanData span) {
    if (span instanceof RecordedSpan record) {
      return matches(record);
    }
    return isIn(span.getName())
        || isIn(span.getStatus().getDescription())
        || matches(span.getAttributes())
        || span.getEvents().stream()
            .anyMatch(event -> isIn(event.getName()) || matches(event.getAttributes()));
  }

  /** An event's name; a light record has none but those that say when it was taken out. */
  boolean matchesEvent(SpanData span) {
    return !(span instanceof RecordedSpan)
        && span.getEvents().stream().anyMatch(event -> isIn(event.getName()));
  }

  /** The class or the path of the actor that processed a message or was asked. */
  boolean matchesActor(SpanData span) {
    if (span instanceof RecordedSpan record) {
      return matches(record.to());
    }
    return isIn(span.getAttributes().get(RecordAttributes.ACTOR_CLASS))
        || isIn(span.getAttributes().get(RecordAttributes.ACTOR_PATH));
  }

  /**
   * The path or the class of who sent a message: as the span has it, or of the actor at work when
   * it was sent.
   *
   * @param byId the spans of the same trace
   */
  boolean matchesSender(SpanData span, Map<String, SpanData> byId) {
    boolean named =
        span instanceof RecordedSpan record
            ? matches(record.from())
            : isIn(span.getAttributes().get(RecordAttributes.SENDER_PATH));
    if (named) {
      return true;
    }
    SpanData parent = byId.get(span.getParentSpanContext().getSpanId());
    if (parent != null && isAsk(parent)) {
      parent = byId.get(parent.getParentSpanContext().getSpanId());
    }
    return parent != null && matchesActor(parent);
  }

  private static boolean isAsk(SpanData span) {
    return span instanceof RecordedSpan record
        ? record.isAsk()
        : "send".equals(span.getAttributes().get(RecordAttributes.OPERATION_TYPE));
  }

  /** The class of a message or of a request. */
  boolean matchesMessage(SpanData span) {
    return (span instanceof RecordedSpan record && record.operation() == null)
        ? isIn(record.message().name())
        : isIn(span.getAttributes().get(RecordAttributes.MESSAGE_CLASS));
  }

  /** A light record: its name, message class, actors' classes and paths, persistence id. */
  private boolean matches(RecordedSpan record) {
    Operation operation = record.operation();
    if (operation != null) {
      return isIn(record.getName()) || isIn(operation.persistenceId()) || matches(record.to());
    }
    IdentityHashMap<Object, Boolean> ofKind = record.isAsk() ? knownAsks : known;
    Object named = record.message();
    Boolean inMessage = ofKind.get(named);
    if (inMessage == null) {
      inMessage = isIn(record.getName()) || isIn(record.message().name());
      ofKind.put(named, inMessage);
    }
    return inMessage || matches(record.to()) || matches(record.from());
  }

  /** The actor that processed, was asked or sent: an actor of ours or a path. */
  private boolean matches(@Nullable Object who) {
    if (!(who instanceof ActorTelemetry actor)) {
      return who != null && isIn(who.toString());
    }
    Boolean in = known.get(actor);
    if (in == null) {
      in = isIn(actor.path()) || isIn(actor.className());
      known.put(actor, in);
    }
    return in;
  }

  private boolean matches(Attributes attributes) {
    boolean[] found = new boolean[1];
    attributes.forEach((key, value) -> found[0] = found[0] || isIn(value.toString()));
    return found[0];
  }

  private boolean isIn(@Nullable String value) {
    looked += value == null ? 1 : 1 + value.length();
    return term.isIn(value);
  }
}
