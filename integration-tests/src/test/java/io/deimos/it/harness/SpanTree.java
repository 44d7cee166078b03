// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes spans as text, one a line, a child two columns to the right of its parent, so that a test
 * can state a whole trace and a failure shows one. Siblings are sorted by their text, since actors
 * run at once.
 */
public final class SpanTree {
  private final Map<String, List<ReceivedSpan>> children;
  private final Set<String> ids;
  private final Map<String, ReceivedSpan> byId;

  private SpanTree(List<ReceivedSpan> spans) {
    children = spans.stream().collect(groupingBy(ReceivedSpan::parentId));
    ids = spans.stream().map(ReceivedSpan::spanId).collect(toSet());
    byId = byId(spans);
  }

  /** All traces in which a span belongs to the actor system {@code system}. */
  public static String ofSystem(List<ReceivedSpan> all, String system) {
    return of(tracesOf(all, system));
  }

  public static List<ReceivedSpan> tracesOf(List<ReceivedSpan> all, String system) {
    Set<String> traces =
        all.stream()
            .filter(s -> system.equals(s.system()))
            .map(ReceivedSpan::traceId)
            .collect(toSet());
    return all.stream().filter(s -> traces.contains(s.traceId())).toList();
  }

  public static String of(List<ReceivedSpan> spans) {
    SpanTree tree = new SpanTree(spans);
    return spans.stream()
        .filter(s -> s.isRoot() || !tree.ids.contains(s.parentId()))
        .map(s -> (s.isRoot() ? "" : "(parent missing) ") + tree.text(s, 0))
        .sorted()
        .collect(Collectors.joining());
  }

  private String text(ReceivedSpan span, int depth) {
    return "  ".repeat(depth)
        + line(span)
        + "\n"
        + children.getOrDefault(span.spanId(), List.of()).stream()
            .map(child -> text(child, depth + 1))
            .sorted()
            .collect(Collectors.joining());
  }

  private String line(ReceivedSpan span) {
    StringBuilder line = new StringBuilder(span.name());
    append(line, " at ", shortPath(span.path()));
    append(line, " from ", shortPath(span.text("pekko.sender.path")));
    append(line, " ! ", span.text("error.type"));
    append(line, ", target ", span.text("pekko.ask.target.state"));
    if (span.text("pekko.stash.wait") != null) {
      line.append(", stashed");
    }
    for (ReceivedSpan.Link link : span.links()) {
      ReceivedSpan to = byId.get(link.spanId());
      line.append(", ").append(link.attributes().get("deimos.link.reason")).append(" after ");
      line.append(to == null ? "a span of another scenario" : to.name());
    }
    return line.toString();
  }

  private static void append(StringBuilder line, String word, @Nullable String value) {
    if (value != null) {
      line.append(word).append(value);
    }
  }

  /** Names that Pekko makes up are not the test's: {@code $a} and {@code $b} become {@code $}. */
  private static @Nullable String shortPath(@Nullable String path) {
    return path == null
        ? null
        : path.replaceFirst("^(?:pekko|akka)://[^/]*", "")
            .replaceAll("/temp/.*", "/temp")
            .replaceAll("StreamSupervisor-[0-9]+", "StreamSupervisor-\\$")
            .replaceAll("\\$[A-Za-z+~0-9]+", "\\$");
  }

  /** A few words on many spans, for messages of failed assertions. */
  public static String summary(List<ReceivedSpan> spans) {
    if (spans.size() <= 60) {
      return spans.size() + " spans\n" + of(spans);
    }
    Map<String, Long> counts =
        spans.stream().collect(groupingBy(ReceivedSpan::name, Collectors.counting()));
    return spans.size() + " spans " + counts;
  }

  public static Map<String, ReceivedSpan> byId(List<ReceivedSpan> spans) {
    return spans.stream().collect(toMap(ReceivedSpan::spanId, Function.identity()));
  }

  /** The spans that one is inside of, nearest first. */
  public static List<ReceivedSpan> ancestors(Map<String, ReceivedSpan> byId, ReceivedSpan of) {
    List<ReceivedSpan> found = new ArrayList<>();
    for (ReceivedSpan s = byId.get(of.parentId()); s != null; s = byId.get(s.parentId())) {
      found.add(s);
    }
    return found;
  }
}
