// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.starts;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OnOneJdk;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.SpanTree;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deimos in its other forms records what it records as {@code deimos.jar}. */
@OnOneJdk
class FormsTest {
  private static final List<String> SOME =
      List.of(
          "classic-tell",
          "classic-ask-timeout",
          "classic-stash",
          "router-balancing",
          "pipe-future",
          "timer-single",
          "fail-restart",
          "typed-ask",
          "typed-adapter",
          "typed-restart",
          "user-attributes",
          "user-child",
          "user-parent");

  private final Jdk jdk;

  FormsTest(Jdk jdk) {
    this.jdk = jdk;
  }

  @Test
  void extension_onTheStockAgent_givesTheSameTraces() {
    ScenarioRun run = ScenarioRun.run(jdk, "extension", SOME, AgentJvm.Builder::extension);
    assertSame(run);
    assertThat(run.complaints()).isEmpty();
  }

  @Test
  void lean_withoutTheOpenTelemetryAgent_givesTheSameTraces() {
    ScenarioRun run = ScenarioRun.run(jdk, "lean", SOME, AgentJvm.Builder::lean);
    assertSame(run);
    assertThat(run.complaints()).isEmpty();
  }

  @Test
  void declarativeConfiguration_givesTheSameTraces() throws IOException {
    Path file = Layout.target().resolve("declarative-" + jdk + ".yaml");
    Files.writeString(
        file,
        """
        file_format: "1.0"
        resource:
          attributes:
            - name: service.name
              value: declared
        tracer_provider:
          processors:
            - batch:
                schedule_delay: 50
                exporter:
                  otlp_http:
                    endpoint: ${OTLP}/v1/traces
        """);
    ScenarioRun run =
        ScenarioRun.run(
            jdk,
            "declarative",
            SOME,
            b ->
                b.deimos()
                    .property("otel.config.file", file.toString())
                    .environmentFrom("OTLP", "otel.exporter.otlp.endpoint"));
    assertSame(run);
    assertThat(run.spans().get(0).resource()).containsEntry("service.name", "declared");
  }

  @Test
  void spanSettings_giveExportedSpansAnotherForm() {
    ScenarioRun run =
        ScenarioRun.run(
            jdk,
            "span-form",
            List.of("classic-tell"),
            b ->
                b.deimos()
                    .property("deimos.tracing.span-start", "take-out")
                    .property("deimos.tracing.span-kind", "internal")
                    .property("deimos.tracing.span-name", "destination"));
    assertThat(run.spans())
        .filteredOn(s -> s.scope().equals("io.deimos.pekko"))
        .isNotEmpty()
        .allSatisfy(
            span -> {
              assertThat(span.kind()).isEqualTo(Span.SpanKind.SPAN_KIND_INTERNAL);
              assertThat(span.name()).startsWith("process /user/");
              assertThat(span.resource()).containsEntry("telemetry.distro.name", "deimos");
              assertThat(String.valueOf(span.resource().get("telemetry.distro.version")))
                  .matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
              assertThat(span.startNanos()).isEqualTo(span.event("message").atNanos());
              assertThat(span.event("waiting").atNanos()).isLessThanOrEqualTo(span.startNanos());
            });
  }

  private void assertSame(ScenarioRun run) {
    ScenarioRun usual = ScenarioRun.ofAll(jdk);
    for (String scenario : SOME) {
      run.assertTraces(scenario, SpanTree.of(usual.spansOf(scenario)));
    }
  }
}
