// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.recorder.base.Faults;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.housekeeping.GaugeReaders;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.util.List;

/** The counters and gauges that {@link Metric} names. Histograms are the producer's. */
final class RareInstruments {
  private RareInstruments() {}

  /** Has them observed whenever the meter's provider collects. */
  @SuppressWarnings("resource") // observed as long as the process runs
  static void register(Meter meter) {
    for (Metric metric : Metric.values()) {
      switch (metric.kind()) {
        case COUNTER ->
            meter
                .counterBuilder(metric.id())
                .setUnit(metric.unit())
                .setDescription(metric.description())
                .buildWithCallback(to -> count(metric, to));
        case GAUGE ->
            meter
                .gaugeBuilder(metric.id())
                .ofLongs()
                .setUnit(metric.unit())
                .setDescription(metric.description())
                .buildWithCallback(to -> read(metric, to));
        case LEVEL, HISTOGRAM -> {} // the transport's instrument, and the producer's
      }
    }
  }

  private static void count(Metric metric, ObservableLongMeasurement to) {
    try {
      metric.tally().read().forEach((values, n) -> to.record(n[0], attributes(metric, values)));
    } catch (Throwable t) {
      Faults.caught(t);
    }
  }

  private static void read(Metric metric, ObservableLongMeasurement to) {
    try {
      GaugeReaders.last()
          .of(metric)
          .forEach((values, n) -> to.record(n, attributes(metric, values)));
    } catch (Throwable t) {
      Faults.caught(t);
    }
  }

  static Attributes attributes(Metric metric, List<String> values) {
    AttributesBuilder attributes = Attributes.builder();
    for (int i = 0; i < values.size(); i++) {
      attributes.put(metric.attributes().get(i), values.get(i));
    }
    return attributes.build();
  }
}
