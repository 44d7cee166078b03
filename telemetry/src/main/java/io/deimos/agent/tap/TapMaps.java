// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.tap;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Spans and points as maps; see {@link io.deimos.recorder.TestTap.Source}. */
final class TapMaps {
  private TapMaps() {}

  static Map<String, Object> span(SpanData span) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", span.getName());
    map.put("kind", span.getKind().name());
    map.put("traceId", span.getTraceId());
    map.put("spanId", span.getSpanId());
    map.put("parentSpanId", span.getParentSpanContext().isValid() ? span.getParentSpanId() : "");
    map.put("startEpochNanos", span.getStartEpochNanos());
    map.put("endEpochNanos", span.getEndEpochNanos());
    map.put("status", span.getStatus().getStatusCode().name());
    map.put("statusMessage", span.getStatus().getDescription());
    map.put("attributes", attributes(span.getAttributes()));
    map.put("events", span.getEvents().stream().map(TapMaps::event).toList());
    map.put("links", span.getLinks().stream().map(TapMaps::link).toList());
    return map;
  }

  private static Map<String, Object> event(EventData event) {
    return Map.of(
        "name",
        event.getName(),
        "epochNanos",
        event.getEpochNanos(),
        "attributes",
        attributes(event.getAttributes()));
  }

  private static Map<String, Object> link(LinkData link) {
    return Map.of(
        "traceId",
        link.getSpanContext().getTraceId(),
        "spanId",
        link.getSpanContext().getSpanId(),
        "attributes",
        attributes(link.getAttributes()));
  }

  private static Map<String, Object> attributes(Attributes attributes) {
    Map<String, Object> map = new LinkedHashMap<>();
    attributes.forEach((key, value) -> map.put(key.getKey(), value));
    return map;
  }

  /** All points of a metric. */
  static List<Map<String, Object>> points(MetricData metric) {
    List<Map<String, Object>> points = new ArrayList<>();
    for (PointData point : metric.getData().getPoints()) {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("name", metric.getName());
      map.put("unit", metric.getUnit());
      map.put("attributes", attributes(point.getAttributes()));
      map.put("value", value(point));
      map.put("onlyGrows", onlyGrows(metric));
      Long count = count(point);
      if (count != null) {
        map.put("count", count);
      }
      points.add(map);
    }
    return points;
  }

  /** Whether what is too much now stays so. */
  private static boolean onlyGrows(MetricData metric) {
    return switch (metric.getType()) {
      case HISTOGRAM, EXPONENTIAL_HISTOGRAM -> true;
      case LONG_SUM -> metric.getLongSumData().isMonotonic();
      case DOUBLE_SUM -> metric.getDoubleSumData().isMonotonic();
      default -> false;
    };
  }

  private static double value(PointData point) {
    if (point instanceof LongPointData number) {
      return number.getValue();
    }
    if (point instanceof DoublePointData number) {
      return number.getValue();
    }
    if (point instanceof HistogramPointData histogram) {
      return histogram.getSum();
    }
    return point instanceof ExponentialHistogramPointData histogram ? histogram.getSum() : 0;
  }

  private static @Nullable Long count(PointData point) {
    if (point instanceof HistogramPointData histogram) {
      return histogram.getCount();
    }
    return point instanceof ExponentialHistogramPointData histogram ? histogram.getCount() : null;
  }
}
