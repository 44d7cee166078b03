// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static io.deimos.benchmarks.harness.TextTable.number;

import io.deimos.benchmarks.json.Json;
import io.deimos.benchmarks.workload.Phases;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sending and receiving apart, in four shapes: few and many messages a round, one core and two. */
final class PhasesRun {
  private static final String SMALL = "3000";
  private static final String LARGE = "300000";

  private final Options options;
  private final List<Mode> modes;
  private final Deadline deadline;
  private final Forks forks;
  private final Map<String, Object> shapes = new LinkedHashMap<>();
  private final Map<String, Object> details = new LinkedHashMap<>();
  private final Map<String, String> missing = new LinkedHashMap<>();
  private final List<Map<String, Object>> allForks = new java.util.ArrayList<>();

  PhasesRun(Options options, List<Mode> modes, Deadline deadline) {
    this.options = options;
    this.modes = modes;
    this.deadline = deadline;
    forks = new Forks(options, "1g", "512m");
  }

  /** Runs it alone: tables, last line. */
  void runAndReport() throws IOException {
    measure(2, options.forksOr(5, 1), true);
    measure(1, options.forksOr(5, 1), true);
    if (allForks.isEmpty()) {
      throw new IllegalStateException("no mode gave a result: " + missing);
    }
    Report report = new Report(options).measuredBy(allForks);
    System.out.print(tables(report.clockReadNanos()));
    Map<String, Object> others = new LinkedHashMap<>(shapes);
    others.remove(shape(SMALL, 2));
    report.put("modes", mainShape());
    report.put("shapes", others).put("details", details);
    report.finish(missing, forks.flags());
  }

  void measure(int cores, int passes, boolean large) {
    if (!Forks.canBind()) {
      missing.put(cores + " cores", "taskset is not there");
      return;
    }
    if (cores > Runtime.getRuntime().availableProcessors()) {
      missing.put(cores + " cores", "the machine has fewer");
      return;
    }
    String[] arguments = {
      "--sizes=" + (large ? SMALL + "," + LARGE : SMALL),
      "--warmup-seconds=" + (options.quick() ? 1.5 : 4),
      "--seconds=" + (options.quick() ? 1.5 : 5)
    };
    Interleaved interleaved = new Interleaved(modes, deadline.next());
    String what = "phases, " + cores + (cores == 1 ? " core" : " cores");
    interleaved.run(what, passes, mode -> forks.run(mode, cores, Phases.class, arguments));
    interleaved
        .missing()
        .forEach((mode, why) -> missing.merge(mode, why, (a, b) -> a.equals(b) ? a : a + "; " + b));
    Map<String, List<Map<String, Object>>> results = interleaved.results();
    results.values().forEach(allForks::addAll);
    summarise(SMALL, cores, results);
    if (large) {
      summarise(LARGE, cores, results);
    }
  }

  Map<String, Object> mainShape() {
    return shapes.containsKey(shape(SMALL, 2)) ? Samples.object(shapes, shape(SMALL, 2)) : Map.of();
  }

  Map<String, Object> details() {
    return details;
  }

  List<Map<String, Object>> allForks() {
    return allForks;
  }

  Map<String, String> missing() {
    return missing;
  }

  String flags() {
    return forks.flags();
  }

  private static String shape(String size, int cores) {
    return size + "-" + cores + (cores == 1 ? "core" : "cores");
  }

  private void summarise(String size, int cores, Map<String, List<Map<String, Object>>> results) {
    Map<String, Object> byMode = new LinkedHashMap<>();
    Map<String, Object> detailByMode = new LinkedHashMap<>();
    results.forEach(
        (mode, forksOfMode) -> {
          List<Map<String, Object>> sizes = ofSize(size, forksOfMode);
          byMode.put(mode, summary(sizes));
          detailByMode.put(mode, detail(sizes, forksOfMode.get(0)));
        });
    shapes.put(shape(size, cores), byMode);
    details.put(shape(size, cores), detailByMode);
  }

