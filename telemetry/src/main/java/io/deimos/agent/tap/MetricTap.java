// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.tap;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects all metrics when somebody asks, as sums since the JVM started. */
public final class MetricTap implements MetricReader {
  private volatile @Nullable CollectionRegistration registration;

  @Override
  public void register(CollectionRegistration given) {
    registration = given;
  }

  List<Map<String, Object>> points() {
    CollectionRegistration from = registration;
    List<Map<String, Object>> points = new ArrayList<>();
    if (from != null) {
      for (MetricData metric : from.collectAllMetrics()) {
        points.addAll(TapMaps.points(metric));
      }
    }
    return points;
  }

  @Override
  public CompletableResultCode forceFlush() {
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public CompletableResultCode shutdown() {
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public AggregationTemporality getAggregationTemporality(InstrumentType type) {
    return AggregationTemporality.CUMULATIVE;
  }
}
