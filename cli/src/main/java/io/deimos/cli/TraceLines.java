// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Prints traces, a line for each, or one trace with a line for each of its spans. */
final class TraceLines {
  private static final int MAX_DEPTH = 40;

  private TraceLines() {}

  static void list(Map<String, @Nullable Object> answer, PrintStream out) {
    List<@Nullable Object> traces = PlainJson.list(answer.get("traces"));
    if (traces.isEmpty()) {
      out.println("no trace in memory matches");
      return;
    }
    out.println("DURATION  SPANS  TROUBLE  BEGAN                 TRACE  NAME");
    for (@Nullable Object one : traces) {
      Map<String, @Nullable Object> trace = PlainJson.object(one);
      double trouble =
          number(trace, "errors") + number(trace, "timeouts") + number(trace, "incidents");
      out.println(
          ActorTable.printable(
              String.format(
                  Locale.ROOT,
                  "%8s  %5.0f  %7.0f  %s  %s  %s%s",
                  ActorTable.duration(trace.get("durationNanos")),
                  number(trace, "spans"),
                  trouble,
                  began(trace),
                  trace.get("traceId"),
                  trace.get("name"),
                  part(trace))));
    }
    out.println("java -jar deimos.jar trace TRACE has the spans of one");
  }

  static void trace(Map<String, @Nullable Object> trace, PrintStream out) {
    List<Map<String, @Nullable Object>> spans = new ArrayList<>();
    for (@Nullable Object span : PlainJson.list(trace.get("spans"))) {
      spans.add(PlainJson.object(span));
    }
    out.println(
        ActorTable.printable(
            String.format(
                Locale.ROOT,
                "%s: %s, %d spans, %s%s",
                trace.get("name"),
                ActorTable.duration(trace.get("durationNanos")),
                spans.size(),
                began(trace),
                part(trace))));
    out.println("   AFTER     TOOK   WAITED  SPAN");
    new Tree(spans, out).print();
    double more = number(trace, "spansLeftOut") + number(trace, "truncated");
    if (more > 0) {
      out.printf(Locale.ROOT, "and %.0f more spans%n", more);
    }
  }

  /** What is missing in a trace, after its line. */
  private static String part(Map<String, @Nullable Object> trace) {
    if (Boolean.TRUE.equals(trace.get("running"))) {
      return ", still running";
    }
    if (Boolean.TRUE.equals(trace.get("reduced"))) {
      return ", reduced to its trouble";
    }
    return Boolean.FALSE.equals(trace.get("complete")) ? ", in part" : "";
  }

  private static Instant began(Map<String, @Nullable Object> trace) {
    @Nullable Object nanos = trace.get("startEpochNanos");
    String digits = nanos instanceof String ? (String) nanos : "";
    long epochNanos = digits.matches("[0-9]{1,18}|[1-8][0-9]{18}") ? Long.parseLong(digits) : 0;
    return Instant.ofEpochSecond(0, epochNanos).truncatedTo(ChronoUnit.SECONDS);
  }

  private static double number(Map<String, @Nullable Object> of, String name) {
    @Nullable Object value = of.get(name);
    return value instanceof Double ? (Double) value : 0;
  }

  /** The spans below those that they are part of. */
  private static final class Tree {
    private final List<Map<String, @Nullable Object>> spans;
    private final PrintStream out;
    private final Map<Object, List<Map<String, @Nullable Object>>> children = new HashMap<>();
    private final Set<Object> ids = new HashSet<>();

    Tree(List<Map<String, @Nullable Object>> spans, PrintStream out) {
      this.spans = spans;
      this.out = out;
    }

    void print() {
      for (Map<String, @Nullable Object> span : spans) {
        ids.add(String.valueOf(span.get("spanId")));
      }
      List<Map<String, @Nullable Object>> tops = new ArrayList<>();
      for (Map<String, @Nullable Object> span : spans) {
        Object parent = String.valueOf(span.get("parentSpanId"));
        if (ids.contains(parent) && !parent.equals(span.get("spanId"))) {
          children.computeIfAbsent(parent, any -> new ArrayList<>()).add(span);
        } else {
          tops.add(span);
        }
      }
      for (Map<String, @Nullable Object> top : tops) {
        print(top, 0);
      }
    }

    private void print(Map<String, @Nullable Object> span, int depth) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < Math.min(depth, MAX_DEPTH); i++) {
        line.append("  ");
      }
      line.append(span.get("name"));
      if ("ERROR".equals(span.get("status"))) {
        line.append("  FAILED ").append(span.get("statusMessage"));
      }
      out.println(
          ActorTable.printable(
              String.format(
                  Locale.ROOT,
                  "%8s %8s %8s  %s",
                  ActorTable.duration(span.get("offsetNanos")),
                  ActorTable.duration(span.get("durationNanos")),
                  ActorTable.duration(span.get("waitNanos")),
                  line)));
      for (@Nullable Object one : PlainJson.list(span.get("events"))) {
        Map<String, @Nullable Object> event = PlainJson.object(one);
        String what = String.valueOf(event.get("name"));
        if (what.equals("exception") || what.contains("dead_letter")) {
          out.println(
              ActorTable.printable(
                  String.format(
                      Locale.ROOT,
                      "%8s                    %s %s",
                      ActorTable.duration(event.get("offsetNanos")),
                      what,
                      detail(event))));
        }
      }
      List<Map<String, @Nullable Object>> below =
          children.remove(String.valueOf(span.get("spanId")));
      if (below != null) {
        for (Map<String, @Nullable Object> child : below) {
          print(child, depth + 1);
        }
      }
    }

    private static String detail(Map<String, @Nullable Object> event) {
      Map<String, @Nullable Object> attributes = PlainJson.object(event.get("attributes"));
      @Nullable Object type = attributes.get("exception.type");
      @Nullable Object message = attributes.get("exception.message");
      return (type == null ? "" : type + " ") + (message == null ? "" : message);
    }
  }
}
