// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import static java.util.stream.Collectors.joining;

import io.deimos.agent.span.SpanType;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The page about telemetry. In its tables of spans, events and metrics the code declares all cells
 * of a row but the last, which the page's writer fills. A row may have several names that share
 * these cells. Attributes that a table's header names belong to each of its rows.
 */
final class NamesPage {
  private static final Set<String> TABLES = Set.of("span", "event", "metric");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private final List<Line> lines = new ArrayList<>();

  /** A line, and the header of the table that it is in, if it is in one. */
  private record Line(String header, String text) {
    private boolean isRow() {
      return TABLES.contains(table()) && text.startsWith("| `");
    }

    private String table() {
      return first(header).strip();
    }

    private List<String> names() {
      return quoted(first(text));
    }

    private static String first(String row) {
      return row.isEmpty() ? "" : row.split("\\|", -1)[1];
    }

    private String written() {
      Map<String, String> cells = cells(quoted(header));
      return names().stream().map(NamesPage::code).collect(joining(", ", "| ", ""))
          + names().stream()
              .map(name -> cells.getOrDefault(table() + " " + name, " | not declared"))
              .distinct()
              .collect(joining(" or "))
          + text.substring(text.lastIndexOf(" |", text.length() - 3));
    }
  }

  NamesPage(String page) {
    String header = "";
    for (String line : page.lines().toList()) {
      if (!line.startsWith("|")) {
        header = "";
      } else if (header.isEmpty()) {
        header = line;
      }
      lines.add(new Line(header, line));
    }
  }

  /** The page with all cells that the code declares as the code has them. */
  String written() {
    return lines.stream()
        .map(line -> line.isRow() ? line.written() : line.text)
        .collect(joining("\n", "", "\n"));
  }

  /** The kind and the name of all that has a row. */
  List<String> rows() {
    return lines.stream()
        .filter(Line::isRow)
        .flatMap(line -> line.names().stream().map(name -> line.table() + " " + name))
        .toList();
  }

  /** The kind and the name of all that is declared. */
  static Set<String> declared() {
    return cells(List.of()).keySet();
  }

  /** How the page writes an attribute: a string needs no type. */
  static String typed(Attribute attribute) {
    return code(attribute.key())
        + (attribute.type() == Attribute.Type.STRING ? "" : " (" + NamesDocs.type(attribute) + ")");
  }

  /** By kind and name, the cells between the name and the writer's. */
  private static Map<String, String> cells(List<String> ofAllRows) {
    Map<String, String> cells = new TreeMap<>();
    for (SpanType span : SpanType.values()) {
      cells.put(
          "span " + span.pattern(),
          " | " + NamesDocs.kind(span) + " | " + code(span.attributes(), ofAllRows));
    }
    for (EventName event : EventName.values()) {
      cells.put("event " + event.id(), " | " + code(event.attributes(), ofAllRows));
    }
    for (NamesDocs.Told metric : NamesDocs.metrics()) {
      cells.put(
          "metric " + metric.id(),
          String.format(
              " | %s, %s | %s",
              metric.kind(), metric.unit(), code(metric.attributes(), ofAllRows)));
    }
    return cells;
  }

  private static String code(List<Attribute> attributes, List<String> ofAllRows) {
    List<String> keys = attributes.stream().map(Attribute::key).toList();
    return Stream.concat(
            ofAllRows.stream().filter(key -> !keys.contains(key)).map(key -> "not " + code(key)),
            keys.stream().filter(key -> !ofAllRows.contains(key)).map(NamesPage::code))
        .collect(joining(", "));
  }

  private static String code(String name) {
    return '`' + name + '`';
  }

  private static List<String> quoted(String text) {
    return CODE.matcher(text).results().map(found -> found.group(1)).toList();
  }
}
