// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.shutdown;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.export.CountingExporter;
import io.deimos.agent.export.ExportCounts;
import io.deimos.agent.export.Outage;
import io.deimos.agent.export.StoreProcessor;
import io.deimos.agent.log.Problems;
import io.deimos.agent.pipeline.SpanPath;
import io.deimos.agent.sdk.SdkView;
import io.deimos.agent.tail.TailCounts;
import io.deimos.agent.tail.TailSampler;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.hooks.AskHooks;
import io.deimos.recorder.woven.RefFields;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShutdownTest {
  private static final int ASKS = 1_000;

  @Test
  void shutdown_recordsInTheRings_areExportedFirst() {
    // The in-memory exporter forgets its spans when it is shut down.
    List<SpanData> exported = new ArrayList<>();
    ExportCounts counts = new ExportCounts();
    AtomicReference<@Nullable SpanPath> path = new AtomicReference<>();
    InMemorySpanExporter exporter = InMemorySpanExporter.create();
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .addSpanProcessor(
                BatchSpanProcessor.builder(
                        new CountingExporter(
                            exporter, counts, new Outage("spans", problem -> {}, line -> {}), ""))
                    .setScheduleDelay(Duration.ofHours(1))
                    .setMaxQueueSize(64)
                    .setMaxExportBatchSize(32)
                    .build())
            .addSpanProcessorFirst(
                new StoreProcessor(
                    null,
                    null,
                    () -> {
                      SpanPath ending = path.get();
                      if (ending != null) {
                        ending.drainLast(20_000);
                        ending.exportLast(10_000);
                      }
                      exported.addAll(exporter.getFinishedSpanItems());
                    }))
            .build();
    SpanPath spans =
        new SpanPath(
            SdkView.of(provider, new Problems()),
            span -> {},
            (behind, others) ->
                new TailSampler(behind, others, new TailCounts(), counts::unfinished),
            null,
            null,
            null,
            new SpanPath.Export(null, counts, true, reason -> {}, warning -> {}));
    path.set(spans);
    for (int i = 0; i < ASKS; i++) {
      ask();
    }
    spans.start();
    provider.shutdown().join(90, TimeUnit.SECONDS);
    // The rings are the process's: other tests may have left records of messages there.
    assertThat(exported).filteredOn(span -> span.getKind() == SpanKind.CLIENT).hasSize(ASKS);
    assertThat(counts.exported()).isEqualTo(exported.size());
    assertThat(counts.dropped()).isZero();
  }

  /** Asks are records that need no actor. */
  private static void ask() {
    Promise promise = new Promise();
    AskHooks.created(promise, null);
    Frame sending = AskHooks.send(AskHooks.ASK, promise.identity, "target", "request", 1);
    if (sending != null) {
      AskHooks.sent(sending);
    }
    AskHooks.ended(promise.identity, null, null);
  }

  private static final class Promise implements RefFields {
    private @Nullable Object identity;

    @Override
    public @Nullable Object deimos$identity() {
      return identity;
    }

    @Override
    public void deimos$identity(@Nullable Object given) {
      identity = given;
    }
  }
}
