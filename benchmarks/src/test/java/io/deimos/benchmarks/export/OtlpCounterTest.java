// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.benchmarks.json.Json;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OtlpCounterTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private OtlpCounter server;
  private String endpoint;

  @BeforeEach
  void start() throws IOException {
    server = new OtlpCounter(0);
    endpoint = "http://127.0.0.1:" + server.port();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Test
  void receive_spansOfTheSdk_countsAll() throws Exception {
    export("none");
    assertThat(counts()).containsEntry("spans", 1000.0).containsEntry("refused", 0.0);
  }

  @Test
  void receive_gzip_countsAll() throws Exception {
    export("gzip");
    assertThat(counts()).containsEntry("spans", 1000.0).containsEntry("refused", 0.0);
  }

  @Test
  void receive_notOtlp_isRefusedAndCounted() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(endpoint + "/v1/traces"))
            .POST(BodyPublishers.ofByteArray(new byte[] {10, 100, 1}))
            .build();
    assertThat(client.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(400);
    assertThat(counts()).containsEntry("spans", 0.0).containsEntry("refused", 1.0);
  }

  @Test
  void receive_inChunks_countsAll() throws Exception {
    byte[] oneSpan = {10, 4, 18, 2, 18, 0};
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(endpoint + "/v1/traces"))
            .version(HttpClient.Version.HTTP_1_1)
            .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(oneSpan)))
            .build();
    assertThat(client.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(200);
    assertThat(counts()).containsEntry("spans", 1.0).containsEntry("refused", 0.0);
  }

  private void export(String compression) {
    OtlpHttpSpanExporter exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(endpoint + "/v1/traces")
            .setCompression(compression)
            .build();
    try (SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
            .build()) {
      Tracer tracer = provider.get("test");
      for (int i = 0; i < 1000; i++) {
        tracer.spanBuilder("span " + i).startSpan().end();
      }
      provider.forceFlush().join(90, TimeUnit.SECONDS);
    }
  }

  private Map<String, Object> counts() throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(endpoint + "/count")).build();
    return Json.parseObject(client.send(request, BodyHandlers.ofString()).body());
  }
}
