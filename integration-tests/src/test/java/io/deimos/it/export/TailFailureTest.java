// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.SpanRules;
import io.deimos.it.harness.SpanTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tail sampling in one JVM where failures alone are a reason: whatever a supervisor decides, the
 * trace of the message that failed is kept, whole and because of that.
 */
class TailFailureTest {
  private static final List<String> FAILING =
      List.of(
          "fail-restart",
          "fail-resume",
          "fail-stop",
          "fail-escalate",
          "fail-in-childs-constructor",
          "typed-restart",
          "typed-resume",
          "typed-stop",
          "typed-unsupervised");

  /** Spans kept by reason, of each scenario. */
  private static final Map<String, Map<String, Long>> KEPT = new LinkedHashMap<>();

  private static List<ReceivedSpan> spans;

  @BeforeAll
  static void runAll() {
    try (OtlpReceiver receiver = OtlpReceiver.start();
        AgentJvm jvm =
            AgentJvm.on(Jdk.own())
                .eitherForm()
                .exportTo(receiver)
                .page()
                .property("deimos.tracing.tail.enabled", "true")
                .property("deimos.tracing.tail.keep", "0")
                // Longer than a busy machine takes from a trace's first span to its failure.
                .property("deimos.tracing.tail.delay", "1s")
                .property("deimos.tracing.tail.wait", "0s")
                .property("deimos.tracing.tail.processing", "0s")
                .property("deimos.forensics.enabled", "false")
                .start("tail-failure")) {
      RunningPage page = RunningPage.of(jvm);
      Map<String, Long> before = Map.of();
      for (String scenario : FAILING) {
        Map<String, Long> after = run(jvm, page, scenario);
        Map<String, Long> more = new TreeMap<>(after);
        before.forEach((reason, count) -> more.merge(reason, -count, Long::sum));
        more.values().removeIf(count -> count == 0);
        KEPT.put(scenario, more);
        before = after;
      }
      run(jvm, page, "classic-tell");
      jvm.end();
      spans = receiver.spans();
    }
  }

  /** Returns what was kept so far by reason, when all is decided. */
  private static Map<String, Long> run(AgentJvm jvm, RunningPage page, String scenario) {
    jvm.run(scenario);
    Config recorder =
        page.awaitState("that all is decided", s -> isDecided(s.getConfig("recorder")))
            .getConfig("recorder");
    return numbers(recorder.getConfig("tail.spansKept"));
  }

  /** Whether every span that was recorded is either kept or let go. */
  static boolean isDecided(Config recorder) {
    long decided =
        sum(recorder.getConfig("tail.spansKept")) + sum(recorder.getConfig("tail.spansLetGo"));
    return recorder.getLong("tail.spansHeld") == 0 && recorder.getLong("spansRecorded") == decided;
  }

  private static long sum(Config counts) {
    return numbers(counts).values().stream().mapToLong(n -> n).sum();
  }

  private static Map<String, Long> numbers(Config counts) {
    Map<String, Long> numbers = new TreeMap<>();
    counts.root().keySet().forEach(reason -> numbers.put(reason, counts.getLong(reason)));
    return numbers;
  }

  @Test
  void noFailure_isNotKept() {
    assertThat(SpanTree.tracesOf(spans, "classic-tell")).isEmpty();
  }

  static List<String> failing() {
    return FAILING;
  }

  /** That a parent is told of the end is a trace of its own, with which nothing is the matter. */
  @ParameterizedTest
  @MethodSource("failing")
  void failure_whateverIsDecidedOfTheActor_keepsTheWholeTrace(String scenario) {
    String failed =
        Pattern.compile("^(?=\\S)", Pattern.MULTILINE)
            .splitAsStream(String.valueOf(ScenarioRun.ALL.traces().get(scenario)))
            .filter(trace -> trace.contains(" ! "))
            .collect(Collectors.joining());
    assertThat(failed).isNotEmpty();
    List<ReceivedSpan> traces = SpanTree.tracesOf(spans, scenario);
    SpanRules.check(traces);
    assertThat(SpanTree.of(traces)).isEqualTo(failed);
    assertThat(KEPT.get(scenario)).isEqualTo(Map.of("failure", (long) traces.size()));
  }
}
