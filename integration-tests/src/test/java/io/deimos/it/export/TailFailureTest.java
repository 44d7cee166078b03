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
import io.deimos.it.harness.SpanRules;
import io.deimos.it.harness.SpanTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

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
                .property("deimos.page.enabled", "true")
                .property("deimos.page.port", "0")
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
      jvm.tell("end");
      assertThat(jvm.awaitExit()).as(jvm.transcript()).isZero();
      spans = receiver.spans();
    }
  }

  /** Returns what was kept so far by reason, when all is decided. */
  private static Map<String, Long> run(AgentJvm jvm, RunningPage page, String scenario) {
    jvm.tell("run " + scenario);
    jvm.awaitOut("the end of " + scenario, l -> l.equals("@done " + scenario));
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

  private static void assertKept(String scenario, String expected) {
    List<ReceivedSpan> traces = SpanTree.tracesOf(spans, scenario);
    SpanRules.check(traces);
    assertThat(SpanTree.of(traces)).as("traces of %s", scenario).isEqualTo(expected);
    assertThat(KEPT.get(scenario))
        .as("spans of %s kept by reason", scenario)
        .isEqualTo(Map.of("failure", (long) traces.size()));
  }

  @Test
  void noFailure_isNotKept() {
    assertThat(SpanTree.tracesOf(spans, "classic-tell")).isEmpty();
  }

  @Test
  void classicActor_thatThrowsAndIsRestarted_isKept() {
    assertKept("fail-restart", FAILS_AND_LIVES);
  }

  @Test
  void classicActor_thatThrowsAndIsResumed_isKept() {
    assertKept("fail-resume", FAILS_AND_LIVES);
  }

  private static final String FAILS_AND_LIVES =
      """
      process Begin at /user/parent
        process Boom at /user/parent/child from /user/parent ! java.lang.IllegalStateException
        process Ping at /user/parent/child from /user/parent
          process Pong at /user/parent from /user/parent/child
      """;

  @Test
  void classicActor_thatThrowsAndIsStopped_isKept() {
    // That the parent is told so is a trace of its own, with which nothing is the matter.
    assertKept("fail-stop", FAILS);
  }

  @Test
  void classicActor_whoseFailureIsEscalated_isKept() {
    assertKept("fail-escalate", FAILS);
  }

  private static final String FAILS =
      """
      process Begin at /user/parent
        process Boom at /user/parent/child from /user/parent ! java.lang.IllegalStateException
      """;

  @Test
  void actorThatCannotBeMade_isKept() {
    assertKept(
        "fail-in-childs-constructor",
        """
        process Begin at /user/front
          start Broken at /user/front/broken ! org.apache.pekko.actor.ActorInitializationException
        """);
  }

  @Test
  void typedBehaviour_thatThrowsAndIsRestarted_isKept() {
    assertKept("typed-restart", TYPED_LIVES);
  }

  @Test
  void typedBehaviour_thatThrowsAndIsResumed_isKept() {
    assertKept("typed-resume", TYPED_LIVES);
  }

  private static final String TYPED_LIVES =
      """
      process Show at /user/user
        process Break at /user/fragile ! java.lang.IllegalStateException
        process Show at /user/fragile
      """;

  @Test
  void typedBehaviour_thatThrowsAndIsStopped_isKept() {
    assertKept("typed-stop", TYPED_BREAKS);
  }

  @Test
  void typedBehaviour_thatThrowsUnsupervised_isKept() {
    assertKept("typed-unsupervised", TYPED_BREAKS);
  }

  private static final String TYPED_BREAKS =
      "process Break at /user/fragile ! java.lang.IllegalStateException\n";
}
