// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;

/** An exporter of metrics whose outages are told. */
public final class TrackedMetricExporter extends OutageTracking<MetricData>
    implements MetricExporter {
  private final MetricExporter exporter;

  public TrackedMetricExporter(MetricExporter exporter, Outage outage) {
    super(outage, exporter, exporter::export, exporter::flush, exporter::shutdown);
    this.exporter = exporter;
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
}
