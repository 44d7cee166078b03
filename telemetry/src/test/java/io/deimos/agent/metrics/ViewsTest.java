// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.deimos.agent.export.ExportCounts;
import io.deimos.agent.span.Scope;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.counts.DurationBounds;
import io.deimos.recorder.ring.Records;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.ExemplarFilter;
import io.opentelemetry.sdk.metrics.InstrumentSelector;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.SdkMeterProviderBuilder;
import io.opentelemetry.sdk.metrics.View;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The demands of views and readers on our metrics. The recorder counts for the whole process, so
 * each test has an actor class of its own, and here the recorder's buckets are the usual ones.
 */
class ViewsTest {
  private static final class Order {}

  private static final class Payment {}

  private final List<String> problems = new ArrayList<>();

  private SdkMeterProvider connected(SdkMeterProviderBuilder builder) {
    SdkMeterProvider provider = builder.build();
    DurationMetrics.connect(provider, new Limits(2000), new Exemplars(100), problems::add);
    return provider;
  }

  private static ActorKind counted(String className) {
    ActorKind kind = ActorKinds.of("shop", className, false);
    Records.counted(kind, Order.class, false);
    Records.counted(kind, Payment.class, false);
    return kind;
  }

  private static InstrumentSelector named(String name) {
    return InstrumentSelector.builder().setName(name).build();
  }

  private static MetricData metric(Collection<MetricData> all, String name) {
    return all.stream().filter(m -> m.getName().equals(name)).findFirst().orElseThrow();
  }

  private static boolean isOf(ActorKind kind, Attributes attributes) {
    return kind.className().equals(attributes.get(MetricNames.ACTOR_CLASS));
  }

  @Test
  void collect_viewThatDrops_leavesTheHistogramOut() {
    counted("shop.Dropped");
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    try (SdkMeterProvider provider =
        connected(
            SdkMeterProvider.builder()
                .registerMetricReader(reader)
                .registerView(
                    named("pekko.message.*"),
                    View.builder().setAggregation(Aggregation.drop()).build()))) {
      assertThat(provider).isNotNull();
      assertThat(reader.collectAllMetrics())
          .extracting(MetricData::getName)
          .contains("pekko.mailbox.wait.duration")
          .doesNotContain("pekko.message.process.duration");
    }
  }

  @Test
  void collect_viewThatRenames_tellsTheNewName() {
    ActorKind kind = counted("shop.Renamed");
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    try (SdkMeterProvider provider =
        connected(
            SdkMeterProvider.builder()
                .registerMetricReader(reader)
                .registerView(
                    named("pekko.message.process.duration"),
                    View.builder().setName("work").setDescription("what is done").build()))) {
      assertThat(provider).isNotNull();
      MetricData work = metric(reader.collectAllMetrics(), "work");
      assertThat(work.getDescription()).isEqualTo("what is done");
      assertThat(work.getUnit()).isEqualTo("s");
      assertThat(work.getInstrumentationScopeInfo()).isEqualTo(Scope.INFO);
      assertThat(work.getHistogramData().getPoints())
          .filteredOn(p -> isOf(kind, p.getAttributes()))
          .hasSize(2)
          .allSatisfy(p -> assertThat(p.getBoundaries()).hasSize(22));
    }
  }

  @Test
  void collect_viewThatKeepsAttributes_addsUpWhatIsNotToldApart() {
    ActorKind kind = counted("shop.Filtered");
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    try (SdkMeterProvider provider =
        connected(
            SdkMeterProvider.builder()
                .registerMetricReader(reader)
                .registerView(
                    named("pekko.message.*"),
                    View.builder().setAttributeFilter(Set.of("pekko.actor.class")).build()))) {
      Instruments.register(Scope.meter(provider), new ExportCounts(), new Limits(2000));
      Collection<MetricData> all = reader.collectAllMetrics();
      Attributes kept = Attributes.of(MetricNames.ACTOR_CLASS, kind.className());
      assertThat(metric(all, "pekko.message.process.duration").getHistogramData().getPoints())
          .filteredOn(p -> isOf(kind, p.getAttributes()))
          .singleElement()
          .satisfies(
              p -> {
                assertThat(p.getAttributes()).isEqualTo(kept);
                assertThat(p.getCount()).isEqualTo(2);
                assertThat(p.getSum()).isCloseTo(0.002, within(1e-12));
              });
      assertThat(metric(all, "pekko.message.processed").getLongSumData().getPoints())
          .filteredOn(p -> isOf(kind, p.getAttributes()))
          .singleElement()
          .extracting(LongPointData::getValue)
          .isEqualTo(2L);
    }
  }

