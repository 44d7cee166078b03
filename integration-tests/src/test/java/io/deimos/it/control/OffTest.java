// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.ScenarioRun;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Anything switched off does nothing. */
class OffTest {
  private static final List<String> SOME = List.of("classic-tell", "typed-ask", "user-parent");

  private static ScenarioRun run(String name, UnaryOperator<AgentJvm.Builder> how) {
    return ScenarioRun.run(
        Jdk.own(), name, SOME, b -> how.apply(b).metricsEvery(Duration.ofMillis(200)));
  }

  @Test
  @Tag("quick")
  void deimos_off_nothingOfOursIsMade() {
    ScenarioRun run = run("off", b -> b.deimos().property("deimos.enabled", "false"));
    assertThat(run.spans()).extracting(ReceivedSpan::name).containsExactly("request");
    assertThat(run.points())
        .noneMatch(p -> p.name().startsWith("pekko.") || p.name().startsWith("deimos."));
    assertThat(run.err()).noneMatch(l -> l.startsWith("deimos:"));
  }

  @Test
  void tracing_off_metricsRemain() {
    ScenarioRun run =
        run("tracing-off", b -> b.deimos().environment("DEIMOS_TRACING_ENABLED", "false"));
    assertThat(run.spans()).noneMatch(ReceivedSpan::isOurs);
    assertThat(run.points()).anyMatch(p -> p.name().equals("pekko.message.processed"));
  }

  @Test
  void metrics_off_spansRemain() {
    ScenarioRun run =
        run("metrics-off", b -> b.eitherForm().property("deimos.metrics.enabled", "false"));
    assertThat(run.points()).noneMatch(p -> p.name().startsWith("pekko."));
    run.assertTraces(
        "classic-tell",
        """
        process Begin at /user/front
          process Ping at /user/back from /user/front
            process Pong at /user/front from /user/back
        """);
  }

  @Test
  void completionStages_off_functionsRunWhereTheyAreRun() {
    ScenarioRun run =
        ScenarioRun.run(
            "completion-stages-off",
            b -> b.deimos().property("deimos.tracing.completion-stages.enabled", "false"),
            "stage-completed-elsewhere");
    run.assertTraces(
        "stage-completed-elsewhere",
        """
        process Begin at /user/front
        process Done at /user/front from /user/front
        """);
  }

  @Test
  void prometheus_off_thePageHasNoMetrics() {
    try (AgentJvm jvm =
        AgentJvm.on(Jdk.own())
            .eitherForm()
            .page()
            .property("deimos.metrics.prometheus.enabled", "false")
            .start("prometheus-off")) {
      RunningPage page = RunningPage.of(jvm);
      assertThat(page.get("/api/state").statusCode()).isEqualTo(200);
      assertThat(page.get("/metrics").statusCode()).isEqualTo(404);
    }
  }
}
