// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.agent.span.Names;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.MetricKind;
import io.deimos.recorder.housekeeping.GaugeReaders;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.util.List;

/**
 * The counters and gauges that {@link Metric} names. Histograms are the producer's, and the send
 * queue the transport's, which tells of its own with it.
 */
final class RareInstruments {
  private RareInstruments() {}

  /** Has them observed whenever the meter's provider collects. */
  @SuppressWarnings("resource") // observed as long as the process runs
  static void register(Meter meter) {
    for (Metric metric : Metric.values()) {
      ObservableLongMeasurement to =
          metric == Metric.REMOTE_QUEUE ? null : Instrument.of(metric, meter);
      if (to != null) {
        meter.batchCallback(() -> observe(metric, to), to);
      }
      if (metric.kind() == MetricKind.DECIMAL) {
        ObservableDoubleMeasurement decimals = Instrument.decimals(metric, meter);
        meter.batchCallback(() -> read(metric, decimals), decimals);
      }
    }
  }

  private static void observe(Metric metric, ObservableLongMeasurement to) {
    if (metric.kind() == MetricKind.COUNTER) {
      count(metric, to);
    } else {
      read(metric, to);
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

  private static void read(Metric metric, ObservableDoubleMeasurement to) {
    try {
      GaugeReaders.last()
          .of(metric)
          .forEach((values, n) -> to.record(n / Metric.THOUSANDTHS, attributes(metric, values)));
    } catch (Throwable t) {
      Faults.caught(t);
    }
  }

  static Attributes attributes(Metric metric, List<String> values) {
    AttributesBuilder attributes = Attributes.builder();
    for (int i = 0; i < values.size(); i++) {
      attributes.put(Names.text(metric.attributes().get(i)), values.get(i));
    }
    return attributes.build();
  }
}
