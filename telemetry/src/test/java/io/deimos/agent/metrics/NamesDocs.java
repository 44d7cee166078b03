// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import static java.util.stream.Collectors.joining;

import io.deimos.agent.span.Scope;
import io.deimos.agent.span.SpanType;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** All names of telemetry, as the list that a test keeps. */
final class NamesDocs {
  private NamesDocs() {}

  /** A metric of either kind. */
  record Told(String id, String kind, String unit, String about, List<Attribute> attributes) {
    private static Told of(Metric metric) {
      return new Told(
          metric.id(),
          metric.kind().word(),
          metric.unit(),
          metric.description(),
          metric.attributes());
    }

    private static Told of(Instrument metric) {
      return new Told(
          metric.id(),
          metric.kind().word(),
          metric.unit(),
          metric.description(),
          metric.attributes());
    }
  }

  /** All metrics, by name. */
  static List<Told> metrics() {
    return Stream.concat(
            Stream.of(Metric.values()).map(Told::of), Stream.of(Instrument.values()).map(Told::of))
        .sorted(Comparator.comparing(Told::id))
        .toList();
  }

  /** All attributes, by key. */
  static List<Attribute> attributes() {
    return Stream.of(Attribute.values()).sorted(Comparator.comparing(Attribute::key)).toList();
  }

  static String kind(SpanType span) {
    return span.kind().name();
  }

  static String type(Attribute attribute) {
    return attribute.type().name().toLowerCase(Locale.ROOT);
  }

  /** One line for each name. */
  static String list() {
    StringBuilder list = new StringBuilder();
    list.append("scope ").append(Scope.INFO.getName());
    list.append(", ").append(Scope.INFO.getSchemaUrl()).append('\n');
    for (SpanType span : SpanType.values()) {
      list.append("span ").append(span.pattern()).append(", ").append(kind(span));
      list.append(keys(": ", span.attributes())).append('\n');
    }
    for (EventName event : EventName.values()) {
      list.append("event ").append(event.id());
      list.append(keys(": ", event.attributes())).append('\n');
    }
    list.append("link").append(keys(": ", List.of(Attribute.LINK_REASON))).append('\n');
    for (Told metric : metrics()) {
      list.append("metric ").append(metric.id).append(", ").append(metric.kind);
      list.append(", ").append(metric.unit).append(keys(": ", metric.attributes)).append('\n');
    }
    for (Attribute attribute : attributes()) {
      list.append("attribute ").append(attribute.key()).append(", ");
      list.append(type(attribute)).append('\n');
    }
    return list.toString();
  }

  private static String keys(String before, List<Attribute> attributes) {
    return attributes.isEmpty()
        ? ""
        : before + attributes.stream().map(Attribute::key).collect(joining(" "));
  }
}
