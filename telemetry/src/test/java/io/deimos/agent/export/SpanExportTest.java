// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.Records;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Rare;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpanExportTest {
  private static final Resource RESOURCE =
      Resource.create(
          io.opentelemetry.api.common.Attributes.of(
              AttributeKey.stringKey("service.name"), "shop"));

  private final ExportCounts counts = new ExportCounts();
  private final List<SdkTracerProvider> providers = new ArrayList<>();
  private int failures;

  @AfterEach
  void shutDown() {
    providers.forEach(provider -> provider.shutdown().join(90, TimeUnit.SECONDS));
  }

  /** A provider with a batch processor of this queue, whose exporter is counted. */
  private List<SpanProcessor> processors(SpanExporter exporter, int queue) throws Exception {
    SpanProcessor batch =
        BatchSpanProcessor.builder(
                new CountingExporter(
                    exporter, counts, new Outage("spans", problem -> failures++, line -> {}), ""))
            .setMaxQueueSize(queue)
            .setMaxExportBatchSize(queue / 2)
            .setScheduleDelay(Duration.ofHours(1))
            .build();
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .addSpanProcessor(batch)
            .addSpanProcessorFirst(new StoreProcessor(span -> {}, null, () -> {}))
            .build();
    providers.add(provider);
    return EndProcessors.of(provider);
  }

  private SpanExport export(List<SpanProcessor> processors, long patienceNanos) {
    return new SpanExport(
        processors,
        RESOURCE,
        SpanLimits.getDefault(),
        counts,
        true,
        EndProcessors.queueSize(processors),
        patienceNanos);
  }

  /** Hands over as the drainer does: never more than there is room for. */
  private static void drain(SpanExport export, int spans) {
    Records records = new Records(export);
    int left = spans;
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (left > 0) {
      int room = Math.min(left, export.room());
      for (int i = 0; i < room; i++) {
        records.processed(1, 2, left - i, 0);
      }
      left -= room;
      if (room == 0) {
        LockSupport.parkNanos(100_000);
      }
      assertThat(System.nanoTime() - until).isNegative();
    }
  }

  @Test
  void of_provider_findsTheBatchProcessorAndItsQueue() throws Exception {
    List<SpanProcessor> found = processors(InMemorySpanExporter.create(), 64);
    assertThat(found).hasSize(1).first().isInstanceOf(BatchSpanProcessor.class);
    assertThat(EndProcessors.queueSize(found)).isEqualTo(64);
    assertThat(EndProcessors.resource(providers.get(0))).isNotNull();
  }

  @Test
  void accept_manyTimesTheQueue_losesNone() throws Exception {
    InMemorySpanExporter exporter = InMemorySpanExporter.create();
    SpanExport export = export(processors(exporter, 64), Long.MAX_VALUE);
    drain(export, 1_000);
    assertThat(export.awaitExport(10_000)).isTrue();
    assertThat(exporter.getFinishedSpanItems()).hasSize(1_000);
    assertThat(counts.exported()).isEqualTo(1_000);
    assertThat(counts.dropped()).isZero();
  }

  /** As a batch processor does between the end of a flush and its next look at its queue. */
  @Test
  void room_processorAnswersWithTheFlushBefore_thereIsNoneUntilItFlushesAgain() {
    CompletableResultCode before = new CompletableResultCode().succeed();
    SpanExport export =
        answering(Long.MAX_VALUE, before, before, before, new CompletableResultCode().succeed());
    fill(export);
    assertThat(export.room()).as("its first flush").isEqualTo(32);
    fill(export);
    assertThat(export.room()).as("the same once more").isZero();
    assertThat(export.room()).as("and once more").isZero();
    assertThat(export.room()).as("a flush of its own").isEqualTo(32);
  }

  @Test
  void room_processorAlwaysAnswersTheSame_isBelievedInTheEnd() {
    CompletableResultCode only = new CompletableResultCode().succeed();
    SpanExport export = answering(-1, only, only);
    fill(export);
    assertThat(export.room()).isEqualTo(32);
    fill(export);
    assertThat(export.room()).isEqualTo(32);
  }

  @Test
  void room_processorFailsEachTime_takesSpansAllTheSame() {
    CompletableResultCode failure = CompletableResultCode.ofFailure();
    SpanExport export = answering(Long.MAX_VALUE, failure, failure);
    fill(export);
    assertThat(export.room()).isEqualTo(32);
    fill(export);
    assertThat(export.room()).isEqualTo(32);
  }

  private static void fill(SpanExport export) {
    Records records = new Records(export);
    for (int i = 1; i <= 32; i++) {
      records.processed(1, 2, i, 0);
    }
  }

  private SpanExport answering(long patienceNanos, CompletableResultCode... flushes) {
    List<CompletableResultCode> answers = new ArrayList<>(List.of(flushes));
    SpanProcessor processor =
        new SpanProcessor() {
          @Override
          public CompletableResultCode forceFlush() {
            return answers.remove(0);
          }

          @Override
          public void onStart(Context parent, ReadWriteSpan span) {}

          @Override
          public boolean isStartRequired() {
            return false;
          }

          @Override
          public void onEnd(ReadableSpan span) {}

          @Override
          public boolean isEndRequired() {
            return true;
          }
        };
    return new SpanExport(
        List.of(processor), RESOURCE, SpanLimits.getDefault(), counts, false, 64, patienceNanos);
  }

  @Test
  void accept_oneMessage_readsAsTheDesignSays() throws Exception {
    InMemorySpanExporter exporter = InMemorySpanExporter.create();
    SpanExport export = export(processors(exporter, 64), Long.MAX_VALUE);
    ActorTelemetry cart = Records.actor("pekko://shop/user/cart-7", "shop.Cart");
    long sent = Clock.now();
    IllegalStateException error = new IllegalStateException("no stock");
    new Records(export)
        .processed(
            1, 2, 3, 4, sent, sent + 1_000, 2_000, cart, null, new Rare(error, null, null, null));
    assertThat(export.awaitExport(10_000)).isTrue();
    SpanData span = exporter.getFinishedSpanItems().get(0);
    assertThat(span.getName()).isEqualTo("process Place");
    assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(span.getResource()).isEqualTo(RESOURCE);
    assertThat(span.getStartEpochNanos()).isEqualTo(Clock.epochNanos(sent));
    assertThat(span.getEndEpochNanos() - span.getStartEpochNanos()).isEqualTo(3_000);
    assertThat(span.getEvents())
        .extracting(event -> event.getName())
        .containsExactly("waiting", "message", "exception");
    assertThat(span.getAttributes().get(AttributeKey.stringKey("error.type")))
        .isEqualTo(IllegalStateException.class.getName());
  }

  @Test
  void accept_limitsOfTheSdk_areKept() {
    InMemorySpanExporter exporter = InMemorySpanExporter.create();
    SpanProcessor simple = io.opentelemetry.sdk.trace.export.SimpleSpanProcessor.create(exporter);
    SpanLimits limits =
        SpanLimits.builder().setMaxNumberOfAttributes(2).setMaxAttributeValueLength(4).build();
    SpanExport export = new SpanExport(List.of(simple), RESOURCE, limits, counts, false, 64);
    drain(export, 1);
    SpanData span = exporter.getFinishedSpanItems().get(0);
    assertThat(span.getAttributes().size()).isEqualTo(2);
    assertThat(span.getAttributes().asMap().values())
        .allSatisfy(value -> assertThat(value.toString()).hasSizeLessThanOrEqualTo(4));
    assertThat(span.getTotalAttributeCount()).isGreaterThan(2);
    assertThat(counts.exported()).isEqualTo(1);
  }

  @Test
  void accept_exporterFails_countsAndTells() throws Exception {
    SpanExport export = export(processors(new Stuck(CompletableResultCode.ofFailure()), 64), 1);
    drain(export, 10);
    assertThat(export.awaitExport(10_000)).isTrue();
    assertThat(counts.failed()).isEqualTo(10);
    assertThat(counts.exported()).isZero();
    assertThat(failures).isPositive();
  }

  @Test
  void room_exporterHangs_refusesAfterItsPatienceAndGoesOnLater() throws Exception {
    CompletableResultCode pending = new CompletableResultCode();
    SpanExport export = export(processors(new Stuck(pending), 64), 1_000_000);
    drain(export, 32);
    assertThat(export.room()).isZero();
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (export.room() == 0 && System.nanoTime() - until < 0) {
      LockSupport.parkNanos(100_000);
    }
    assertThat(export.room()).isEqualTo(Integer.MAX_VALUE);
    drain(export, 100);
    assertThat(counts.refused()).isEqualTo(100);
    pending.succeed();
    while (export.room() == Integer.MAX_VALUE && System.nanoTime() - until < 0) {
      LockSupport.parkNanos(100_000);
    }
    assertThat(export.room()).isEqualTo(32);
    assertThat(counts.exported()).isEqualTo(32);
    assertThat(counts.refused()).isEqualTo(100);
  }

  @Test
  void sinks_oneFails_theOthersAreServed() {
    List<Long> seen = new ArrayList<>();
    Sinks sinks =
        new Sinks(
            List.of(
                view -> {
                  throw new IllegalStateException("broken");
                },
                (SpanView view) -> seen.add(view.spanId())));
    new Records(sinks).processed(1, 2, 3, 0);
    sinks.flush();
    assertThat(seen).containsExactly(3L);
    assertThat(sinks.room()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void onEnd_ourOwnSpan_isNotStoredTwice() throws Exception {
    List<String> stored = new ArrayList<>();
    StoreProcessor processor =
        new StoreProcessor(span -> stored.add(span.getName()), null, () -> {});
    SdkTracerProvider provider = SdkTracerProvider.builder().addSpanProcessor(processor).build();
    providers.add(provider);
    provider.get("http").spanBuilder("GET /").startSpan().end();
    new Records(
            view ->
                processor.onEnd(
                    new LateSpan(
                        new io.deimos.agent.span.RecordedSpan(view, RESOURCE),
                        SpanLimits.getDefault())))
        .processed(1, 2, 3, 0);
    assertThat(stored).containsExactly("GET /");
    assertThat(EndProcessors.of(provider)).isEmpty();
  }

  /** Takes batches and answers what it is told to. */
  private static final class Stuck implements SpanExporter {
    private final CompletableResultCode result;

    Stuck(CompletableResultCode result) {
      this.result = result;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      return result;
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }

  @Test
  void awaitExport_exporterNeverAnswers_countsWhatItWasHanded() throws Exception {
    CompletableResultCode answer = new CompletableResultCode();
    SpanExporter exporter =
        new SpanExporter() {
          @Override
          public CompletableResultCode export(Collection<SpanData> spans) {
            return answer;
          }

          @Override
          public CompletableResultCode flush() {
            return answer;
          }

          @Override
          public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
          }
        };
    SpanExport export = export(processors(exporter, 64), Long.MAX_VALUE);
    drain(export, 10);
    assertThat(export.awaitExport(50)).isFalse();
    assertThat(counts.unfinished()).isEqualTo(10);
    answer.succeed();
  }
}
