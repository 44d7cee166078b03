// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Turns OTLP requests into what the tests assert on. */
public final class OtlpDecoder {
  private OtlpDecoder() {}

  public static List<ReceivedSpan> spans(ExportTraceServiceRequest request) {
    List<ReceivedSpan> spans = new ArrayList<>();
    for (var resource : request.getResourceSpansList()) {
      Map<String, Object> of = attributes(resource.getResource().getAttributesList());
      for (var scope : resource.getScopeSpansList()) {
        for (Span span : scope.getSpansList()) {
          spans.add(span(span, scope.getScope().getName(), scope.getScope().getVersion(), of));
        }
      }
    }
    return spans;
  }

  private static ReceivedSpan span(
      Span span, String scope, String scopeVersion, Map<String, Object> resource) {
    return new ReceivedSpan(
        hex(span.getTraceId()),
        hex(span.getSpanId()),
        hex(span.getParentSpanId()),
        span.getTraceState(),
        span.getName(),
        span.getKind(),
        span.getStartTimeUnixNano(),
        span.getEndTimeUnixNano(),
        attributes(span.getAttributesList()),
        span.getEventsList().stream()
            .map(
                e ->
                    new ReceivedSpan.Event(
                        e.getName(), e.getTimeUnixNano(), attributes(e.getAttributesList())))
            .toList(),
        span.getLinksList().stream()
            .map(
                l ->
                    new ReceivedSpan.Link(
                        hex(l.getTraceId()), hex(l.getSpanId()), attributes(l.getAttributesList())))
            .toList(),
        span.getStatus().getCode(),
        span.getStatus().getMessage(),
        scope,
        scopeVersion,
        span.getFlags(),
        span.getDroppedAttributesCount(),
        resource);
  }

  public static List<ReceivedPoint> points(ExportMetricsServiceRequest request, int batch) {
    List<ReceivedPoint> points = new ArrayList<>();
    for (var resource : request.getResourceMetricsList()) {
      for (var scope : resource.getScopeMetricsList()) {
        for (Metric metric : scope.getMetricsList()) {
          add(points, metric, scope.getScope().getName(), batch);
        }
      }
    }
    return points;
  }

  public static List<ReceivedLog> logs(ExportLogsServiceRequest request) {
    List<ReceivedLog> logs = new ArrayList<>();
    for (var resource : request.getResourceLogsList()) {
      for (var scope : resource.getScopeLogsList()) {
        for (LogRecord log : scope.getLogRecordsList()) {
          logs.add(
              new ReceivedLog(
                  log.getEventName(),
                  log.getSeverityNumberValue(),
                  log.getBody().getStringValue(),
                  attributes(log.getAttributesList()),
                  hex(log.getTraceId()),
                  hex(log.getSpanId()),
                  log.getTimeUnixNano(),
                  scope.getScope().getName()));
        }
      }
    }
    return logs;
  }

  private static void add(List<ReceivedPoint> to, Metric metric, String scope, int batch) {
    switch (metric.getDataCase()) {
      case SUM -> {
        String temporality = temporality(metric.getSum().getAggregationTemporality());
        boolean monotonic = metric.getSum().getIsMonotonic();
        for (NumberDataPoint p : metric.getSum().getDataPointsList()) {
          to.add(number(metric, "sum", temporality, monotonic, p, scope, batch));
        }
      }
      case GAUGE -> {
        for (NumberDataPoint p : metric.getGauge().getDataPointsList()) {
          to.add(number(metric, "gauge", "none", false, p, scope, batch));
        }
      }
      case HISTOGRAM -> {
        String temporality = temporality(metric.getHistogram().getAggregationTemporality());
        for (HistogramDataPoint p : metric.getHistogram().getDataPointsList()) {
          to.add(histogram(metric, temporality, p, scope, batch));
        }
      }
      case EXPONENTIAL_HISTOGRAM -> {
        String temporality =
            temporality(metric.getExponentialHistogram().getAggregationTemporality());
        for (ExponentialHistogramDataPoint p :
            metric.getExponentialHistogram().getDataPointsList()) {
          to.add(exponential(metric, temporality, p, scope, batch));
        }
      }
      default -> {} // what the agent's other modules export in other forms is not ours to judge
    }
  }

  private static ReceivedPoint number(
      Metric metric,
      String type,
      String temporality,
      boolean monotonic,
      NumberDataPoint p,
      String scope,
      int batch) {
    return new ReceivedPoint(
        batch,
        metric.getName(),
        metric.getUnit(),
        type,
        temporality,
        monotonic,
        attributes(p.getAttributesList()),
        p.hasAsInt() ? p.getAsInt() : p.getAsDouble(),
        0,
        List.of(),
        List.of(),
        p.getExemplarsCount(),
        p.getStartTimeUnixNano(),
        p.getTimeUnixNano(),
        scope);
  }

  private static ReceivedPoint histogram(
      Metric metric, String temporality, HistogramDataPoint p, String scope, int batch) {
    return new ReceivedPoint(
        batch,
        metric.getName(),
        metric.getUnit(),
        "histogram",
        temporality,
        true,
        attributes(p.getAttributesList()),
        p.getSum(),
        p.getCount(),
        p.getExplicitBoundsList(),
        p.getBucketCountsList(),
        p.getExemplarsCount(),
        p.getStartTimeUnixNano(),
        p.getTimeUnixNano(),
        scope);
  }

  /** Its bounds are the upper ones of its buckets, so there is one for each. */
  private static ReceivedPoint exponential(
      Metric metric, String temporality, ExponentialHistogramDataPoint p, String scope, int batch) {
    List<Double> bounds = new ArrayList<>();
    for (int i = 0; i < p.getPositive().getBucketCountsCount(); i++) {
      int index = p.getPositive().getOffset() + i + 1;
      bounds.add(Math.pow(2, index * Math.pow(2, -p.getScale())));
    }
    return new ReceivedPoint(
        batch,
        metric.getName(),
        metric.getUnit(),
        "exponential",
        temporality,
        true,
        attributes(p.getAttributesList()),
        p.getSum(),
        p.getCount(),
        bounds,
        p.getPositive().getBucketCountsList(),
        p.getExemplarsCount(),
        p.getStartTimeUnixNano(),
        p.getTimeUnixNano(),
        scope);
  }

  private static String temporality(AggregationTemporality temporality) {
    return switch (temporality) {
      case AGGREGATION_TEMPORALITY_CUMULATIVE -> "cumulative";
      case AGGREGATION_TEMPORALITY_DELTA -> "delta";
      default -> temporality.name();
    };
  }

  private static Map<String, Object> attributes(List<KeyValue> pairs) {
    Map<String, Object> map = new TreeMap<>();
    for (KeyValue pair : pairs) {
      map.put(pair.getKey(), value(pair.getValue()));
    }
    return map;
  }

  private static Object value(AnyValue value) {
    return switch (value.getValueCase()) {
      case STRING_VALUE -> value.getStringValue();
      case BOOL_VALUE -> value.getBoolValue();
      case INT_VALUE -> value.getIntValue();
      case DOUBLE_VALUE -> value.getDoubleValue();
      case ARRAY_VALUE ->
          value.getArrayValue().getValuesList().stream().map(OtlpDecoder::value).toList();
      default -> value.toString();
    };
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }
}