  /** The measurements of each fork with so many messages a round. */
  static List<Map<String, Object>> ofSize(String size, List<Map<String, Object>> forks) {
    return forks.stream().map(fork -> Samples.object(Samples.object(fork, "sizes"), size)).toList();
  }

  static Map<String, Object> summary(List<Map<String, Object>> sizes) {
    Map<String, Object> summary = new LinkedHashMap<>();
    summary.put("send_ns", Json.round(Samples.of(sizes, "send_ns").median(), 1));
    summary.put("receive_ns", Json.round(Samples.of(sizes, "receive_ns").median(), 1));
    summary.put("send_min_ns", Json.round(Samples.of(sizes, "send_min_ns").min(), 1));
    summary.put("receive_min_ns", Json.round(Samples.of(sizes, "receive_min_ns").min(), 1));
    summary.put("bytes_per_msg", Json.round(Samples.of(sizes, "bytes_per_msg").median(), 1));
    return summary;
  }

  private static Map<String, Object> detail(
      List<Map<String, Object>> sizes, Map<String, Object> fork) {
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("forks", sizes.size());
    detail.put("rounds", Json.round(Samples.of(sizes, "rounds").median(), 0));
    detail.put("cpu_ns_per_msg", Json.round(Samples.of(sizes, "cpu_ns_per_msg").median(), 1));
    detail.put(
        "actor_bytes_per_msg", Json.round(Samples.of(sizes, "actor_bytes_per_msg").median(), 1));
    detail.put("send_iqr_ns", Json.round(Samples.of(sizes, "send_ns").interquartileRange(), 1));
    detail.put(
        "receive_iqr_ns", Json.round(Samples.of(sizes, "receive_ns").interquartileRange(), 1));
    detail.put("envelope_fields_added", OneActorRun.fields(fork));
    return detail;
  }

  /** One table a shape; what is added is against the uninstrumented fork of this very run. */
  String tables(double clockReadNanos) {
    StringBuilder out =
        new StringBuilder(
            "\nOne clock read: " + number(clockReadNanos, 1) + " ns; all in ns/msg\n");
    for (String shape : shapes.keySet()) {
      out.append('\n').append(shape).append(":\n").append(table(shape, clockReadNanos));
    }
    return out.append('\n').toString();
  }

  private TextTable table(String shape, double clockReadNanos) {
    TextTable table =
        new TextTable(
            "mode",
            "send",
            "receive",
            "send min",
            "receive min",
            "added",
            "added min",
            "clock reads",
            "min",
            "CPU",
            "B/msg",
            "actors' B/msg");
    Map<String, Object> byMode = Samples.object(shapes, shape);
    for (String mode : byMode.keySet()) {
      Map<String, Object> summary = Samples.object(byMode, mode);
      Map<String, Object> detail = Samples.object(Samples.object(details, shape), mode);
      String none = Mode.base(mode);
      Map<String, Object> base = byMode.containsKey(none) ? Samples.object(byMode, none) : summary;
      double added = both(summary, "") - both(base, "");
      double addedMin = both(summary, "min_") - both(base, "min_");
      table.row(
          mode,
          number(Samples.number(summary, "send_ns"), 1),
          number(Samples.number(summary, "receive_ns"), 1),
          number(Samples.number(summary, "send_min_ns"), 1),
          number(Samples.number(summary, "receive_min_ns"), 1),
          number(added, 1),
          number(addedMin, 1),
          number(added / clockReadNanos, 2),
          number(addedMin / clockReadNanos, 2),
          number(Samples.number(detail, "cpu_ns_per_msg"), 1),
          number(Samples.number(summary, "bytes_per_msg"), 1),
          number(Samples.number(detail, "actor_bytes_per_msg"), 1));
    }
    return table;
  }

  /** Sending and receiving; of the best rounds with {@code min_}. */
  static double both(Map<String, Object> summary, String kind) {
    return Samples.number(summary, "send_" + kind + "ns")
        + Samples.number(summary, "receive_" + kind + "ns");
  }
}
