// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.testkit;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The spans of one trace, as far as they have ended. Immutable.
 *
 * @param traceId 32 hexadecimal digits
 * @param spans by their start
 */
public record RecordedTrace(String traceId, List<RecordedSpan> spans) {
  /** The spans of a name. */
  public List<RecordedSpan> spans(String name) {
    return spans.stream().filter(s -> s.name().equals(name)).toList();
  }

  /**
   * The one span of a name.
   *
   * @throws AssertionError if there is none, or more than one
   */
  public RecordedSpan span(String name) {
    List<RecordedSpan> found = spans(name);
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " spans '" + name + "' in\n" + tree());
    }
    return found.get(0);
  }

  /**
   * The trace as text: a line for each span, {@code process Place at /user/orders}, a child two
   * columns to the right of its parent. A span that ended in an error says so, {@code ! timeout}.
   * Siblings are sorted by their text, since actors run at once; names that Pekko makes up are
   * {@code $}; spans without an actor's path have a name only.
   */
  public String tree() {
    Set<String> ids = spans.stream().map(RecordedSpan::spanId).collect(Collectors.toSet());
    StringBuilder text = new StringBuilder();
    spans.stream()
        .filter(s -> !ids.contains(s.parentSpanId()))
        .map(s -> text(s, 0, new HashSet<>()))
        .sorted()
        .forEach(text::append);
    return text.toString();
  }

  private String text(RecordedSpan span, int depth, Set<String> above) {
    above.add(span.spanId());
    String below =
        spans.stream()
            .filter(s -> s.parentSpanId().equals(span.spanId()) && !above.contains(s.spanId()))
            .map(s -> text(s, depth + 1, above))
            .sorted()
            .collect(Collectors.joining());
    return "  ".repeat(depth) + line(span) + "\n" + below;
  }

  private static String line(RecordedSpan span) {
    String path = span.attribute("pekko.actor.path");
    String error = span.attribute("error.type");
    return span.name()
        + (path == null ? "" : " at " + shortened(path))
        + (error != null ? " ! " + error : span.status().equals("ERROR") ? " ! ERROR" : "");
  }

  private static String shortened(String path) {
    return path.replaceFirst("^[a-z.]+://[^/]*", "")
        .replaceAll("/temp/.*", "/temp")
        .replaceAll("\\$[A-Za-z+~0-9]+", "\\$");
  }

  /** When it began, as far as known. */
  long startEpochNanos() {
    return spans.stream()
        .min(Comparator.comparingLong(RecordedSpan::startEpochNanos))
        .map(RecordedSpan::startEpochNanos)
        .orElse(0L);
  }
}
