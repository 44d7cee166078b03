// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One span as it came over the wire.
 *
 * @param parentId empty for a root
 */
public record ReceivedSpan(
    String traceId,
    String spanId,
    String parentId,
    String traceState,
    String name,
    SpanKind kind,
    long startNanos,
    long endNanos,
    Map<String, Object> attributes,
    List<Event> events,
    List<Link> links,
    StatusCode status,
    String statusMessage,
    String scope,
    String scopeVersion,
    int flags,
    int droppedAttributes,
    Map<String, Object> resource) {

  /** One event of a span. */
  public record Event(String name, long atNanos, Map<String, Object> attributes) {}

  /** One link of a span. */
  public record Link(String traceId, String spanId, Map<String, Object> attributes) {}

  public boolean isRoot() {
    return parentId.isEmpty();
  }

  public @Nullable String text(String attribute) {
    Object value = attributes.get(attribute);
    return value == null ? null : value.toString();
  }

  public @Nullable String system() {
    return text("pekko.system");
  }

  public @Nullable String path() {
    return text("pekko.actor.path");
  }

  public boolean isOurs() {
    return scope.startsWith("io.deimos");
  }

  public Event event(String named) {
    return events.stream()
        .filter(e -> e.name().equals(named))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no event " + named + " in " + this));
  }

  /** Short, since many of them stand in one message; the resource is the same for all. */
  @Override
  public String toString() {
    return name
        + " "
        + spanId
        + " in "
        + traceId
        + " under "
        + parentId
        + " "
        + attributes
        + " "
        + events
        + " "
        + status;
  }
}
