// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.export;

import static io.deimos.it.export.GrpcCollector.PAUSE;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.Report;
import io.deimos.it.harness.TestKeys;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The agent and a collector that wants certificates, is busy at first and rejects some spans: by
 * HTTP and by gRPC, each on the direct route and by the SDK's exporter.
 */
class CollectorTest {
  private static final int SPANS = 600;

  @TempDir private static Path directory;

  @ParameterizedTest
  @CsvSource({
    "http/protobuf, direct, HTTP/2.0 /v1/traces gzip secret, 2",
    "http/protobuf, sdk, HTTP/2.0 /v1/traces gzip secret, 0",
    "grpc, direct, HTTP/2.0 /opentelemetry.proto.collector.trace.v1.TraceService/Export"
        + " gzip secret, 2",
    "grpc, sdk, HTTP/2.0 /opentelemetry.proto.collector.trace.v1.TraceService/Export gzip secret, 0"
  })
  void export_collectorIsBusyThenRejectsSome_everySpanIsAccountedFor(
      String protocol, String route, String request, int dropped) throws Exception {
    String name = "collector-" + protocol.replace('/', '-') + "-" + route;
    TestKeys server = TestKeys.make(directory, name + "-server");
    TestKeys client = TestKeys.make(directory, name + "-client");
    Path file = Report.file(name);
    try (GrpcCollector collector =
            new GrpcCollector(
                server,
                client,
                GrpcCollector.Answer.BUSY,
                GrpcCollector.Answer.EXHAUSTED,
                GrpcCollector.Answer.IN_PART);
        AgentJvm jvm =
            exporting(collector, protocol, server)
                .property("otel.exporter.otlp.client.key", client.keyFile().toString())
                .property(
                    "otel.exporter.otlp.client.certificate", client.certificateFile().toString())
                .property("deimos.tracing.export", route.equals("sdk") ? "sdk" : "auto")
                .property("deimos.report.file", file.toString())
                .start(name)) {
      jvm.tell("run steady");
      assertThat(collector.awaitSpans(SPANS))
          .extracting(ReceivedSpan::spanId)
          .doesNotHaveDuplicates();
      assertThat(collector.requests()).hasSizeGreaterThan(2).containsOnly(request);
      if (route.equals("direct")) {
        assertThat(collector.pauses()).hasSize(1).allMatch(p -> p.compareTo(PAUSE) >= 0);
      }
      if (dropped > 0) {
        jvm.awaitErr(
            "what was rejected", l -> l.contains("rejected 2 spans of a request: too old"));
      }
      jvm.stop();
    }
    Report report = Report.of(file);
    assertThat(report.spansRecorded()).isEqualTo(SPANS);
    assertThat(report.spansDropped()).as(report.text()).isEqualTo(dropped);
    assertThat(report.spansExported()).as(report.text()).isEqualTo(SPANS - dropped);
  }

  /** Nobody is let in without a certificate, and that is told once. */
  @Test
  void export_withoutCertificate_isToldAndCounted() throws Exception {
    TestKeys server = TestKeys.make(directory, "stranger-server");
    TestKeys client = TestKeys.make(directory, "stranger-client");
    Path file = Report.file("collector-stranger");
    try (GrpcCollector collector = new GrpcCollector(server, client);
        AgentJvm jvm =
            exporting(collector, "grpc", server)
                .property("deimos.report.file", file.toString())
                .start("collector-stranger")) {
      jvm.tell("run steady");
      jvm.awaitErr("that spans are lost", l -> l.contains("could not be exported"));
      jvm.stop();
      assertThat(collector.requests()).isEmpty();
    }
    assertThat(Report.of(file).spansDropped()).isEqualTo(SPANS);
  }

  private static AgentJvm.Builder exporting(
      GrpcCollector collector, String protocol, TestKeys server) {
    return AgentJvm.on(Jdk.own())
        .deimos()
        .property("otel.exporter.otlp.endpoint", collector.endpoint())
        .property("otel.exporter.otlp.protocol", protocol)
        .property("otel.exporter.otlp.compression", "gzip")
        .property("otel.exporter.otlp.headers", "x-key=secret")
        .property("otel.exporter.otlp.certificate", server.certificateFile().toString())
        .property("otel.bsp.schedule.delay", "50")
        .property("otel.metrics.exporter", "none");
  }
}
