// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.export.ExportCounts;
import io.deimos.agent.span.Names;
import io.deimos.agent.span.Scope;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.ring.Records;
import io.deimos.remote.Batches;
import io.deimos.remote.FlushReason;
import io.deimos.remote.RemoteStats;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricExporter;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The recorder counts for the whole process, so each test has an actor class of its own. */
class MetricsTest {
  private static final class Order {}

  private static ActorKind kind(String className) {
    return ActorKinds.of("shop", className, false);
  }

  private static Attributes series(ActorKind kind) {
    return Attributes.of(
        MetricNames.SYSTEM,
        "shop",
        MetricNames.ACTOR_CLASS,
        kind.className(),
        MetricNames.MESSAGE_CLASS,
        Order.class.getName());
  }

  private static void connect(SdkMeterProvider provider) {
    DurationMetrics.connect(
        provider,
        new Limits(2000),
        new Exemplars(100),
        problem -> {
          throw new AssertionError(problem);
        });
  }

  private static HistogramPointData histogram(
      Collection<MetricData> metrics, String name, Attributes attributes) {
    return metrics.stream()
        .filter(metric -> metric.getName().equals(name))
        .flatMap(metric -> metric.getHistogramData().getPoints().stream())
        .filter(point -> point.getAttributes().equals(attributes))
        .findFirst()
        .orElseThrow();
  }

