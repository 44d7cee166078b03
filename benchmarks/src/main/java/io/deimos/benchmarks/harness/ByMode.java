// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import io.deimos.benchmarks.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Adds up the rounds of several modes; a round is a map of numbers, and of maps of them. */
final class ByMode {
  private ByMode() {}

  /** One number for each key of each mode. */
  static Map<String, Object> numbers(
      Map<String, List<Map<String, Object>>> rounds, List<String> keys, Summary of) {
    Map<String, Object> modes = new LinkedHashMap<>();
    rounds.forEach(
        (mode, some) -> {
          Map<String, Object> numbers = new LinkedHashMap<>();
          keys.forEach(key -> numbers.put(key, Json.round(of.number(Samples.of(some, key)), 2)));
          modes.put(mode, numbers);
        });
    return modes;
  }

  /**
   * The numbers of a mode less those of {@code base}, for each other mode; empty without {@code
   * base}. Drift of the machine is in both alike, since rounds are interleaved.
   */
  static Map<String, Object> above(Map<String, Object> modes, List<String> keys, String base) {
    Map<String, Object> above = new LinkedHashMap<>();
    if (modes.containsKey(base)) {
      Map<String, Object> less = Samples.object(modes, base);
      for (String mode : modes.keySet()) {
        Map<String, Object> values = Samples.object(modes, mode);
        Map<String, Object> more = new LinkedHashMap<>();
        keys.forEach(
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

  /** Medians of what rounds tell by name, by mode; what a round does not tell counts as nothing. */
  static Map<String, Object> parts(Map<String, List<Map<String, Object>>> rounds, String key) {
    Map<String, Object> modes = new LinkedHashMap<>();
    rounds.forEach((mode, some) -> modes.put(mode, medians(some, key)));
    return modes;
  }

  private static Map<String, Object> medians(List<Map<String, Object>> rounds, String key) {
    Set<String> names = new TreeSet<>();
    List<Map<String, Object>> maps =
        rounds.stream().map(round -> Samples.object(round, key)).toList();
    maps.forEach(map -> names.addAll(map.keySet()));
    Map<String, Object> medians = new LinkedHashMap<>();
    for (String name : names) {
      List<Double> values =
          maps.stream()
              .map(map -> map.containsKey(name) ? Samples.number(map, name) : 0.0)
              .toList();
      medians.put(name, Json.round(Statistics.of(values).median(), 2));
    }
    return medians;
  }

  /** The table of {@link #parts}: a row for each name, a column for each mode. */
  static String table(Map<String, Object> parts, String title, int decimals) {
    List<String> header = new ArrayList<>(List.of(title));
    header.addAll(parts.keySet());
    Set<String> names = new TreeSet<>();
    parts.keySet().forEach(mode -> names.addAll(Samples.object(parts, mode).keySet()));
    TextTable table = new TextTable(header.toArray(new String[0]));
    for (String name : names) {
      List<String> row = new ArrayList<>(List.of(name));
      for (String mode : parts.keySet()) {
        Map<String, Object> numbers = Samples.object(parts, mode);
        row.add(
            numbers.containsKey(name)
                ? TextTable.number(Samples.number(numbers, name), decimals)
                : "");
      }
      table.row(row.toArray(new String[0]));
    }
    return table.toString();
  }

  /** One number of a sample. */
  interface Summary {
    double number(Statistics statistics);
  }
}
