// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.agent.span.Scope;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.HistogramData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableDoublePointData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableExponentialHistogramBuckets;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableHistogramPointData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableMetricData;
import io.opentelemetry.sdk.resources.Resource;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;

/** As what a histogram is told: the aggregation that a view or a reader asks for. */
interface HistogramForm {
  /** The bounds by which durations have to be counted for this to be exact, in nanoseconds. */
  long[] boundsNanos();

  /** A metric of these points. */
  MetricData of(
      Resource resource,
      Histogram of,
      String name,
      String description,
      AggregationTemporality temporality,
      List<Point> points);

  /** The counts of one series over some time. */
  record Point(long fromNanos, long toNanos, Attributes attributes, Counted counted) {}

  /** Buckets with bounds of the user's choice, or ours. */
  record Explicit(List<Double> bounds) implements HistogramForm {
    private static final BigDecimal LONGEST = BigDecimal.valueOf(Long.MAX_VALUE);

    @Override
    public long[] boundsNanos() {
      return counted(1e9);
    }

    private long[] counted(double perUnit) {
      return bounds.stream().mapToLong(bound -> counted(bound, perUnit)).toArray();
    }

    /** A whole number does not exceed a bound if it does not exceed this. */
    private static long counted(double bound, double perUnit) {
      BigDecimal counted =
          new BigDecimal(Double.toString(bound))
              .multiply(BigDecimal.valueOf(perUnit))
              .setScale(0, RoundingMode.FLOOR);
      return bound < 0 ? -1 : counted.min(LONGEST).longValue();
    }

    @Override
    public MetricData of(
        Resource resource,
        Histogram of,
        String name,
        String description,
        AggregationTemporality temporality,
        List<Point> points) {
      long[] wanted = counted(of.perUnit());
      return ImmutableMetricData.createDoubleHistogram(
          resource,
          Scope.INFO,
          name,
          description,
          of.unit(),
          HistogramData.create(
              temporality, points.stream().map(point -> point(point, of, wanted)).toList()));
    }

    private HistogramPointData point(Point point, Histogram of, long[] wanted) {
      long[] counts = of.counted().told(point.counted.counts(), wanted);
      return ImmutableHistogramPointData.create(
          point.fromNanos,
          point.toNanos,
          point.attributes,
          point.counted.sum() / of.perUnit(),
          false,
          0,
          false,
          0,
          bounds,
          Arrays.stream(counts).boxed().toList(),
          point.counted.exemplars());
    }
  }

  /**
   * Buckets that grow by a factor.
   *
   * @param maxBuckets how many there may be before the factor is squared
   * @param maxScale the factor is at least 2 to the power of 2 to the power of minus this
   */
  record Exponential(int maxBuckets, int maxScale) implements HistogramForm {
    @Override
    public long[] boundsNanos() {
      return ExponentialBuckets.boundsNanos();
    }

    @Override
    public MetricData of(
        Resource resource,
        Histogram of,
        String name,
        String description,
        AggregationTemporality temporality,
        List<Point> points) {
      return ImmutableMetricData.createExponentialHistogram(
          resource,
          Scope.INFO,
          name,
          description,
          of.unit(),
          ExponentialHistogramData.create(
              temporality, points.stream().map(point -> point(point, of)).toList()));
    }

    private ExponentialHistogramPointData point(Point point, Histogram of) {
      ExponentialBuckets buckets =
          ExponentialBuckets.of(of.counted(), point.counted.counts(), maxBuckets, maxScale);
      return ImmutableExponentialHistogramPointData.create(
          buckets.scale(),
          point.counted.sum() / of.perUnit(),
          0,
          false,
          0,
          false,
          0,
          ImmutableExponentialHistogramBuckets.create(
              buckets.scale(), buckets.offset(), buckets.counts()),
          ImmutableExponentialHistogramBuckets.create(buckets.scale(), 0, List.of()),
          point.fromNanos,
          point.toNanos,
          point.attributes,
          point.counted.exemplars());
    }
  }

  /** The sum of all durations alone. */
  record Sum() implements HistogramForm {
    @Override
    public long[] boundsNanos() {
      return new long[0];
    }

    @Override
    public MetricData of(
        Resource resource,
        Histogram of,
        String name,
        String description,
        AggregationTemporality temporality,
        List<Point> points) {
      return ImmutableMetricData.createDoubleSum(
          resource,
          Scope.INFO,
          name,
          description,
          of.unit(),
          SumData.createDoubleSumData(
              true, temporality, points.stream().map(point -> point(point, of)).toList()));
    }

    private static DoublePointData point(Point point, Histogram of) {
      return ImmutableDoublePointData.create(
          point.fromNanos,
          point.toNanos,
          point.attributes,
          point.counted.sum() / of.perUnit(),
          point.counted.exemplars());
    }
  }
}
