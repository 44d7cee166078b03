// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static io.deimos.benchmarks.harness.TextTable.number;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The starts of {@code app --start}, by mode: medians, minima, and what a mode has above another.
 * Each round is a map of numbers and, under {@code cpu_s} and {@code native_mb}, of maps of them.
 */
final class StartResult {
  private static final List<String> KEYS =
      List.of(
          "open_s",
          "open_cpu_s",
          "settled_cpu_s",
          "classes",
          "rss_mb",
          "rss_touched_mb",
          "live_mb");

  private final Map<String, List<Map<String, Object>>> rounds;

  StartResult(Map<String, List<Map<String, Object>>> rounds) {
    this.rounds = rounds;
  }

  Map<String, Object> medians() {
    return ByMode.numbers(rounds, KEYS, Statistics::median);
  }

  Map<String, Object> minima() {
    return ByMode.numbers(rounds, KEYS, Statistics::min);
  }

  /** Interquartile ranges: how far apart rounds of one mode are. */
  Map<String, Object> spreads() {
    return ByMode.numbers(rounds, KEYS, Statistics::interquartileRange);
  }

  /** Medians of a mode less those of {@code base}, for each other mode; empty without that. */
  Map<String, Object> above(String base) {
    return ByMode.above(medians(), KEYS, base);
  }

  /** Medians of what is told by name. */
  Map<String, Object> parts(String key) {
    return ByMode.parts(rounds, key);
  }

  /** Medians, with minima in brackets. */
  String table() {
    TextTable table =
        new TextTable(
            "median (minimum)",
            "rounds",
            "open s",
            "CPU s",
            "CPU s settled",
            "classes",
            "RSS MB",
            "touched MB",
            "live MB");
    Map<String, Object> medians = medians();
    Map<String, Object> minima = minima();
    for (String mode : rounds.keySet()) {
      Map<String, Object> median = Samples.object(medians, mode);
      Map<String, Object> least = Samples.object(minima, mode);
      List<String> row = new ArrayList<>(List.of(mode, String.valueOf(rounds.get(mode).size())));
      for (String key : KEYS) {
        int decimals = key.endsWith("_s") ? 2 : 0;
        row.add(
            number(Samples.number(median, key), decimals)
                + " ("
                + number(Samples.number(least, key), decimals)
                + ")");
      }
      table.row(row.toArray(new String[0]));
    }
    return table.toString();
  }

  /** The figures by name, a column for each mode. */
  String partsTable(String key, String title, int decimals) {
    return ByMode.table(parts(key), title, decimals);
  }
}
