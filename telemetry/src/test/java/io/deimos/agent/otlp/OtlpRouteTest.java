// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deimos.agent.export.CountingExporter;
import io.deimos.agent.export.ExportCounts;
import io.deimos.agent.export.Outage;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.sdk.common.export.GrpcSender;
import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OtlpRouteTest {
  private final List<SpanProcessor> processors = new ArrayList<>();

  @AfterEach
  void shutDown() {
    processors.forEach(processor -> processor.shutdown().join(90, TimeUnit.SECONDS));
  }

  private SpanProcessor batch(SpanExporter exporter) {
    SpanProcessor processor =
        BatchSpanProcessor.builder(exporter).setScheduleDelay(Duration.ofMillis(100)).build();
    processors.add(processor);
    return processor;
  }

  private static void assertNotPlain(
      List<SpanProcessor> processors, SpanLimits limits, String reason) {
    assertThatThrownBy(() -> OtlpRoute.of(processors, limits))
        .isInstanceOf(OtlpRoute.NotPlainException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void of_oneOtlpHttpExporter_isDirect() throws Exception {
    SpanProcessor processor = batch(OtlpHttpSpanExporter.getDefault());
    OtlpRoute route = OtlpRoute.of(List.of(processor), SpanLimits.getDefault());
    assertThat(route.delayNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
  }

  @Test
  void of_oneOtlpGrpcExporter_isDirect() throws Exception {
    SpanProcessor processor = batch(OtlpGrpcSpanExporter.getDefault());
    OtlpRoute route = OtlpRoute.of(List.of(processor), SpanLimits.getDefault());
    assertThat(route.protocol()).isEqualTo("gRPC");
    assertThat(route.delayNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
  }

  /** If the SDK's senders change, spans still go out, but at a higher price: this says so. */
  @Test
  void use_sendersOfTheSdk_areKnown() {
    try (OtlpHttpSpanExporter http = OtlpHttpSpanExporter.getDefault();
        OtlpGrpcSpanExporter grpc = OtlpGrpcSpanExporter.getDefault()) {
      assertThat(
              BulkSockets.use(
                  SenderLookup.make(
                          HttpSender.class,
                          loader -> http.toBuilder().setComponentLoader(loader).build())
                      .sender()))
          .isTrue();
      assertThat(
              BulkSockets.use(
                  SenderLookup.make(
                          GrpcSender.class,
                          loader -> grpc.toBuilder().setComponentLoader(loader).build())
                      .sender()))
          .isTrue();
    }
  }

  @Test
  void of_ourOwnWrapper_isDirect() throws Exception {
    SpanExporter counting =
        new CountingExporter(
            OtlpHttpSpanExporter.getDefault(),
            new ExportCounts(),
            new Outage("spans", problem -> {}, line -> {}),
            "");
    OtlpRoute route = OtlpRoute.of(List.of(batch(counting)), SpanLimits.getDefault());
    assertThat(route.sender()).isNotNull();
  }

  @Test
  void of_anythingElse_isNotPlain() {
    SpanLimits limits = SpanLimits.getDefault();
    assertNotPlain(List.of(), limits, "0 span processors");
    assertNotPlain(List.of(batch(InMemorySpanExporter.create())), limits, "InMemory");
    SpanProcessor simple = SimpleSpanProcessor.create(OtlpHttpSpanExporter.getDefault());
    processors.add(simple);
    assertNotPlain(List.of(simple), limits, "SimpleSpanProcessor");
    SpanProcessor batch = batch(OtlpHttpSpanExporter.getDefault());
    assertNotPlain(List.of(batch, simple), limits, "2 span processors");
    assertNotPlain(
        List.of(batch), SpanLimits.builder().setMaxAttributeValueLength(10).build(), "limits");
  }
}
