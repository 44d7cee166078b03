// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.remote;

import static java.util.stream.Collectors.joining;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import wire.BasicRows;
import wire.Rows;
import wire.TypedRows;

/** The rest of a row's trace from node a to node b, if b has another agent, or none. */
final class WireMixedTrees {
  private static final Map<String, String> TRACES =
      Rows.of(BasicRows::addTo, TypedRows::addTo, Rows::addScalas).traces();

  private WireMixedTrees() {}

  /**
   * One line of a tree as text.
   *
   * @param ofB the depths of those above it that are b's, from the top
   */
  private record Line(String text, int depth, List<Integer> ofB) {
    boolean isOfB() {
      return text.contains(" at b/");
    }

    String at(int depth) {
      return "  ".repeat(depth) + text + "\n";
    }
  }

  private static List<Line> lines(String row) {
    Deque<Integer> ofB = new ArrayDeque<>();
    List<Line> lines = new ArrayList<>();
    for (String line : Objects.requireNonNull(TRACES.get(row), row).lines().toList()) {
      String text = line.strip();
      int depth = (line.length() - text.length()) / 2;
      ofB.removeIf(above -> above >= depth);
      lines.add(new Line(text, depth, List.copyOf(ofB)));
      if (lines.get(lines.size() - 1).isOfB()) {
        ofB.add(depth);
      }
    }
    return lines;
  }

  /** If b hands the context on: one trace, without the spans of b. */
  static String handedOn(String row) {
    return lines(row).stream()
        .filter(line -> !line.isOfB())
        .map(line -> line.at(line.depth() - line.ofB().size()))
        .collect(joining());
  }

  /** If b does not: what comes back from b begins a trace of its own. */
  static List<String> apart(String row) {
    List<String> trees = new ArrayList<>();
    for (Line line : lines(row)) {
      if (!line.isOfB()) {
        int depth =
            line.ofB().isEmpty()
                ? line.depth()
                : line.depth() - 1 - line.ofB().get(line.ofB().size() - 1);
        if (depth > 0) {
          trees.add(trees.remove(trees.size() - 1) + line.at(depth));
        } else {
          trees.add(line.at(0));
        }
      }
    }
    return trees;
  }

  /** If b's part is played by a, and a's by a node with the other agent: its span, and a's. */
  static String sent(String row, String span) {
    return span
        + " at otel\n"
        + lines(row).stream()
            .filter(line -> line.isOfB() && line.ofB().isEmpty())
            .map(line -> line.at(1).replace(" at b/", " at a/"))
            .collect(joining());
  }
}