  private static LongPointData number(
      Collection<MetricData> metrics, String name, Attributes attributes) {
    return metrics.stream()
        .filter(metric -> metric.getName().equals(name))
        .flatMap(metric -> metric.getLongSumData().getPoints().stream())
        .filter(point -> point.getAttributes().equals(attributes))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void produce_messages_areCumulativeHistogramsInSeconds() {
    ActorKind kind = kind("shop.Cumulative");
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    try (SdkMeterProvider provider =
        SdkMeterProvider.builder().registerMetricReader(reader).build()) {
      connect(provider);
      Records.counted(kind, Order.class, false);
      assertThat(histogram(reader.collectAllMetrics(), Instrument.PROCESSING.id(), series(kind)))
          .satisfies(point -> assertThat(point.getCount()).isEqualTo(1));
      Records.counted(kind, Order.class, false);
      Collection<MetricData> all = reader.collectAllMetrics();
      HistogramPointData processing = histogram(all, Instrument.PROCESSING.id(), series(kind));
      assertThat(processing.getCount()).isEqualTo(2);
      assertThat(processing.getSum()).isEqualTo(0.002);
      assertThat(processing.getBoundaries()).startsWith(1e-6).endsWith(10.0);
      assertThat(processing.getCounts()).hasSize(processing.getBoundaries().size() + 1);
      assertThat(histogram(all, Instrument.WAITING.id(), series(kind)).getSum()).isEqualTo(0.004);
    }
  }

  @Test
  void produce_batchesOfTheTransport_areHistogramsOfMessagesBytesAndSeconds() {
    long[] lengths = new long[Batches.messageBounds().length + 1];
    long[] sizes = new long[Batches.byteBounds().length + 1];
    long[] times = new long[Batches.nanoBounds().length + 1];
    lengths[1] = 10;
    sizes[2] = 10;
    times[3] = 4;
    long[] reasons = new long[FlushReason.values().length];
    reasons[FlushReason.INTERVAL.index()] = 10;
    RemoteStats.Source transport =
        new OneStream(new Batches(reasons, lengths, sizes, times, 20, 2_000, 32_000));
    RemoteStats.add(transport);
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    try (SdkMeterProvider provider =
        SdkMeterProvider.builder().registerMetricReader(reader).build()) {
      connect(provider);
      RemoteMetrics.register(provider.get("test"));
      Collection<MetricData> all = reader.collectAllMetrics();
      Attributes of = RemoteMetrics.attributes(transport.peers().get(0));
      HistogramPointData length = histogram(all, Instrument.REMOTE_BATCH_LENGTH.id(), of);
      assertThat(length.getCount()).isEqualTo(10);
      assertThat(length.getSum()).isEqualTo(20);
      assertThat(length.getBoundaries()).startsWith(1.0, 2.0, 4.0);
      assertThat(histogram(all, Instrument.REMOTE_BATCH_SIZE.id(), of).getSum()).isEqualTo(2_000);
      HistogramPointData flush = histogram(all, Instrument.REMOTE_FLUSH_DURATION.id(), of);
      assertThat(flush.getCount()).isEqualTo(4);
      assertThat(flush.getSum()).isEqualTo(32e-6);
      assertThat(
              number(
                      all,
                      Instrument.REMOTE_FLUSHES.id(),
                      of.toBuilder()
                          .put(Names.text(Attribute.FLUSH_REASON), FlushReason.INTERVAL.word())
                          .build())
                  .getValue())
          .isEqualTo(10);
    } finally {
      RemoteStats.remove(transport);
    }
  }

  /** A transport with one outgoing stream. */
  private record OneStream(Batches batches) implements RemoteStats.Source {
    @Override
    public List<RemoteStats.Peer> peers() {
      return List.of(
          new RemoteStats.Peer(
              "s",
              "p",
              "out",
              "ordinary",
              true,
              0,
              new RemoteStats.Counts(20, 2_000, 10, 0, 0, 0, 0),
              batches));
    }

    @Override
    public List<RemoteStats.Refused> refused() {
      return List.of();
    }

    @Override
    public RemoteStats.Batching batching() {
      return new RemoteStats.Batching("s", true, 256, 1024, 0);
    }
  }

  @Test
  void produce_asks_areTimedByTheirClass() {
    Records.counted(Order.class, false);
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    SdkMeterProvider provider = SdkMeterProvider.builder().registerMetricReader(reader).build();
    connect(provider);
    Collection<MetricData> all = reader.collectAllMetrics();
    provider.close();
    HistogramPointData asked =
        histogram(
            all,
            Instrument.ASKING.id(),
            Attributes.of(
                MetricNames.ASKED_CLASS,
                "shop.Asked",
                MetricNames.MESSAGE_CLASS,
                Order.class.getName()));
    assertThat(asked.getCount()).isPositive();
  }

  @Test
  void collect_deltaExporter_isToldDifferences() {
    ActorKind kind = kind("shop.Delta");
    InMemoryMetricExporter delta = InMemoryMetricExporter.create(AggregationTemporality.DELTA);
    InMemoryMetricExporter cumulative = InMemoryMetricExporter.create();
    try (SdkMeterProvider provider =
        SdkMeterProvider.builder()
            .registerMetricReader(reader(delta))
            .registerMetricReader(reader(cumulative))
            .build()) {
      connect(provider);
      Records.counted(kind, Order.class, false);
      provider.forceFlush().join(90, TimeUnit.SECONDS);
      assertPoint(delta, kind, AggregationTemporality.DELTA, 1);
      assertPoint(cumulative, kind, AggregationTemporality.CUMULATIVE, 1);
      Records.counted(kind, Order.class, false);
      Records.counted(kind, Order.class, false);
      provider.forceFlush().join(90, TimeUnit.SECONDS);
      HistogramPointData point = assertPoint(delta, kind, AggregationTemporality.DELTA, 2);
      assertThat(point.getSum()).isCloseTo(0.002, org.assertj.core.data.Offset.offset(1e-12));
      assertPoint(cumulative, kind, AggregationTemporality.CUMULATIVE, 3);
      provider.forceFlush().join(90, TimeUnit.SECONDS);
      assertThat(delta.getFinishedMetricItems())
          .filteredOn(metric -> metric.getName().equals(Instrument.PROCESSING.id()))
          .allSatisfy(
              metric ->
                  assertThat(metric.getHistogramData().getPoints())
                      .noneMatch(p -> p.getAttributes().equals(series(kind))));
    }
  }

  private static PeriodicMetricReader reader(MetricExporter exporter) {
    return PeriodicMetricReader.builder(exporter).setInterval(Duration.ofHours(1)).build();
  }

  private static HistogramPointData assertPoint(
      InMemoryMetricExporter exporter,
      ActorKind kind,
      AggregationTemporality temporality,
      long count) {
    List<MetricData> metrics = exporter.getFinishedMetricItems();
    exporter.reset();
    assertThat(metrics)
        .filteredOn(metric -> metric.getName().equals(Instrument.PROCESSING.id()))
        .allSatisfy(
            metric ->
                assertThat(metric.getHistogramData().getAggregationTemporality())
                    .isEqualTo(temporality));
    HistogramPointData point = histogram(metrics, Instrument.PROCESSING.id(), series(kind));
    assertThat(point.getCount()).isEqualTo(count);
    assertThat(point.getStartEpochNanos()).isLessThan(point.getEpochNanos());
    return point;
  }

  @Test
  void register_countsOfActors_areObserved() {
    ActorKind kind = kind("shop.Counted");
    Records.counted(kind, new IllegalStateException("no stock"));
    Records.counted(kind, Order.class, false);
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    try (SdkMeterProvider provider =
        SdkMeterProvider.builder().registerMetricReader(reader).build()) {
      Instruments.register(Scope.meter(provider), new ExportCounts(), new Limits(2000));
      Collection<MetricData> all = reader.collectAllMetrics();
      Attributes actors = MetricNames.of(kind);
      assertThat(number(all, "pekko.message.processed", series(kind)).getValue()).isEqualTo(1);
      assertThat(number(all, "pekko.actor.count", actors).getValue()).isEqualTo(1);
      assertThat(number(all, "pekko.actor.started", actors).getValue()).isEqualTo(1);
      assertThat(
              number(
                      all,
                      "pekko.actor.failed",
                      actors.toBuilder()
                          .put(MetricNames.ERROR_TYPE, IllegalStateException.class.getName())
                          .build())
                  .getValue())
          .isEqualTo(1);
      assertThat(all)
          .extracting(MetricData::getName)
          .contains(
              "pekko.message.dead_lettered",
              "pekko.message.dropped",
              "pekko.actor.stopped",
              "pekko.actor.restarted",
              "deimos.span.recorded",
              "deimos.span.exported",
              "deimos.remote.context.dropped",
              "deimos.span.dropped",
              "deimos.message.class.folded");
    }
  }
}
