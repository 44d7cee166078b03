// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.settings.ConfigurationFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mistake for which the SDK would throw is found before, with its line. */
class ConfigurationCheckTest {
  private static final String GOOD =
      """
      file_format: "1.0"
      propagator:
        composite:
          - tracecontext:
          - baggage:
      tracer_provider:
        sampler:
          parent_based:
            root:
              trace_id_ratio_based:
                ratio: 0.5
        processors:
          - batch:
              schedule_delay: 50
              exporter:
                otlp_http:
                  endpoint: ${COLLECTOR}/v1/traces
      meter_provider:
        readers:
          - periodic:
              exporter:
                otlp_http:
      distribution:
        deimos:
          page: {port: 0}
        javaagent:
          instrumentation: {disabled: [jdbc]}
      """;

  @TempDir private Path directory;

  private @Nullable String refusal(String yaml) throws IOException {
    Path file = directory.resolve("otel.yaml");
    Files.writeString(file, yaml);
    return ConfigurationCheck.refusal(
        ConfigurationFile.of(
            Map.of("otel.config.file", file.toString()),
            Map.of("COLLECTOR", "http://127.0.0.1:1"),
            problem -> {}),
        true);
  }

  @Test
  void goodFile_isNotRefused() throws IOException {
    assertThat(refusal(GOOD)).isNull();
  }

  @Test
  void missingOrOldFormat_isRefused() throws IOException {
    assertThat(refusal("tracer_provider:\n")).startsWith("file_format is missing");
    assertThat(refusal(GOOD.replace("1.0", "0.1"))).startsWith("file_format=0.1 (otel.yaml: 1);");
  }

  @Test
  void valueOfAWrongType_isRefusedWithPathAndLine() throws IOException {
    assertThat(refusal(GOOD.replace("schedule_delay: 50", "schedule_delay: soon")))
        .startsWith(
            "tracer_provider.processors[0].batch.schedule_delay=soon (otel.yaml: 14) is not what"
                + " the SDK reads there: ");
  }

  @Test
  void wrongHeader_isRefusedWithoutItsValue() throws IOException {
    String wrong = "endpoint: http://a:1\n            headers: {token: s3cret}";
    assertThat(refusal(GOOD.replace("endpoint: ${COLLECTOR}/v1/traces", wrong)))
        .startsWith(
            "tracer_provider.processors[0].batch.exporter.otlp_http.headers (otel.yaml: 18)")
        .doesNotContain("s3cret");
  }

  @Test
  void keyGivenTwice_isRefused() throws IOException {
    assertThat(refusal(GOOD + "file_format: \"1.0\"\n")).contains("file_format");
  }

  @Test
  void nameThatThereIsNot_isRefusedWithThoseThatThereAre() throws IOException {
    assertThat(
            refusal(
                GOOD.replace("otlp_http:\n            endpoint", "otlp:\n            endpoint")))
        .startsWith("the exporter otlp (otel.yaml: 16) is none that there is; there are ")
        .contains("otlp_http");
    assertThat(refusal(GOOD.replace("baggage:", "bagage:")))
        .startsWith("the propagator bagage (otel.yaml: 5) is none that there is");
    assertThat(refusal(GOOD.replace("- batch:", "- bach:")))
        .startsWith(
            "the span processor bach (otel.yaml: 13) is none that there is; there are batch")
        .doesNotContain("deimos");
    assertThat(refusal(GOOD.replace("trace_id_ratio_based", "ratio_based")))
        .startsWith("the sampler ratio_based (otel.yaml: 10) is none that there is");
  }

  @Test
  void endpointAndRatio_areRefused() throws IOException {
    assertThat(refusal(GOOD.replace("${COLLECTOR}/v1/traces", "localhost:4318")))
        .isEqualTo(
            "endpoint=localhost:4318 (otel.yaml: 17): it has no scheme; write"
                + " http://localhost:4318");
    assertThat(refusal(GOOD.replace("ratio: 0.5", "ratio: 5")))
        .startsWith("ratio=5 (otel.yaml: 11) is no number in [0, 1]");
  }

  @Test
  void processorWithoutExporter_isRefused() throws IOException {
    assertThat(refusal("file_format: \"1.0\"\ntracer_provider:\n  processors:\n    - batch:\n"))
        .startsWith("the span processor (otel.yaml: 4) has no exporter");
  }
}
