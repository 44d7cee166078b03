// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static io.deimos.benchmarks.harness.TextTable.number;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rounds of {@code app}, by mode: medians, minima, and what a mode has above another. Each
 * round is a map of numbers and, under {@code load_threads} and {@code idle_threads}, of maps of
 * them.
 */
final class AppResult {
  private static final List<String> KEYS =
      List.of(
          "open_s",
          "open_cpu_s",
          "load_cpu_percent",
          "idle_cpu_percent",
          "idle_wakeups_s",
          "load_wakeups_s",
          "rss_mb",
          "live_mb",
          "order_p50_ms",
          "order_p99_ms",
          "orders_failed",
          "alloc_mb_s",
          "collections_min");

  private final Map<String, List<Map<String, Object>>> rounds;

  AppResult(Map<String, List<Map<String, Object>>> rounds) {
    this.rounds = rounds;
  }

  Map<String, Object> modes() {
    return ByMode.numbers(rounds, KEYS, Statistics::median);
  }

  Map<String, Object> minima() {
    return ByMode.numbers(rounds, KEYS, Statistics::min);
  }

  /** Medians of a mode less those of {@code base}, for each other mode; empty without that. */
  Map<String, Object> above(String base) {
    return ByMode.above(modes(), KEYS, base);
  }

  /** The CPU time of groups of threads in percent of a core, by mode, at load and idle. */
  Map<String, Object> threads() {
    Map<String, Object> threads = new LinkedHashMap<>();
    Map<String, Object> load = ByMode.parts(rounds, "load_threads");
    Map<String, Object> idle = ByMode.parts(rounds, "idle_threads");
    for (String mode : rounds.keySet()) {
      threads.put(
          mode, Map.of("load", Samples.object(load, mode), "idle", Samples.object(idle, mode)));
    }
    return threads;
  }

  /** One line a mode, medians; CPU in percent of a core. */
  String table() {
    TextTable table =
        new TextTable(
            "mode",
            "open s",
            "CPU s",
            "load CPU %",
            "idle CPU %",
            "idle wake-ups/s",
            "RSS MB",
            "live MB",
            "order p50 ms",
            "p99",
            "alloc MB/s",
            "collections/min");
    Map<String, Object> modes = modes();
    for (String mode : modes.keySet()) {
      Map<String, Object> values = Samples.object(modes, mode);
      table.row(
          mode,
          number(Samples.number(values, "open_s"), 2),
          number(Samples.number(values, "open_cpu_s"), 2),
          number(Samples.number(values, "load_cpu_percent"), 1),
          number(Samples.number(values, "idle_cpu_percent"), 2),
          number(Samples.number(values, "idle_wakeups_s"), 0),
          number(Samples.number(values, "rss_mb"), 0),
          number(Samples.number(values, "live_mb"), 0),
          number(Samples.number(values, "order_p50_ms"), 2),
          number(Samples.number(values, "order_p99_ms"), 2),
          number(Samples.number(values, "alloc_mb_s"), 1),
          number(Samples.number(values, "collections_min"), 1));
    }
    return table.toString();
  }

  /**
   * Threads by mode.
   *
   * @param when load or idle
   */
  String threadTable(String when) {
    return ByMode.table(ByMode.parts(rounds, when + "_threads"), when + ", % of a core", 2);
  }
}
