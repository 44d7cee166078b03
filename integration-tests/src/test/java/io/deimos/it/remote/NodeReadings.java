// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.remote;

import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedPoint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** The metrics that one node has told, and when. */
record NodeReadings(List<ReceivedPoint> points) {
  static NodeReadings of(OtlpReceiver receiver) {
    return new NodeReadings(receiver.points());
  }

  /** The sum of all series that have these attributes, as it was at each time it was told. */
  TreeMap<Long, Double> history(String metric, Map<String, String> attributes) {
    Map<Map<String, Object>, Double> series = new HashMap<>();
    TreeMap<Long, Double> sums = new TreeMap<>();
    for (ReceivedPoint p : points) {
      if (p.name().equals(metric) && p.attributes().entrySet().containsAll(attributes.entrySet())) {
        series.put(p.attributes(), p.value());
        sums.put(p.timeNanos(), series.values().stream().mapToDouble(d -> d).sum());
      }
    }
    return sums;
  }

  /** As it was told last; empty if it never was. */
  OptionalDouble last(String metric, Map<String, String> attributes) {
    TreeMap<Long, Double> sums = history(metric, attributes);
    return sums.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(sums.lastEntry().getValue());
  }

  /**
   * Whether there was a moment at which all that several had sent to one had been received, and no
   * more. There is one as soon as nobody sends for a while.
   */
  static boolean haveMet(List<TreeMap<Long, Double>> sent, TreeMap<Long, Double> received) {
    for (Map.Entry<Long, Double> there : received.entrySet()) {
      double before = 0;
      double after = 0;
      for (TreeMap<Long, Double> sums : sent) {
        Map.Entry<Long, Double> floor = sums.floorEntry(there.getKey());
        Map.Entry<Long, Double> higher = sums.higherEntry(there.getKey());
        before += floor == null ? Double.NaN : floor.getValue();
        after += higher == null ? Double.NaN : higher.getValue();
      }
      if (before == after && before == there.getValue()) {
        return true;
      }
    }
    return false;
  }
}
