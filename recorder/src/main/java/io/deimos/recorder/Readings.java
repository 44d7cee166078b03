// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The gauges of all actor systems, as read off at one time. Not for use by two threads. */
public final class Readings {
  private final Map<Metric, Map<List<String>, Long>> values = new EnumMap<>(Metric.class);

  /** Adds to what a gauge shows for the values of its attributes. */
  public void add(Metric metric, long value, String... attributes) {
    Map<List<String>, Long> series = values.computeIfAbsent(metric, m -> new HashMap<>());
    List<String> key = List.of(attributes);
    if (!series.containsKey(key) && series.size() >= Recorder.config().maxSeries() - 1) {
      key = Collections.nCopies(attributes.length, "other");
    }
    series.merge(key, value, Long::sum);
  }

  /** Raises what a gauge shows to a value. */
  public void raise(Metric metric, long value, String... attributes) {
    values
        .computeIfAbsent(metric, m -> new HashMap<>())
        .merge(List.of(attributes), value, Math::max);
  }

  /** What was read of a gauge. */
  public Map<List<String>, Long> of(Metric metric) {
    return values.getOrDefault(metric, Map.of());
  }
}
