// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricReader;

/** A reader like another one, but that histograms are exponential where no view says otherwise. */
final class ExponentialReader implements MetricReader {
  private final MetricReader reader;

  ExponentialReader(MetricReader reader) {
    this.reader = reader;
  }

  @Override
  public void register(CollectionRegistration registration) {
    reader.register(registration);
  }

  @Override
  public Aggregation getDefaultAggregation(InstrumentType type) {
    return type == InstrumentType.HISTOGRAM
        ? Aggregation.base2ExponentialBucketHistogram()
        : reader.getDefaultAggregation(type);
  }

  @Override
  public AggregationTemporality getAggregationTemporality(InstrumentType type) {
    return reader.getAggregationTemporality(type);
  }

  @Override
  public MemoryMode getMemoryMode() {
    return reader.getMemoryMode();
  }

  @Override
  public CompletableResultCode forceFlush() {
    return reader.forceFlush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return reader.shutdown();
  }
}
