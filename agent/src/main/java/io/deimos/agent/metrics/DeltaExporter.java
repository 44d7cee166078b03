// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.agent.span.Scope;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.HistogramData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableHistogramPointData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableMetricData;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Stands before an exporter that wants deltas: a {@link DurationProducer} does not know who asks,
 * so what it produces is cumulative, and each such exporter is told the difference to what it was
 * told before. All other metrics pass through. Called by one reader's thread at a time.
 */
public final class DeltaExporter implements MetricExporter {
  private final MetricExporter exporter;
  private final Map<Series, HistogramPointData> told = new HashMap<>();

  private DeltaExporter(MetricExporter exporter) {
    this.exporter = exporter;
  }

  /** The exporter itself if it wants cumulative histograms. */
  public static MetricExporter around(MetricExporter exporter) {
    return exporter.getAggregationTemporality(InstrumentType.HISTOGRAM)
            == AggregationTemporality.DELTA
        ? new DeltaExporter(exporter)
        : exporter;
  }

  @Override
  public synchronized CompletableResultCode export(Collection<MetricData> metrics) {
    List<MetricData> all = new ArrayList<>(metrics.size());
    for (MetricData metric : metrics) {
      if (!isOurs(metric)) {
        all.add(metric);
      } else {
        addDelta(metric, all);
      }
    }
    return exporter.export(all);
  }

  private static boolean isOurs(MetricData metric) {
    return metric.getType() == MetricDataType.HISTOGRAM
        && Scope.INFO.equals(metric.getInstrumentationScopeInfo())
        && metric.getHistogramData().getAggregationTemporality()
            == AggregationTemporality.CUMULATIVE;
  }

  private void addDelta(MetricData metric, List<MetricData> to) {
    List<HistogramPointData> points = new ArrayList<>();
    Set<Attributes> present = new HashSet<>();
    for (HistogramPointData point : metric.getHistogramData().getPoints()) {
      present.add(point.getAttributes());
      HistogramPointData before =
          told.put(new Series(metric.getName(), point.getAttributes()), point);
      if (before == null) {
        points.add(point);
      } else if (before.getCount() != point.getCount()) {
        points.add(difference(before, point));
      }
    }
    // A series that comes back begins anew.
    told.keySet()
        .removeIf(
            series ->
                series.metric.equals(metric.getName()) && !present.contains(series.attributes));
    if (!points.isEmpty()) {
      to.add(
          ImmutableMetricData.createDoubleHistogram(
              metric.getResource(),
              metric.getInstrumentationScopeInfo(),
              metric.getName(),
              metric.getDescription(),
              metric.getUnit(),
              HistogramData.create(AggregationTemporality.DELTA, points)));
    }
  }

  private static HistogramPointData difference(HistogramPointData from, HistogramPointData to) {
    List<Long> counts = new ArrayList<>(to.getCounts().size());
    for (int i = 0; i < to.getCounts().size(); i++) {
      counts.add(to.getCounts().get(i) - from.getCounts().get(i));
    }
    return ImmutableHistogramPointData.create(
        from.getEpochNanos(),
        to.getEpochNanos(),
        to.getAttributes(),
        to.getSum() - from.getSum(),
        false,
        0,
        false,
        0,
        to.getBoundaries(),
        counts,
        to.getExemplars());
  }

  @Override
  public CompletableResultCode flush() {
    return exporter.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return exporter.shutdown();
  }

  @Override
  public AggregationTemporality getAggregationTemporality(InstrumentType type) {
    return exporter.getAggregationTemporality(type);
  }

  @Override
  public Aggregation getDefaultAggregation(InstrumentType type) {
    return exporter.getDefaultAggregation(type);
  }

  @Override
  public MemoryMode getMemoryMode() {
    return exporter.getMemoryMode();
  }

  @Override
  public String toString() {
    return exporter.toString();
  }

  private record Series(String metric, Attributes attributes) {}
}
