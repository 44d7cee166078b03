// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.testkit;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** All metrics at one time. Immutable. */
final class MetricSums {
  private final Map<Series, Point> points;

  /** The sums of counters and histograms. */
  private final Set<String> growing;

  private MetricSums(Map<Series, Point> points, Set<String> growing) {
    this.points = points;
    this.growing = growing;
  }

  /** As the agent tells them. */
  static MetricSums of(List<Map<String, Object>> told) {
    Map<Series, Point> points = new HashMap<>();
    Set<String> growing = new HashSet<>();
    for (Map<String, Object> point : told) {
      Series series =
          new Series(
              String.valueOf(point.get("name")), new TreeMap<>(RecordedSpan.attributes(point)));
      points.merge(series, Point.of(point), Point::plus);
      if (Boolean.TRUE.equals(point.get("onlyGrows"))) {
        growing.add(series.name);
      }
    }
    return new MetricSums(points, growing);
  }

  /** Whether a metric never falls again. */
  boolean onlyGrows(String name) {
    return growing.contains(name);
  }

  /** The sum over all series that have these attributes, less what it was before. */
  Point since(MetricSums before, String name, Map<String, ?> attributes) {
    return sum(name, attributes).minus(before.sum(name, attributes));
  }

  private Point sum(String name, Map<String, ?> attributes) {
    Point sum = new Point(0, 0);
    for (Map.Entry<Series, Point> entry : points.entrySet()) {
      if (entry.getKey().fits(name, attributes)) {
        sum = sum.plus(entry.getValue());
      }
    }
    return sum;
  }

  /** The series of a metric, or the names of all metrics, for messages. */
  String shown(String name, MetricSums before) {
    List<String> lines =
        points.entrySet().stream()
            .filter(entry -> entry.getKey().name.equals(name))
            .map(
                entry ->
                    entry.getKey()
                        + " "
                        + entry
                            .getValue()
                            .minus(before.points.getOrDefault(entry.getKey(), new Point(0, 0))))
            .sorted()
            .toList();
    return lines.isEmpty()
        ? "there is no such metric, but "
            + points.keySet().stream().map(s -> s.name).distinct().sorted().toList()
        : lines.stream().collect(Collectors.joining("\n"));
  }

  /** A metric with its attributes. */
  private record Series(String name, Map<String, Object> attributes) {
    boolean fits(String wanted, Map<String, ?> having) {
      return name.equals(wanted)
          && having.entrySet().stream()
              .allMatch(
                  entry ->
                      String.valueOf(entry.getValue())
                          .equals(String.valueOf(attributes.get(entry.getKey()))));
    }

    @Override
    public String toString() {
      return name + attributes;
    }
  }

  /**
   * The words of a series.
   *
   * @param value of a histogram the sum
   * @param count of a histogram, else 0
   */
  record Point(double value, long count) {
    static Point of(Map<String, Object> told) {
      return new Point(
          told.get("value") instanceof Number value ? value.doubleValue() : 0,
          told.get("count") instanceof Number count ? count.longValue() : 0);
    }

    Point plus(Point other) {
      return new Point(value + other.value, count + other.count);
    }

    Point minus(Point other) {
      return new Point(value - other.value, count - other.count);
    }

    @Override
    public String toString() {
      return count == 0 ? String.valueOf(value) : count + " times, in all " + value;
    }
  }
}