  @Test
  @SuppressWarnings("deprecation") // users' extensions still call it so
  void collect_viewWithBoundsOfItsOwn_tellsThese() {
    ActorKind kind = counted("shop.Bounds");
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    try (SdkMeterProvider provider =
        connected(
            SdkMeterProvider.builder()
                .registerMetricReader(reader)
                .registerView(
                    named("pekko.message.process.duration"),
                    View.builder()
                        .setAggregation(
                            Aggregation.explicitBucketHistogram(List.of(0.0001, 0.001, 0.1)))
                        .build()))) {
      assertThat(provider).isNotNull();
      assertThat(
              metric(reader.collectAllMetrics(), "pekko.message.process.duration")
                  .getHistogramData()
                  .getPoints())
          .filteredOn(p -> isOf(kind, p.getAttributes()))
          .allSatisfy(
              p -> {
                assertThat(p.getBoundaries()).containsExactly(0.0001, 0.001, 0.1);
                assertThat(p.getCounts()).containsExactly(0L, 1L, 0L, 0L);
              });
      assertThat(problems).isEmpty();
    }
  }

  @Test
  void collect_viewThatSums_tellsTheSumAlone() {
    ActorKind kind = counted("shop.Summed");
    InMemoryMetricReader reader = InMemoryMetricReader.createDelta();
    try (SdkMeterProvider provider =
        connected(
            SdkMeterProvider.builder()
                .registerMetricReader(reader)
                .registerView(
                    named("pekko.message.process.duration"),
                    View.builder().setAggregation(Aggregation.sum()).build()))) {
      assertThat(provider).isNotNull();
      reader.collectAllMetrics();
      Records.counted(kind, Order.class, false);
      MetricData sum = metric(reader.collectAllMetrics(), "pekko.message.process.duration");
      assertThat(sum.getType()).isEqualTo(MetricDataType.DOUBLE_SUM);
      assertThat(sum.getDoubleSumData().isMonotonic()).isTrue();
      assertThat(sum.getDoubleSumData().getAggregationTemporality())
          .isEqualTo(AggregationTemporality.DELTA);
      assertThat(sum.getDoubleSumData().getPoints())
          .filteredOn(p -> isOf(kind, p.getAttributes()))
          .singleElement()
          .satisfies(p -> assertThat(p.getValue()).isCloseTo(0.001, within(1e-12)));
    }
  }

  @Test
  void collect_readerThatPrefersExponential_getsItAndOthersDoNot() {
    ActorKind kind = counted("shop.Exponential");
    InMemoryMetricReader exponential =
        InMemoryMetricReader.builder()
            .setDefaultAggregationSelector(
                type ->
                    type == InstrumentType.HISTOGRAM
                        ? Aggregation.base2ExponentialBucketHistogram()
                        : Aggregation.defaultAggregation())
            .build();
    InMemoryMetricReader usual = InMemoryMetricReader.create();
    try (SdkMeterProvider provider =
        connected(
            SdkMeterProvider.builder()
                .registerMetricReader(exponential)
                .registerMetricReader(usual))) {
      assertThat(provider).isNotNull();
      ExponentialHistogramPointData point =
          metric(exponential.collectAllMetrics(), "pekko.message.process.duration")
              .getExponentialHistogramData()
              .getPoints()
              .stream()
              .filter(p -> isOf(kind, p.getAttributes()))
              .findFirst()
              .orElseThrow();
      assertThat(point.getCount()).isEqualTo(1);
      assertThat(point.getScale()).isEqualTo(2);
      assertThat(metric(usual.collectAllMetrics(), "pekko.message.process.duration").getType())
          .isEqualTo(MetricDataType.HISTOGRAM);
      // Other tests have counted in this process before, by the usual bounds.
      assertThat(problems).singleElement().asString().contains("before the SDK was configured");
    }
  }

