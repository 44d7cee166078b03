// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.testkit;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A finished span, of an actor or of anything else in the process. Immutable.
 *
 * @param name for instance {@code process Place}
 * @param kind {@code CONSUMER}, {@code CLIENT}, {@code INTERNAL} …
 * @param traceId 32 hexadecimal digits
 * @param spanId 16 hexadecimal digits
 * @param parentSpanId empty for a root
 * @param startEpochNanos in nanoseconds since 1970
 * @param endEpochNanos likewise
 * @param status {@code UNSET}, {@code OK} or {@code ERROR}
 * @param statusMessage empty for none
 * @param attributes by their names; see docs/telemetry.md
 * @param events in the order of time
 * @param links to other spans
 */
public record RecordedSpan(
    String name,
    String kind,
    String traceId,
    String spanId,
    String parentSpanId,
    long startEpochNanos,
    long endEpochNanos,
    String status,
    String statusMessage,
    Map<String, Object> attributes,
    List<RecordedEvent> events,
    List<RecordedLink> links) {

  /** Whether no other span is above it. */
  public boolean isRoot() {
    return parentSpanId.isEmpty();
  }

  /** An attribute as text; null if there is none. */
  public @Nullable String attribute(String key) {
    Object value = attributes.get(key);
    return value == null ? null : value.toString();
  }

  /** The first event of a name; null if there is none. */
  public @Nullable RecordedEvent event(String wanted) {
    return events.stream().filter(e -> e.name().equals(wanted)).findFirst().orElse(null);
  }

  /** As the agent tells it. */
  static RecordedSpan of(Map<String, Object> told) {
    return new RecordedSpan(
        text(told, "name"),
        text(told, "kind"),
        text(told, "traceId"),
        text(told, "spanId"),
        text(told, "parentSpanId"),
        number(told, "startEpochNanos"),
        number(told, "endEpochNanos"),
        text(told, "status"),
        text(told, "statusMessage"),
        attributes(told),
        maps(told, "events").stream()
            .map(e -> new RecordedEvent(text(e, "name"), number(e, "epochNanos"), attributes(e)))
            .toList(),
        maps(told, "links").stream()
            .map(l -> new RecordedLink(text(l, "traceId"), text(l, "spanId"), attributes(l)))
            .toList());
  }

  private static String text(Map<String, Object> told, String key) {
    return String.valueOf(told.getOrDefault(key, ""));
  }

  private static long number(Map<String, Object> told, String key) {
    return told.get(key) instanceof Number number ? number.longValue() : 0;
  }

  @SuppressWarnings("unchecked") // as TestTap.Source says
  static Map<String, Object> attributes(Map<String, Object> told) {
    return (Map<String, Object>) told.getOrDefault("attributes", Map.of());
  }

  @SuppressWarnings("unchecked") // likewise
  private static List<Map<String, Object>> maps(Map<String, Object> told, String key) {
    return (List<Map<String, Object>>) told.getOrDefault(key, List.of());
  }
}
