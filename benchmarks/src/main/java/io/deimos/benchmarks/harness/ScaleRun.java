// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static io.deimos.benchmarks.harness.TextTable.number;

import io.deimos.benchmarks.json.Json;
import io.deimos.benchmarks.workload.Scale;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The price of a message as actors and message classes grow, what a live actor holds of the heap,
 * and the price of making and stopping one.
 */
final class ScaleRun {
  private static final List<String> AXES = List.of("actors", "classes");

  /** The figures of an actor that is made and stopped. */
  private static final List<String> CHURN =
      List.of("ns_per_actor", "min_ns_per_actor", "cpu_ns_per_actor", "bytes_per_actor");

  private final Options options;
  private final Forks forks;
  private final Interleaved interleaved;

  ScaleRun(Options options, List<Mode> modes) {
    this.options = options;
    forks = new Forks(options, "5g", "2g");
    interleaved = new Interleaved(modes, Deadline.of(options));
  }

  void runAndReport() throws IOException {
    String[] arguments =
        options.quick()
            ? new String[] {"--actors=1,100,10000,1000000", "--warmup=2", "--rounds=3"}
            : new String[] {"--warmup=4", "--rounds=9"};
    interleaved.run(
        "scale", options.forksOr(3, 1), mode -> forks.run(mode, 0, Scale.class, arguments));
    Map<String, List<Map<String, Object>>> results = interleaved.results();
    Map<String, Object> modes = new LinkedHashMap<>();
    results.forEach((mode, forksOfMode) -> modes.put(mode, summary(forksOfMode)));
    Report report =
        new Report(options).measuredBy(results.values().stream().flatMap(List::stream).toList());
    print(modes, report.clockReadNanos());
    report.put("modes", modes).put("added_bytes_per_actor", addedBytesPerActor(modes));
    report.finish(interleaved.missing(), forks.flags());
  }

  private static Map<String, Object> summary(List<Map<String, Object>> results) {
    Map<String, Object> summary = new LinkedHashMap<>();
    for (String axis : AXES) {
      Map<String, Object> steps = new LinkedHashMap<>();
      for (String step : Samples.object(results.get(0), axis).keySet()) {
        List<Map<String, Object>> values =
            results.stream().map(fork -> Samples.object(Samples.object(fork, axis), step)).toList();
        Map<String, Object> medians = new LinkedHashMap<>();
        medians.put("ns_per_msg", Json.round(Samples.of(values, "ns_per_msg").median(), 1));
        medians.put("min_ns_per_msg", Json.round(Samples.of(values, "min_ns_per_msg").min(), 1));
        medians.put("cpu_ns_per_msg", Json.round(Samples.of(values, "cpu_ns_per_msg").median(), 1));
        medians.put("bytes_per_msg", Json.round(Samples.of(values, "bytes_per_msg").median(), 1));
        steps.put(step, medians);
      }
      summary.put(axis, steps);
    }
    List<Map<String, Object>> churns =
        results.stream().map(fork -> Samples.object(fork, "churn")).toList();
    Map<String, Object> churn = new LinkedHashMap<>();
    for (String key : CHURN) {
      Statistics values = Samples.of(churns, key);
      churn.put(key, Json.round(key.startsWith("min") ? values.min() : values.median(), 1));
    }
    summary.put("churn", churn);
    summary.put("bytes_per_actor", Json.round(Samples.of(results, "bytes_per_actor").median(), 1));
    return summary;
  }

  private static Map<String, Object> addedBytesPerActor(Map<String, Object> modes) {
    Map<String, Object> added = new LinkedHashMap<>();
    if (modes.containsKey("none")) {
      double base = Samples.number(Samples.object(modes, "none"), "bytes_per_actor");
      for (String mode : modes.keySet()) {
        double bytes = Samples.number(Samples.object(modes, mode), "bytes_per_actor");
        added.put(mode, Json.round(bytes - base, 1));
      }
    }
    return added;
  }

  private static void print(Map<String, Object> modes, double clockReadNanos) {
    TextTable table =
        new TextTable(
            "mode",
            "axis",
            "step",
            "ns/msg",
            "min",
            "CPU ns/msg",
            "added CPU, clock reads",
            "B/msg");
    for (String mode : modes.keySet()) {
      for (String axis : AXES) {
        Map<String, Object> steps = Samples.object(Samples.object(modes, mode), axis);
        for (String step : steps.keySet()) {
          Map<String, Object> values = Samples.object(steps, step);
          table.row(
              mode,
              axis,
              step,
              number(Samples.number(values, "ns_per_msg"), 1),
              number(Samples.number(values, "min_ns_per_msg"), 1),
              number(Samples.number(values, "cpu_ns_per_msg"), 1),
              addedClockReads(modes, axis, step, values, clockReadNanos),
              number(Samples.number(values, "bytes_per_msg"), 1));
        }
      }
    }
    System.out.println("\nOne clock read: " + number(clockReadNanos, 1) + " ns\n\n" + table);
    TextTable memory = new TextTable("mode", "B per live actor", "added");
    Map<String, Object> added = addedBytesPerActor(modes);
    for (String mode : modes.keySet()) {
      memory.row(
          mode,
          number(Samples.number(Samples.object(modes, mode), "bytes_per_actor"), 0),
          added.containsKey(mode) ? number(Samples.number(added, mode), 1) : "");
    }
    System.out.println(memory);
    TextTable churn =
        new TextTable("mode", "made and stopped: ns/actor", "min", "CPU ns/actor", "B/actor");
    for (String mode : modes.keySet()) {
      Map<String, Object> values = Samples.object(Samples.object(modes, mode), "churn");
      String[] row = new String[CHURN.size() + 1];
      row[0] = mode;
      for (int i = 0; i < CHURN.size(); i++) {
        row[i + 1] = number(Samples.number(values, CHURN.get(i)), 0);
      }
      churn.row(row);
    }
    System.out.println(churn);
  }

  private static String addedClockReads(
      Map<String, Object> modes,
      String axis,
      String step,
      Map<String, Object> values,
      double clockReadNanos) {
    if (!modes.containsKey("none")) {
      return "";
    }
    Map<String, Object> base =
        Samples.object(Samples.object(Samples.object(modes, "none"), axis), step);
    double added =
        Samples.number(values, "cpu_ns_per_msg") - Samples.number(base, "cpu_ns_per_msg");
    return number(added / clockReadNanos, 2);
  }
}
