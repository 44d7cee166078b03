// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedPoint;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.Report;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.SpanRules;
import io.deimos.it.harness.SpanTree;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tail sampling in one JVM: first only traces with a reason are kept, then, by a change at run
 * time, all are.
 */
class TailSamplingTest {
  private static final List<String> KEPT =
      List.of(
          "fail-restart",
          "typed-restart",
          "trouble-dead-letter",
          "classic-ask-timeout",
          "trouble-queue",
          "trouble-stuck");

  private static List<ReceivedSpan> spans;
  private static Map<String, Double> metrics;
  private static Config state;
  private static int normalStored;
  private static Report report;

  @BeforeAll
  static void runAll() {
    java.nio.file.Path file = Report.file("tail");
    try (OtlpReceiver receiver = OtlpReceiver.start();
        AgentJvm jvm =
            AgentJvm.on(Jdk.own())
                .deimos()
                .exportTo(receiver)
                .metricsEvery(Duration.ofMillis(200))
                .page()
                .property("deimos.page.traces-per-second", "100000")
                .property("deimos.report.file", file.toString())
                .property("deimos.tracing.tail.enabled", "true")
                .property("deimos.tracing.tail.keep", "0")
                .property("deimos.tracing.tail.delay", "1s")
                .property("deimos.tracing.tail.wait", "600ms")
                .start("tail")) {
      RunningPage page = RunningPage.of(jvm);
      jvm.run("classic-tell");
      KEPT.forEach(jvm::run);
      state =
          page.awaitState(
              "that all is decided, the last scenario's message among it",
              s ->
                  TailFailureTest.isDecided(s.getConfig("recorder"))
                      && s.getLong("recorder.tail.spansKept.processing") > 0);
      normalStored = page.traces("?limit=1000&q=pekko%3A%2F%2Fclassic-tell").size();
      assertThat(page.set("deimos.tracing.tail.keep", "1")).isEqualTo(200);
      jvm.run("controlled-tell");
      jvm.end();
      assertThat(jvm.complaints()).isEmpty();
      spans = receiver.spans();
      metrics = last(receiver.points());
    }
    report = Report.of(file);
  }

  private static Map<String, Double> last(List<ReceivedPoint> points) {
    Map<String, Double> last = new TreeMap<>();
    for (ReceivedPoint point : points) {
      if (point.name().startsWith("deimos.tail.")) {
        last.put(
            point.name() + " " + point.attributes().get(point.name() + ".reason"), point.value());
      }
    }
    return last;
  }

  /** Those that come without tail sampling. */
  private static void assertAllTraces(String scenario) {
    assertTraces(scenario, String.valueOf(ScenarioRun.ALL.traces().get(scenario)));
  }

  private static void assertTraces(String scenario, String expected) {
    List<ReceivedSpan> traces = SpanTree.tracesOf(spans, scenario);
    SpanRules.check(traces);
    assertThat(SpanTree.of(traces)).as("traces of %s", scenario).isEqualTo(expected);
  }

  @Test
  void normalTrace_isLetGoAndCounted() {
    assertThat(SpanTree.tracesOf(spans, "classic-tell")).isEmpty();
    assertThat(state.getLong("recorder.tail.spansLetGo.normal")).isPositive();
  }

  @Test
  void normalTrace_onThePage_isThereAllTheSame() {
    assertThat(normalStored).isPositive();
  }

  @Test
  void failureAndRestart_keepTheWholeTrace() {
    assertAllTraces("fail-restart");
    assertAllTraces("typed-restart");
    assertKept("failure");
  }

  @Test
  void askTimeout_keepsTheWholeTrace() {
    assertAllTraces("classic-ask-timeout");
    assertKept("ask_timeout");
  }

  @Test
  void deadLetter_keepsTheTrace() {
    assertTraces("trouble-dead-letter", "process Begin at /user/front\n");
    assertKept("dead_letter");
  }

  @Test
  void waitAboveTheThreshold_keepsTheWholeTrace() {
    assertTraces(
        "trouble-queue",
        "process Begin at /user/front\n"
            + "  process Ping at /user/back from /user/front\n".repeat(10));
    assertKept("wait");
  }

  @Test
  void processingAboveTheThreshold_keepsTheTrace() {
    assertTraces("trouble-stuck", "process Begin at /user/front\n");
    assertKept("processing");
  }

  /** As many as there are in the traces of this test; of those let go, one tells of an end. */
  @Test
  void spans_keptAndLetGo_areCountedByReason() {
    assertThat(metrics)
        .isEqualTo(
            Map.of(
                "deimos.tail.span.kept failure", 4.0 + 3,
                "deimos.tail.span.kept ask_timeout", 3.0,
                "deimos.tail.span.kept dead_letter", 1.0,
                "deimos.tail.span.kept wait", 11.0,
                "deimos.tail.span.kept processing", 1.0,
                "deimos.tail.span.kept share", 4.0,
                "deimos.tail.span.dropped normal", 3.0 + 1,
                "deimos.tail.span.held.count null", 0.0));
  }

  private static void assertKept(String reason) {
    assertThat(state.getLong("recorder.tail.spansKept." + reason)).isPositive();
  }

  @Test
  void shareOf1_setAtRunTime_keepsNormalTraces() {
    assertTraces(
        "controlled-tell",
        """
        process Begin at /user/front
          process Ping at /user/middle from /user/front
            process Ping at /user/middle/child from /user/front
              process Pong at /user/front from /user/middle/child
        """);
  }

  @Test
  void report_ofTheRun_addsUp() {
    long sampledOut =
        com.typesafe.config.ConfigFactory.parseString(report.text()).getLong("spans_sampled_out");
    assertThat(sampledOut).isPositive();
    assertThat(report.spansDropped()).isZero();
    assertThat(report.spansExported() + sampledOut).isEqualTo(report.spansRecorded());
  }
}