  @Test
  void collect_otherMeters_keepTheirViewsAndValues() {
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    try (SdkMeterProvider provider =
        connected(SdkMeterProvider.builder().registerMetricReader(reader))) {
      provider.get("other").counterBuilder("theirs").build().add(3);
      MetricData theirs = metric(reader.collectAllMetrics(), "theirs");
      assertThat(theirs.getInstrumentationScopeInfo())
          .isEqualTo(InstrumentationScopeInfo.create("other"));
      assertThat(theirs.getLongSumData().getPoints())
          .singleElement()
          .extracting(LongPointData::getValue)
          .isEqualTo(3L);
    }
  }

  @Test
  void collect_exemplarFilter_decidesWhetherThereAreAny() {
    ActorKind kind = counted("shop.Exemplar");
    Exemplars exemplars = new Exemplars(100);
    new Records(exemplars)
        .processed(Actors.register("/user/exemplar", kind), Order.class, 20_000_000);
    assertThat(exemplarsOf(ExemplarFilter.traceBased(), exemplars)).isPositive();
    assertThat(exemplarsOf(ExemplarFilter.alwaysOff(), exemplars)).isZero();
  }

  private static long exemplarsOf(ExemplarFilter filter, Exemplars exemplars) {
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    try (SdkMeterProvider provider =
        SdkMeterProvider.builder().registerMetricReader(reader).setExemplarFilter(filter).build()) {
      DurationMetrics.connect(provider, new Limits(2000), exemplars, problem -> {});
      return metric(reader.collectAllMetrics(), "pekko.message.process.duration")
          .getHistogramData()
          .getPoints()
          .stream()
          .map(HistogramPointData::getExemplars)
          .mapToLong(List::size)
          .sum();
    }
  }

  @Test
  void exponential_countedByItsOwnBounds_isExact() {
    DurationBounds bounds = DurationBounds.of(ExponentialBuckets.boundsNanos());
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      long nanos = 200 + (random.nextLong() >>> random.nextInt(28, 60));
      long[] counts = new long[bounds.buckets()];
      counts[bounds.bucket(nanos)]++;
      ExponentialBuckets told = ExponentialBuckets.of(bounds, counts, 160, 20);
      assertThat(told.counts()).as("%d ns, seed %d", nanos, seed).containsExactly(1L);
      double seconds = nanos / 1e9;
      if (seconds <= 128) {
        assertThat(Math.pow(2, told.offset() / 4.0)).isLessThan(seconds * (1 + 1e-9));
        assertThat(Math.pow(2, (told.offset() + 1) / 4.0)).isGreaterThan(seconds * (1 - 1e-9));
      }
    }
  }

  @Test
  void exponential_moreOctavesThanBuckets_growsByALargerFactor() {
    DurationBounds bounds = DurationBounds.of(ExponentialBuckets.boundsNanos());
    long[] counts = new long[bounds.buckets()];
    counts[bounds.bucket(1_000)] = 3; // between 2^-20 and 2^-19.9
    counts[bounds.bucket(900_000_000)] = 4; // between 2^-0.25 and 1
    assertThat(ExponentialBuckets.of(bounds, counts, 160, 20).scale()).isEqualTo(2);
    ExponentialBuckets coarse = ExponentialBuckets.of(bounds, counts, 20, 20);
    assertThat(coarse.scale()).isZero();
    assertThat(coarse.offset()).isEqualTo(-20);
    assertThat(coarse.counts()).hasSize(20).startsWith(3L).endsWith(4L);
    assertThat(ExponentialBuckets.of(bounds, counts, 160, -1).scale()).isEqualTo(-1);
    assertThat(ExponentialBuckets.of(bounds, new long[counts.length], 160, 20).counts()).isEmpty();
  }
}
