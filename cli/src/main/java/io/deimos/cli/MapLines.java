// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints who has told whom, a line for each edge of the map. */
final class MapLines {
  private MapLines() {}

  static void print(Map<String, @Nullable Object> answer, PrintStream out) {
    Map<String, String> names = new HashMap<>();
    for (@Nullable Object one : PlainJson.list(answer.get("nodes"))) {
      Map<String, @Nullable Object> node = PlainJson.object(one);
      names.put(String.valueOf(node.get("key")), shown(node));
    }
    List<@Nullable Object> edges = PlainJson.list(answer.get("edges"));
    out.println(
        "   MSG/S  WAIT P99  FAILED  SLOWEST TRACE                     FROM -> TO: MESSAGES");
    for (@Nullable Object one : edges) {
      edge(PlainJson.object(one), names, out);
    }
    out.printf(
        Locale.ROOT,
        "%d edges, %.0f messages of the last %.0f s%n",
        edges.size(),
        number(answer, "messages"),
        number(answer, "seconds"));
    if (number(answer, "edgesLeftOut") > 0) {
      out.printf(
          Locale.ROOT,
          "%.0f more edges are left out; --limit shows more%n",
          number(answer, "edgesLeftOut"));
    }
    ActorTable.recorded(answer.get("recordedShare"), out);
  }

  private static void edge(
      Map<String, @Nullable Object> edge, Map<String, String> names, PrintStream out) {
    @Nullable Object slowest = edge.get("slowest");
    StringBuilder classes = new StringBuilder();
    for (@Nullable Object one : PlainJson.list(edge.get("classes"))) {
      classes
          .append(classes.length() == 0 ? "" : ", ")
          .append(simple(String.valueOf(PlainJson.object(one).get("class"))));
    }
    out.println(
        ActorTable.printable(
            String.format(
                Locale.ROOT,
                "%8.1f  %8s  %6.0f  %-32s  %s -> %s: %s",
                number(edge, "ratePerSecond"),
                ActorTable.duration(edge.get("waitP99Nanos")),
                number(edge, "failures"),
                slowest instanceof Map ? PlainJson.object(slowest).get("traceId") : "-",
                names.get(String.valueOf(edge.get("from"))),
                names.get(String.valueOf(edge.get("to"))),
                classes)));
  }

  private static String shown(Map<String, @Nullable Object> node) {
    String name = String.valueOf(node.get("name"));
    return "class".equals(node.get("kind")) ? simple(name) : name;
  }

  private static String simple(String type) {
    return type.substring(type.lastIndexOf('.') + 1).replace('$', '.');
  }

  private static double number(Map<String, @Nullable Object> of, String name) {
    @Nullable Object value = of.get(name);
    return value instanceof Double ? (Double) value : 0;
  }
}
