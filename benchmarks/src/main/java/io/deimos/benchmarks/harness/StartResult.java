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
    return numbers(Statistics::median);
  }

  Map<String, Object> minima() {
    return numbers(Statistics::min);
  }

  /** Interquartile ranges: how far apart rounds of one mode are. */
  Map<String, Object> spreads() {
    return numbers(Statistics::interquartileRange);
  }

  private Map<String, Object> numbers(Summary of) {
    Map<String, Object> modes = new LinkedHashMap<>();
    rounds.forEach(
        (mode, some) -> {
          Map<String, Object> numbers = new LinkedHashMap<>();
          KEYS.forEach(key -> numbers.put(key, Json.round(of.number(Samples.of(some, key)), 2)));
          modes.put(mode, numbers);
        });
    return modes;
  }

  /** Medians of a mode less those of {@code base}, for each other mode; empty without that. */
  Map<String, Object> above(String base) {
    Map<String, Object> above = new LinkedHashMap<>();
    Map<String, Object> medians = medians();
    if (medians.containsKey(base)) {
      Map<String, Object> less = Samples.object(medians, base);
      for (String mode : medians.keySet()) {
        Map<String, Object> values = Samples.object(medians, mode);
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

  /** Medians of what is told by name; what is not told in a round counts as nothing. */
  Map<String, Object> parts(String key) {
    Map<String, Object> modes = new LinkedHashMap<>();
    rounds.forEach(
        (mode, some) -> {
          Set<String> names = new TreeSet<>();
          some.forEach(round -> names.addAll(Samples.object(round, key).keySet()));
          Map<String, Object> parts = new LinkedHashMap<>();
          for (String name : names) {
            List<Double> values =
                some.stream()
                    .map(round -> Samples.object(round, key))
                    .map(of -> of.containsKey(name) ? Samples.number(of, name) : 0.0)
                    .toList();
            parts.put(name, Json.round(Statistics.of(values).median(), 2));
          }
          modes.put(mode, parts);
        });
    return modes;
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

  /** What is told by name, a column for each mode. */
  String partsTable(String key, String title, int decimals) {
    Map<String, Object> modes = parts(key);
    List<String> header = new ArrayList<>(List.of(title));
    header.addAll(modes.keySet());
    Set<String> names = new TreeSet<>();
    modes.keySet().forEach(mode -> names.addAll(Samples.object(modes, mode).keySet()));
    TextTable table = new TextTable(header.toArray(new String[0]));
    for (String name : names) {
      List<String> row = new ArrayList<>(List.of(name));
      for (String mode : modes.keySet()) {
        Map<String, Object> parts = Samples.object(modes, mode);
        row.add(parts.containsKey(name) ? number(Samples.number(parts, name), decimals) : "");
      }
      table.row(row.toArray(new String[0]));
    }
    return table.toString();
  }

  /** One number of a sample. */
  private interface Summary {
    double number(Statistics statistics);
  }
}
