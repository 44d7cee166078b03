// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.Arguments;

/**
 * The output of the nodes on the rows they ran, after they ran them all. A trace belongs to the row
 * at whose actor it begins; every span says at which node it was.
 */
public final class WireRun {
  private final List<ReceivedSpan> spans;
  private final List<ReceivedPoint> points;
  private final List<WireNode> nodes;
  private final Map<String, String> deadLetters;

  public WireRun(List<ReceivedSpan> spans, List<ReceivedPoint> points, List<WireNode> nodes) {
    this(spans, points, nodes, Map.of());
  }

  private WireRun(
      List<ReceivedSpan> spans,
      List<ReceivedPoint> points,
      List<WireNode> nodes,
      Map<String, String> deadLetters) {
    this.spans = spans;
    this.points = points;
    this.nodes = nodes;
    this.deadLetters = deadLetters;
  }

  /** Ends the nodes, after they ran their rows. */
  public static WireRun end(OtlpReceiver receiver, List<WireNode> nodes) {
    Map<String, String> deadLetters = new TreeMap<>();
    for (WireNode node : nodes) {
      for (String system : node.systems()) {
        deadLetters.put(system + " at " + node.address(system), node.deadLetters(system));
      }
    }
    nodes.forEach(WireNode::end);
    return new WireRun(receiver.spans(), receiver.points(), nodes, deadLetters);
  }

  public List<ReceivedSpan> spans() {
    return spans;
  }

  public List<ReceivedPoint> points() {
    return points;
  }

  /** The highest reading of a metric of what went to, or came from, a node's system. */
  public double most(String metric, WireNode peer, String system, String direction) {
    return most(points, metric, peer.address(system), direction);
  }

  public static double most(
      List<ReceivedPoint> points, String metric, String peerAddress, String direction) {
    return points.stream()
        .filter(p -> p.name().equals(metric))
        .filter(p -> peerAddress.equals(p.attributes().get("pekko.remote.peer")))
        .filter(p -> direction.equals(p.attributes().get("network.io.direction")))
        .mapToDouble(p -> Math.max(p.value(), (double) p.count()))
        .max()
        .orElse(0);
  }

  public List<WireNode> nodes() {
    return nodes;
  }

  /** A test's arguments for each row: its name, and what is expected of it. */
  public static Stream<Arguments> arguments(Map<String, String> rows) {
    return rows.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(row -> Arguments.of(row.getKey(), row.getValue()));
  }

  /** The traces with a span at the actor that is named after a row. */
  public List<ReceivedSpan> spansOf(String system, String row) {
    Set<String> traces =
        spans.stream()
            .filter(s -> system.equals(s.system()))
            .filter(
                s -> s.path() != null && s.path().matches("pekko://[^/]*/user/" + row + "(/.*)?"))
            .map(ReceivedSpan::traceId)
            .collect(toSet());
    return spans.stream().filter(s -> traces.contains(s.traceId())).toList();
  }

  /** Asserts that a row's traces are these and nothing more. */
  public void assertTraces(String system, String row, String expected) {
    assertThat(nodes)
        .as("row %s on %s ran\n%s", row, system, WireNode.transcripts(nodes))
        .anyMatch(node -> node.hasDone(system, row));
    assertThat(tree(spansOf(system, row)))
        .as("traces of %s on %s", row, system)
        .isEqualTo(expected);
  }

  /** Asserts that no message was for nobody, as Pekko tells it and as the agent does. */
  public void assertNoDeadLetters(List<String> systems) {
    assertThat(deadLetters).hasSize(systems.size() * nodes.size());
    assertThat(deadLetters.values()).as("%s", deadLetters).containsOnly("[]");
    assertThat(spans)
        .filteredOn(s -> s.events().stream().anyMatch(e -> e.name().equals("pekko.dead_letter")))
        .isEmpty();
    for (WireNode node : nodes) {
      assertThat(node.jvm().err()).noneMatch(l -> l.contains("incident=dead_letter"));
    }
  }

  /** Spans as text, as {@link SpanTree} writes them, with the node of each before its path. */
  public static String tree(List<ReceivedSpan> spans) {
    Map<String, List<ReceivedSpan>> children =
        new TreeMap<>(spans.stream().collect(groupingBy(ReceivedSpan::parentId)));
    Set<String> ids = spans.stream().map(ReceivedSpan::spanId).collect(toSet());
    return spans.stream()
        .filter(s -> !ids.contains(s.parentId()))
        .map(s -> (s.isRoot() ? "" : "(parent missing) ") + text(s, 0, children))
        .sorted()
        .collect(Collectors.joining());
  }

  private static String text(
      ReceivedSpan span, int depth, Map<String, List<ReceivedSpan>> children) {
    return "  ".repeat(depth)
        + span.name()
        + " at "
        + span.resource().get("service.name")
        + shortPath(span.path())
        + (span.text("error.type") == null ? "" : " ! " + span.text("error.type"))
        + "\n"
        + children.getOrDefault(span.spanId(), List.of()).stream()
            .map(child -> text(child, depth + 1, children))
            .sorted()
            .collect(Collectors.joining());
  }

  private static String shortPath(@Nullable String path) {
    return path == null
        ? ""
        : path.replaceFirst("^pekko(\\.tcp)?://[^/]*", "")
            .replaceAll("/temp/.*", "/temp")
            .replaceAll("/remote/pekko[.a-z]*/.*/user/", "/remote/…/")
            .replaceAll("\\$[A-Za-z+~0-9]+", "\\$");
  }
}
