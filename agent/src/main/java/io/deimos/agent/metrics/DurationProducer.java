// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.agent.span.Scope;
import io.deimos.recorder.Recorder;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.counts.Durations;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.MetricsFold;
import io.deimos.recorder.counts.OperationMetrics;
import io.deimos.remote.Batches;
import io.deimos.remote.RemoteStats;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.DoubleExemplarData;
import io.opentelemetry.sdk.metrics.data.HistogramData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableHistogramPointData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableMetricData;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The duration histograms, straight from the recorder's buckets, and those of the transport's
 * batches, from its own; cumulative since the process began; {@link DeltaExporter} turns them into
 * deltas where an exporter wants those.
 */
public final class DurationProducer implements MetricProducer {
  private static final List<Double> BOUNDS_SECONDS =
      Arrays.stream(Durations.boundsNanos()).mapToObj(nanos -> nanos / 1e9).toList();
  private static final double NANOS_PER_SECOND = 1e9;

  private final Limits limits;
  private final Exemplars exemplars;
  private final long since = Clock.epochNanos(Clock.now());

  public DurationProducer(Limits limits, Exemplars exemplars) {
    this.limits = limits;
    this.exemplars = exemplars;
  }

  @Override
  public Collection<MetricData> produce(Resource resource) {
    try {
      return collect(resource);
    } catch (Throwable t) {
      Faults.caught(t);
      return List.of();
    }
  }

  private Collection<MetricData> collect(Resource resource) {
    Histograms processing = new Histograms();
    Histograms waiting = new Histograms();
    for (MetricsFold.Series series : Recorder.metrics().series()) {
      Attributes attributes = MetricNames.of(series.kind(), series.message());
      processing.add(attributes, series.processingBuckets(), series.processingNanos());
      waiting.add(attributes, series.waitBuckets(), series.waitNanos());
      processing.leadTo(attributes, exemplars.processing(series.kind(), series.message()));
      waiting.leadTo(attributes, exemplars.waiting(series.kind(), series.message()));
    }
    Histograms asking = new Histograms();
    limits
        .asks()
        .forEach(
            (attributes, sums) ->
                asking.add(
                    attributes,
                    Arrays.copyOfRange(sums, 1, 1 + Durations.BUCKETS),
                    sums[Limits.ASK_SUM]));
    Histograms persistence = new Histograms();
    for (OperationMetrics.Series series : OperationMetrics.series()) {
      persistence.add(MetricNames.of(series.key()), series.buckets(), series.sumNanos());
    }
    long now = Clock.epochNanos(Clock.now());
    List<MetricData> all = new ArrayList<>(4);
    processing.addTo(
        all, resource, Instrument.PROCESSING.id(), Instrument.PROCESSING.description(), since, now);
    waiting.addTo(
        all, resource, Instrument.WAITING.id(), Instrument.WAITING.description(), since, now);
    asking.addTo(
        all, resource, Instrument.ASKING.id(), Instrument.ASKING.description(), since, now);
    persistence.addTo(
        all,
        resource,
        Instrument.PERSISTENCE.id(),
        Instrument.PERSISTENCE.description(),
        since,
        now);
    for (Metric metric : Metric.values()) {
      if (metric.kind() == Metric.Kind.HISTOGRAM) {
        rare(metric).addTo(all, resource, metric.id(), metric.description(), since, now);
      }
    }
    transport(all, resource, since, now);
    return all;
  }

  private static void transport(List<MetricData> all, Resource resource, long since, long now) {
    Histograms lengths = new Histograms("{message}", Batches.messageBounds());
    Histograms sizes = new Histograms("By", Batches.byteBounds());
    Histograms flushes = new Histograms();
    for (RemoteStats.Peer peer : RemoteStats.snapshot()) {
      Batches batches = peer.batches();
      if (batches != null && batches.count() > 0) {
        Attributes attributes = RemoteMetrics.attributes(peer);
        lengths.add(attributes, batches.messages(), batches.messageSum());
        sizes.add(attributes, batches.bytes(), batches.byteSum());
        if (batches.timed() > 0) {
          flushes.add(attributes, batches.flushNanos(), batches.flushNanoSum());
        }
      }
    }
    add(lengths, Instrument.REMOTE_BATCH_LENGTH, all, resource, since, now);
    add(sizes, Instrument.REMOTE_BATCH_SIZE, all, resource, since, now);
    add(flushes, Instrument.REMOTE_FLUSH_DURATION, all, resource, since, now);
  }

  private static void add(
      Histograms of,
      Instrument instrument,
      List<MetricData> to,
      Resource resource,
      long since,
      long now) {
    of.addTo(to, resource, instrument.id(), instrument.description(), since, now);
  }

  private static Histograms rare(Metric metric) {
    Histograms rare = new Histograms();
    metric
        .tally()
        .read()
        .forEach(
            (values, n) ->
                rare.add(
                    RareInstruments.attributes(metric, values),
                    Arrays.copyOf(n, Durations.BUCKETS),
                    n[Durations.BUCKETS]));
    return rare;
  }

  /** One metric's series by their attributes. */
  private static final class Histograms {
    private final String unit;
    private final List<Double> bounds;
    private final double divisor;
    private final Map<Attributes, long[]> buckets = new HashMap<>();
    private final Map<Attributes, Long> sums = new HashMap<>();
    private final Map<Attributes, List<DoubleExemplarData>> spans = new HashMap<>();

    /** Of durations in nanoseconds, to be told in seconds. */
    Histograms() {
      unit = "s";
      bounds = BOUNDS_SECONDS;
      divisor = NANOS_PER_SECOND;
    }

    Histograms(String unit, long[] bounds) {
      this.unit = unit;
      this.bounds = Arrays.stream(bounds).asDoubleStream().boxed().toList();
      divisor = 1;
    }

    void leadTo(Attributes attributes, List<DoubleExemplarData> exemplars) {
      if (!exemplars.isEmpty()) {
        spans.put(attributes, exemplars);
      }
    }

    void add(Attributes attributes, long[] counts, long sum) {
      sums.merge(attributes, sum, Long::sum);
      long[] to = buckets.computeIfAbsent(attributes, a -> new long[counts.length]);
      for (int i = 0; i < counts.length; i++) {
        to[i] += counts[i];
      }
    }

    void addTo(
        List<MetricData> all,
        Resource resource,
        String name,
        String description,
        long since,
        long now) {
      List<HistogramPointData> points = new ArrayList<>(buckets.size());
      buckets.forEach(
          (attributes, counts) ->
              points.add(
                  ImmutableHistogramPointData.create(
                      since,
                      now,
                      attributes,
                      sums.getOrDefault(attributes, 0L) / divisor,
                      false,
                      0,
                      false,
                      0,
                      bounds,
                      Arrays.stream(counts).boxed().toList(),
                      spans.getOrDefault(attributes, List.of()))));
      if (!points.isEmpty()) {
        all.add(
            ImmutableMetricData.createDoubleHistogram(
                resource,
                Scope.INFO,
                name,
                description,
                unit,
                HistogramData.create(AggregationTemporality.CUMULATIVE, points)));
      }
    }
  }
}
