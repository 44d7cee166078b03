// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.export.ExportCounts;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.ring.AnyRecord;
import io.deimos.recorder.ring.Records;
import io.deimos.recorder.spans.Rare;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.proto.collector.trace.v1.ExportTracePartialSuccess;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.sdk.common.InternalTelemetryVersion;
import io.opentelemetry.sdk.common.export.ProxyOptions;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectExportTest {
  private static final int SMALL_BATCH = 16 << 10;

  private final ExportCounts counts = new ExportCounts();
  private final List<String> told = Collections.synchronizedList(new ArrayList<>());
  private final List<String> warned = Collections.synchronizedList(new ArrayList<>());
  private final MessageClass place = Records.message("shop.Orders$Place");
  private final List<BatchSpanProcessor> processors = new ArrayList<>();
  private Collector collector;
  private long written;

  @BeforeEach
  void startCollector() throws Exception {
    collector = new Collector();
  }

  @AfterEach
  void stop() {
    collector.close();
    processors.forEach(processor -> processor.shutdown().join(90, TimeUnit.SECONDS));
  }

  private DirectExport export(long patienceNanos) throws Exception {
    return export(OtlpHttpSpanExporter.builder(), patienceNanos, Duration.ofHours(1));
  }

  private DirectExport export(
      OtlpHttpSpanExporterBuilder exporter, long patienceNanos, Duration delay) throws Exception {
    return export(exporter, collector.endpoint(), patienceNanos, delay);
  }

  private DirectExport export(
      OtlpHttpSpanExporterBuilder exporter, String endpoint, long patienceNanos, Duration delay)
      throws Exception {
    BatchSpanProcessor processor =
        BatchSpanProcessor.builder(exporter.setEndpoint(endpoint).build())
            .setScheduleDelay(delay)
            .build();
    processors.add(processor);
    return new DirectExport(
        OtlpRoute.of(List.of(processor), SpanLimits.getDefault()),
        Resource.getDefault(),
        SpanLimits.getDefault(),
        counts,
        patienceNanos,
        told::add,
        warned::add,
        SMALL_BATCH);
  }

  /** Hands over as the drainer does: never more than there is room for. */
  private void drain(DirectExport export, int spans) {
    AnyRecord records = new AnyRecord(export);
    int left = spans;
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (left > 0) {
      int room = Math.min(left, export.room());
      for (int i = 0; i < room; i++) {
        records.write(++written, 0, place, null, null, null);
      }
      export.flush();
      left -= room;
      if (room == 0) {
        LockSupport.parkNanos(100_000);
      }
      assertThat(System.nanoTime() - until).isNegative();
    }
  }

  private static boolean finish(DirectExport export) {
    export.closing();
    export.flush();
    return export.awaitExport(20_000);
  }

  private static void await(BooleanSupplier condition) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - until).isNegative();
      LockSupport.parkNanos(100_000);
    }
  }

  private void assertAllArrivedOnce() {
    assertThat(told).isEmpty();
    assertThat(counts.dropped()).isZero();
    assertThat(counts.exported()).isEqualTo(written);
    assertThat(collector.spans.size()).isEqualTo(written);
    assertThat(collector.spans.stream().map(Span::getSpanId).distinct().count()).isEqualTo(written);
  }

  @Test
  void accept_manyTimesTheBuffers_losesNone() throws Exception {
    DirectExport export = export(Long.MAX_VALUE);
    drain(export, 5_000);
    assertThat(finish(export)).isTrue();
    assertAllArrivedOnce();
  }

  @Test
  void accept_compressionAndHeaders_areTheExporters() throws Exception {
    DirectExport export =
        export(
            OtlpHttpSpanExporter.builder().setCompression("gzip").addHeader("x-key", "secret"),
            Long.MAX_VALUE,
            Duration.ofHours(1));
    drain(export, 100);
    assertThat(finish(export)).isTrue();
    assertAllArrivedOnce();
    assertThat(collector.headers).containsOnly("[gzip] [secret]");
  }

  @Test
  void room_batchIsOld_isSent() throws Exception {
    DirectExport export =
        export(OtlpHttpSpanExporter.builder(), Long.MAX_VALUE, Duration.ofMillis(1));
    drain(export, 1);
    await(() -> export.room() > 0 && counts.exported() == 1);
    assertAllArrivedOnce();
    finish(export);
  }

  @Test
  void accept_collectorIsBusy_triesAgain() throws Exception {
    collector.statuses.addAll(List.of(503, 429, 502, 504));
    DirectExport export =
        export(
            OtlpHttpSpanExporter.builder()
                .setRetryPolicy(
                    RetryPolicy.builder()
                        .setInitialBackoff(Duration.ofMillis(1))
                        .setMaxBackoff(Duration.ofMillis(2))
                        .build()),
            Long.MAX_VALUE,
            Duration.ofHours(1));
    drain(export, 10);
    assertThat(finish(export)).isTrue();
    assertThat(collector.headers).hasSize(5);
    assertAllArrivedOnce();
  }

  @Test
  void accept_requestIsRefused_isCountedAndToldOnceAndGoesOn() throws Exception {
    collector.statuses.addAll(List.of(400, 400));
    DirectExport export =
        export(OtlpHttpSpanExporter.builder(), Long.MAX_VALUE, Duration.ofMillis(1));
    drain(export, 5);
    await(() -> export.room() > 0 && counts.failed() == 5);
    drain(export, 7);
    await(() -> export.room() > 0 && counts.failed() == 12);
    assertThat(told).hasSize(1).first().asString().contains("400");
    drain(export, 3);
    assertThat(finish(export)).isTrue();
    assertThat(counts.exported()).isEqualTo(3);
    assertThat(counts.dropped()).isEqualTo(12);
  }

  @Test
  void accept_collectorRedirects_isNotFollowed() throws Exception {
    try (Collector elsewhere = new Collector()) {
      collector.location = elsewhere.endpoint();
      collector.statuses.add(307);
      DirectExport export =
          export(OtlpHttpSpanExporter.builder(), Long.MAX_VALUE, Duration.ofMillis(1));
      drain(export, 5);
      await(() -> export.room() > 0 && counts.failed() == 5);
      assertThat(told).hasSize(1).first().asString().contains("307");
      assertThat(elsewhere.headers).isEmpty();
    }
  }

  @Test
  void accept_nobodyListens_isCountedAndStopsNothing() throws Exception {
    DirectExport export =
        export(
            OtlpHttpSpanExporter.builder().setRetryPolicy(null),
            Long.MAX_VALUE,
            Duration.ofHours(1));
    collector.close();
    drain(export, 1_000);
    assertThat(finish(export)).isTrue();
    assertThat(counts.failed()).isEqualTo(1_000);
    assertThat(told).isNotEmpty();
  }

  @Test
  void accept_someAreRejected_theseCountAsFailed() throws Exception {
    collector.body =
        ExportTraceServiceResponse.newBuilder()
            .setPartialSuccess(
                ExportTracePartialSuccess.newBuilder().setRejectedSpans(4).setErrorMessage("old"))
            .build()
            .toByteArray();
    DirectExport export = export(Long.MAX_VALUE);
    drain(export, 10);
    assertThat(finish(export)).isTrue();
    assertThat(counts.exported()).isEqualTo(6);
    assertThat(counts.failed()).isEqualTo(4);
    assertThat(told).containsExactly("the collector rejected 4 spans of a request: old");
  }

  /** As the protocol has it for what a collector took and does not like. */
  @Test
  void flush_collectorTakesAllAndWarns_saysSoAndCountsIt() throws Exception {
    collector.body =
        ExportTraceServiceResponse.newBuilder()
            .setPartialSuccess(ExportTracePartialSuccess.newBuilder().setErrorMessage("old schema"))
            .build()
            .toByteArray();
    DirectExport export = export(Long.MAX_VALUE);
    drain(export, 10);
    assertThat(finish(export)).isTrue();
    assertThat(counts.exported()).isEqualTo(10);
    assertThat(counts.failed()).isZero();
    assertThat(counts.warnings()).isOne();
    assertThat(told).isEmpty();
    assertThat(warned).containsExactly("old schema");
  }

  @Test
  void room_collectorHangs_keepsRecordsWaitingThenGoesOn() throws Exception {
    collector.answers.drainPermits();
    DirectExport export = export(Long.MAX_VALUE);
    AnyRecord records = new AnyRecord(export);
    while (export.room() > 0) {
      records.write(++written, 0, place, null, null, null);
    }
    assertThat(export.room()).isZero();
    assertThat(counts.dropped()).isZero();
    collector.answers.release(1_000_000);
    await(() -> export.room() > 0);
    drain(export, 100);
    assertThat(finish(export)).isTrue();
    assertAllArrivedOnce();
  }

  @Test
  void room_collectorHangsForTooLong_refusesForTheOthersSakeThenGoesOn() throws Exception {
    collector.answers.drainPermits();
    DirectExport export = export(1_000_000);
    AnyRecord records = new AnyRecord(export);
    await(
        () -> {
          if (export.room() > 0 && counts.refused() == 0) {
            records.write(++written, 0, place, null, null, null);
          }
          return counts.refused() > 0;
        });
    assertThat(export.room()).isEqualTo(Integer.MAX_VALUE);
    collector.answers.release(1_000_000);
    await(() -> export.room() < Integer.MAX_VALUE);
    long refused = counts.refused();
    drain(export, 10);
    assertThat(finish(export)).isTrue();
    assertThat(counts.refused()).isEqualTo(refused);
    assertThat(counts.exported()).isEqualTo(written - refused);
  }

  @Test
  void awaitExport_collectorHangs_countsWhatIsUnfinished() throws Exception {
    collector.answers.drainPermits();
    DirectExport export = export(Long.MAX_VALUE);
    drain(export, 20);
    export.closing();
    export.flush();
    assertThat(export.awaitExport(50)).isFalse();
    assertThat(counts.unfinished()).isEqualTo(20);
    assertThat(counts.dropped()).isEqualTo(20);
  }

  @Test
  void accept_spanLargerThanABatch_isSent() throws Exception {
    DirectExport export = export(Long.MAX_VALUE);
    AnyRecord records = new AnyRecord(export);
    IllegalStateException error = new IllegalStateException("x".repeat(3 * SMALL_BATCH));
    for (int i = 0; i < 3; i++) {
      records.write(++written, 0, place, null, null, new Rare(error, null, null, null));
    }
    drain(export, 10);
    assertThat(finish(export)).isTrue();
    assertAllArrivedOnce();
  }

  @Test
  void accept_spanOfMonstrousSize_isRefusedAndCounted() throws Exception {
    DirectExport export = export(Long.MAX_VALUE);
    IllegalStateException error = new IllegalStateException("x".repeat(BatchPool.MAX_EXTRA_BYTES));
    new AnyRecord(export).write(1, 0, place, null, null, new Rare(error, null, null, null));
    assertThat(finish(export)).isTrue();
    assertThat(counts.refused()).isEqualTo(1);
  }

  private static RetryPolicy soon() {
    return RetryPolicy.builder()
        .setInitialBackoff(Duration.ofMillis(1))
        .setMaxBackoff(Duration.ofMillis(2))
        .build();
  }

  @Test
  void accept_collectorSaysWhenToTryAgain_waitsUntilThen() throws Exception {
    collector.statuses.addAll(List.of(429, 503));
    collector.retryAfter = "1";
    DirectExport export =
        export(
            OtlpHttpSpanExporter.builder().setRetryPolicy(soon()),
            Long.MAX_VALUE,
            Duration.ofHours(1));
    long begun = System.nanoTime();
    drain(export, 10);
    assertThat(finish(export)).isTrue();
    assertThat(System.nanoTime() - begun).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(1_900));
    assertThat(collector.headers).hasSize(3);
    assertAllArrivedOnce();
  }

  @Test
  void accept_otherFailures_areNotTriedAgain() throws Exception {
    List<Integer> finals = List.of(301, 400, 401, 403, 404, 413, 500, 501);
    for (int status : finals) {
      collector.statuses.add(status);
      DirectExport export =
          export(
              OtlpHttpSpanExporter.builder().setRetryPolicy(soon()),
              Long.MAX_VALUE,
              Duration.ofHours(1));
      drain(export, 1);
      assertThat(finish(export)).isTrue();
    }
    assertThat(collector.headers).hasSize(finals.size());
    assertThat(counts.failed()).isEqualTo(finals.size());
  }

  @Test
  void accept_connectionBreaksBeforeTheAnswer_triesAgain() throws Exception {
    collector.statuses.addAll(List.of(Collector.RESET, Collector.RESET, Collector.RESET));
    DirectExport export =
        export(
            OtlpHttpSpanExporter.builder().setRetryPolicy(soon()),
            Long.MAX_VALUE,
            Duration.ofHours(1));
    drain(export, 10);
    assertThat(finish(export)).isTrue();
    assertAllArrivedOnce();
  }

  @Test
  void accept_noAnswerWithinTheTimeout_isGivenUpAndTold() throws Exception {
    collector.answers.drainPermits();
    DirectExport export =
        export(
            OtlpHttpSpanExporter.builder().setTimeout(Duration.ofMillis(200)),
            Long.MAX_VALUE,
            Duration.ofHours(1));
    drain(export, 10);
    assertThat(finish(export)).isTrue();
    assertThat(counts.failed()).isEqualTo(10);
    assertThat(told).singleElement().asString().contains("timeout");
  }

  @Test
  void accept_proxyIsSet_goesThroughIt() throws Exception {
    DirectExport export =
        export(
            OtlpHttpSpanExporter.builder().setProxy(ProxyOptions.create(collector.address())),
            "http://collector.invalid:4318/v1/traces",
            Long.MAX_VALUE,
            Duration.ofHours(1));
    drain(export, 10);
    assertThat(finish(export)).isTrue();
    assertAllArrivedOnce();
  }

  @Test
  void accept_bothSidesHaveCertificates_areBothChecked(@TempDir Path directory) throws Exception {
    KeyPairs pairs = new KeyPairs(directory);
    KeyStore server = pairs.make("collector");
    KeyStore client = pairs.make("client");
    collector.close();
    collector = Collector.over(KeyPairs.context(server, client));
    OtlpHttpSpanExporterBuilder trusting =
        OtlpHttpSpanExporter.builder().setTrustedCertificates(KeyPairs.certificate(server));
    DirectExport known =
        export(
            trusting.setClientTls(KeyPairs.key(client), KeyPairs.certificate(client)),
            Long.MAX_VALUE,
            Duration.ofHours(1));
    drain(known, 10);
    assertThat(finish(known)).isTrue();
    assertAllArrivedOnce();
    DirectExport stranger =
        export(
            OtlpHttpSpanExporter.builder()
                .setClientTls(KeyPairs.key(client), KeyPairs.certificate(client)),
            Long.MAX_VALUE,
            Duration.ofHours(1));
    drain(stranger, 1);
    assertThat(finish(stranger)).isTrue();
    assertThat(counts.failed()).isEqualTo(1);
    assertThat(told).singleElement().asString().contains("SSLHandshakeException");
  }

  /** As the SDK's exporter would count them, and only if it is configured to. */
  @Test
  void accept_sdkCountsItsExporters_countsTheSame() throws Exception {
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    try (SdkMeterProvider meters =
        SdkMeterProvider.builder().registerMetricReader(reader).build()) {
      collector.statuses.add(400);
      DirectExport export =
          export(
              OtlpHttpSpanExporter.builder()
                  .setMeterProvider(meters)
                  .setInternalTelemetryVersion(InternalTelemetryVersion.LATEST),
              Long.MAX_VALUE,
              Duration.ofMillis(1));
      drain(export, 5);
      await(() -> export.room() > 0 && counts.failed() == 5);
      drain(export, 7);
      assertThat(finish(export)).isTrue();
      assertThat(reader.collectAllMetrics())
          .extracting(MetricData::getName)
          .containsExactlyInAnyOrder(
              "otel.sdk.exporter.span.inflight",
              "otel.sdk.exporter.span.exported",
              "otel.sdk.exporter.operation.duration");
      Map<String, Long> exported = new HashMap<>();
      for (LongPointData point : points(reader, "otel.sdk.exporter.span.exported")) {
        assertThat(point.getAttributes().get(AttributeKey.stringKey("otel.component.type")))
            .isEqualTo("otlp_http_span_exporter");
        exported.put(
            String.valueOf(point.getAttributes().get(AttributeKey.stringKey("error.type"))),
            point.getValue());
      }
      assertThat(exported).isEqualTo(Map.of("null", 7L, "400", 5L));
      assertThat(points(reader, "otel.sdk.exporter.span.inflight"))
          .allMatch(point -> point.getValue() == 0);
    }
  }

  private static Collection<LongPointData> points(InMemoryMetricReader reader, String metric) {
    return reader.collectAllMetrics().stream()
        .filter(m -> m.getName().equals(metric))
        .findFirst()
        .orElseThrow()
        .getLongSumData()
        .getPoints();
  }
}
