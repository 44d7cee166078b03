// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Prints traces, a line for each, or one trace with a line for each of its spans. */
final class TraceViews {
  private static final int MAX_DEPTH = 40;
  private static final String FAILED = "  FAILED {statusMessage}";

  private TraceViews() {}

  static void list(Json answer, Lines out) {
    List<Json> traces = answer.each("traces");
    if (traces.isEmpty()) {
      out.text("no trace in memory matches");
      return;
    }
    out.text("DURATION  SPANS  TROUBLE  BEGAN                 TRACE  NAME");
    for (Json trace : traces) {
      trace.put(
          "trouble", trace.number("errors") + trace.number("timeouts") + trace.number("incidents"));
      out.of(
          began(trace),
          "{durationNanos:8ns}  {#spans:5}  {trouble:7}  {began:s}  {traceId}  {name}"
              + part(trace));
    }
    out.text("java -jar deimos.jar trace TRACE has the spans of one");
  }

  static void one(Json trace, Lines out) {
    List<Json> spans = trace.each("spans");
    out.of(
        began(trace), "{name}: {durationNanos:ns}, {#spans.size} spans, {began:s}" + part(trace));
    out.text("   AFTER     TOOK   WAITED  SPAN");
    Set<String> ids = spans.stream().map(span -> span.text("spanId")).collect(Collectors.toSet());
    Map<String, List<Json>> below = new HashMap<>();
    for (Json span : spans) {
      String parent = span.text("parentSpanId");
      boolean isTop = !ids.contains(parent) || parent.equals(span.text("spanId"));
      below.computeIfAbsent(isTop ? "" : parent, any -> new ArrayList<>()).add(span);
    }
    spans("", 0, below, out);
    trace.put("more", trace.number("spansLeftOut") + trace.number("truncated"));
    out.of(trace, "[and {+more} more spans]");
  }

  private static void spans(String parent, int depth, Map<String, List<Json>> below, Lines out) {
    List<Json> spans = below.remove(parent);
    if (spans == null) {
      return;
    }
    for (Json span : spans) {
      out.of(
          span,
          "{offsetNanos:8ns} {durationNanos:8ns} {waitNanos:8ns}  "
              + "  ".repeat(Math.min(depth, MAX_DEPTH))
              + "{name}"
              + (span.is("status", "ERROR") ? FAILED : ""));
      for (Json event : span.each("events")) {
        Map<String, ?> attributes = event.at("attributes").fields();
        event.put("type", attributes.get("exception.type"));
        event.put("message", attributes.get("exception.message"));
        if (event.is("name", "exception") || event.text("name").contains("dead_letter")) {
          out.of(event, "{offsetNanos:8ns}                    {name} [{type} ][{message}]");
        }
      }
      spans(span.text("spanId"), depth + 1, below, out);
    }
  }

  static void compared(Json answer, Lines out) {
    out.of(answer, "{#selected} traces named {name} against {#rest} others");
    List<Json> differences = answer.each("differences");
    if (differences.isEmpty()) {
      out.text("nothing differs for sure; more traces make smaller differences certain");
      return;
    }
    out.text("  THESE   OTHERS  AT LEAST  VALUE");
    for (Json one : differences) {
      one.put("more", one.each("also").size() + one.number("alsoLeftOut"));
      out.of(
          one,
          "{#selectedShare:7%}  {#restShare:7%}  {#certain:8%}  {field} = {value}[, and {+more} more"
              + " of the same traces]");
    }
    out.of(answer, "[and {+differencesLeftOut} more]");
  }

  private static Json began(Json trace) {
    String digits = trace.text("startEpochNanos");
    boolean known = digits.matches("[0-9]{1,18}|[1-8][0-9]{18}");
    trace.put("began", known ? Long.parseLong(digits) / 1e6 : 0.0);
    return trace;
  }

  /** Says what is missing in a trace. */
  private static String part(Json trace) {
    return trace.is("running", true)
        ? ", still running"
        : trace.is("reduced", true)
            ? ", reduced to its trouble"
            : trace.is("complete", false) ? ", in part" : "";
  }
}
