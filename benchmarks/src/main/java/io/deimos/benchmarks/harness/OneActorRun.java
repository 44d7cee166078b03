// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static io.deimos.benchmarks.harness.TextTable.number;

import io.deimos.benchmarks.json.Json;
import io.deimos.benchmarks.workload.OneActor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Throughput of one actor in several modes. A fork counts as the median of its rounds. */
final class OneActorRun {
  private final Options options;
  private final Forks forks;
  private final Interleaved interleaved;
  private final Map<String, Object> modes = new LinkedHashMap<>();
  private final Map<String, Object> details = new LinkedHashMap<>();

  OneActorRun(Options options, List<Mode> modes, Deadline deadline) {
    this.options = options;
    forks = new Forks(options, "3g", "2g");
    interleaved = new Interleaved(modes, deadline);
  }

  /** Runs it alone: table, last line. */
  void runAndReport() throws IOException {
    measure(options.forksOr(5, 4));
    Report report = new Report(options).measuredBy(allForks());
    System.out.print(table(report.clockReadNanos()));
    report.put("modes", modes).put("details", details);
    report.finish(interleaved.missing(), forks.flags());
  }

  void measure(int passes) {
    String[] arguments =
        options.quick()
            ? new String[] {"--warmup=3", "--rounds=5"}
            : new String[] {"--warmup=6", "--rounds=10"};
    interleaved.run("one-actor", passes, mode -> forks.run(mode, 0, OneActor.class, arguments));
    interleaved.results().forEach(this::summarise);
  }

  Map<String, Object> modes() {
    return modes;
  }

  Map<String, Object> details() {
    return details;
  }

  Map<String, String> missing() {
    return interleaved.missing();
  }

  String flags() {
    return forks.flags();
  }

  List<Map<String, Object>> allForks() {
    return interleaved.results().values().stream().flatMap(List::stream).toList();
  }

  private void summarise(String mode, List<Map<String, Object>> results) {
    List<Map<String, Object>> medians = results.stream().map(OneActorRun::medians).toList();
    Map<String, Object> summary = new LinkedHashMap<>();
    summary.put("msgs_per_s", Json.round(Samples.of(medians, "msgs_per_s").median(), 0));
    summary.put("cpu_ns_per_msg", Json.round(Samples.of(medians, "cpu_ns_per_msg").median(), 1));
    summary.put("bytes_per_msg", Json.round(Samples.of(medians, "bytes_per_msg").median(), 1));
    modes.put(mode, summary);

    Map<String, Object> detail = new LinkedHashMap<>();
    Statistics rates = Samples.of(medians, "msgs_per_s");
    detail.put("forks", rates.size());
    detail.put("msgs_per_s_iqr", Json.round(rates.interquartileRange(), 0));
    detail.put("msgs_per_s_max", Json.round(bestRound(results), 0));
    detail.put("cpu_ns_per_msg_min", Json.round(Samples.of(medians, "cpu_ns_per_msg").min(), 1));
    detail.put(
        "actor_bytes_per_msg", Json.round(Samples.of(medians, "actor_bytes_per_msg").median(), 1));
    detail.put(
        "collection_ms_per_round", Json.round(Samples.of(medians, "collection_ms").median(), 1));
    detail.put("envelope_fields_added", fields(results.get(0)));
    details.put(mode, detail);
  }

  private static Map<String, Object> medians(Map<String, Object> fork) {
    List<Map<String, Object>> rounds = Samples.objects(fork, "rounds");
    Map<String, Object> medians = new LinkedHashMap<>();
    for (String key : rounds.get(0).keySet()) {
      medians.put(key, Samples.of(rounds, key).median());
    }
    return medians;
  }

  private static double bestRound(List<Map<String, Object>> results) {
    return results.stream()
        .mapToDouble(fork -> Samples.of(Samples.objects(fork, "rounds"), "msgs_per_s").max())
        .max()
        .orElseThrow();
  }

  static List<Object> fields(Map<String, Object> fork) {
    return fork.get("envelope_fields_added") instanceof List<?> list
        ? new ArrayList<>(list)
        : List.of();
  }

  /** The table; costs are against the uninstrumented fork of this very run. */
  String table(double clockReadNanos) {
    TextTable table =
        new TextTable(
            "mode",
            "forks",
            "msg/s",
            "IQR",
            "of none",
            "CPU ns/msg",
            "added, clock reads",
            "B/msg",
            "actors' B/msg",
            "GC ms/round");
    for (String mode : modes.keySet()) {
      Map<String, Object> summary = Samples.object(modes, mode);
      Map<String, Object> detail = Samples.object(details, mode);
      double rate = Samples.number(summary, "msgs_per_s");
      double cpu = Samples.number(summary, "cpu_ns_per_msg");
      boolean comparable = modes.containsKey("none");
      double baseRate =
          comparable ? Samples.number(Samples.object(modes, "none"), "msgs_per_s") : 0;
      double baseCpu =
          comparable ? Samples.number(Samples.object(modes, "none"), "cpu_ns_per_msg") : 0;
      table.row(
          mode,
          number(Samples.number(detail, "forks"), 0),
          number(rate, 0),
          number(Samples.number(detail, "msgs_per_s_iqr"), 0),
          comparable ? number(100 * rate / baseRate, 0) + " %" : "",
          number(cpu, 1),
          comparable ? number((cpu - baseCpu) / clockReadNanos, 2) : "",
          number(Samples.number(summary, "bytes_per_msg"), 1),
          number(Samples.number(detail, "actor_bytes_per_msg"), 1),
          number(Samples.number(detail, "collection_ms_per_round"), 0));
    }
    return "\nOne clock read: "
        + number(clockReadNanos, 1)
        + " ns. Added: CPU time above none's.\n\n"
        + table
        + "\n";
  }
}
