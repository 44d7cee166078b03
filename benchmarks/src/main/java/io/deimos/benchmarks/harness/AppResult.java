// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static io.deimos.benchmarks.harness.TextTable.number;

import io.deimos.benchmarks.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

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
    Map<String, Object> modes = new LinkedHashMap<>();
    rounds.forEach((mode, some) -> modes.put(mode, summary(some, Statistics::median)));
    return modes;
  }

  Map<String, Object> minima() {
    Map<String, Object> modes = new LinkedHashMap<>();
    rounds.forEach((mode, some) -> modes.put(mode, summary(some, Statistics::min)));
    return modes;
  }

  /**
   * Medians of a mode less those of {@code base}, for each other mode; empty without {@code base}.
   * Drift of the machine is in both alike, since rounds are interleaved.
   */
  Map<String, Object> above(String base) {
    Map<String, Object> above = new LinkedHashMap<>();
    Map<String, Object> modes = modes();
    if (modes.containsKey(base)) {
      Map<String, Object> less = Samples.object(modes, base);
      for (String mode : modes.keySet()) {
        Map<String, Object> values = Samples.object(modes, mode);
        Map<String, Object> more = new LinkedHashMap<>();
        KEYS.forEach(
            key ->
                more.put(
                    key, Json.round(Samples.number(values, key) - Samples.number(less, key), 2)));
        if (!mode.equals(base)) {
          above.put(mode, more);
        }
      }
    }
    return above;
  }

  /** The CPU time of groups of threads in percent of a core, by mode, at load and idle. */
  Map<String, Object> threads() {
    Map<String, Object> threads = new LinkedHashMap<>();
    rounds.forEach(
        (mode, some) ->
            threads.put(mode, Map.of("load", groups(some, "load"), "idle", groups(some, "idle"))));
    return threads;
  }

  private static Map<String, Object> summary(List<Map<String, Object>> rounds, Summary of) {
    Map<String, Object> summary = new LinkedHashMap<>();
    KEYS.forEach(key -> summary.put(key, Json.round(of.number(Samples.of(rounds, key)), 2)));
    return summary;
  }

  private static Map<String, Object> groups(List<Map<String, Object>> rounds, String when) {
    Set<String> names = new TreeSet<>();
    List<Map<String, Object>> maps =
        rounds.stream().map(round -> Samples.object(round, when + "_threads")).toList();
    maps.forEach(map -> names.addAll(map.keySet()));
    Map<String, Object> groups = new LinkedHashMap<>();
    for (String name : names) {
      List<Double> shares =
          maps.stream()
              .map(map -> map.containsKey(name) ? Samples.number(map, name) : 0.0)
              .toList();
      groups.put(name, Json.round(Statistics.of(shares).median(), 2));
    }
    return groups;
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
    Set<String> names = new TreeSet<>();
    rounds.values().forEach(some -> names.addAll(groups(some, when).keySet()));
    List<String> header = new ArrayList<>(List.of(when + ", % of a core"));
    header.addAll(rounds.keySet());
    TextTable table = new TextTable(header.toArray(new String[0]));
    for (String name : names) {
      List<String> row = new ArrayList<>(List.of(name));
      rounds.forEach(
          (mode, some) -> {
            Map<String, Object> groups = groups(some, when);
            row.add(groups.containsKey(name) ? number(Samples.number(groups, name), 2) : "");
          });
      table.row(row.toArray(new String[0]));
    }
    return table.toString();
  }

  /** One number of a sample. */
  private interface Summary {
    double number(Statistics statistics);
  }
}
