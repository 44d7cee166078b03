// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * What a JVM told of the scenarios it ran, after it ran them all. A run of all scenarios serves
 * many tests, since each scenario has an actor system of its own name.
 */
public final class ScenarioRun {
  private static final List<String> ALL =
      List.of(
          "classic-tell",
          "classic-forward",
          "classic-selection",
          "classic-event-stream",
          "classic-stash",
          "classic-nested",
          "classic-creator",
          "classic-serialized",
          "classic-child",
          "classic-outside",
          "classic-ask",
          "classic-ask-outside",
          "classic-ask-timeout",
          "classic-ask-failure",
          "classic-ask-callback",
          "router-pool",
          "router-balancing",
          "router-hashing",
          "router-group",
          "router-broadcast",
          "pipe-stage",
          "pipe-future",
          "future-callback",
          "stage-callback",
          "stage-completed-elsewhere",
          "schedule-once",
          "schedule-runnable",
          "timer-single",
          "timer-periodic",
          "timer-overdue",
          "fail-restart",
          "fail-resume",
          "fail-stop",
          "fail-escalate",
          "fail-in-constructor",
          "fail-in-childs-constructor",
          "typed-tell",
          "typed-ask",
          "typed-ask-status",
          "typed-ask-timeout",
          "typed-ask-outside",
          "typed-adapter",
          "typed-pipe",
          "typed-timer",
          "typed-schedule",
          "typed-event-stream",
          "typed-stash",
          "typed-pool",
          "typed-group",
          "typed-functional",
          "typed-system",
          "typed-to-classic",
          "typed-spawn-protocol",
          "typed-restart",
          "typed-resume",
          "typed-stop",
          "typed-unsupervised",
          "mailbox-bounded",
          "mailbox-single-consumer",
          "mailbox-deque",
          "mailbox-priority",
          "mailbox-control-aware",
          "mailbox-full",
          "dispatcher-thread-pool",
          "dispatcher-pinned",
          "dispatcher-calling-thread",
          "dispatcher-affinity",
          "in-caller",
          "user-attributes",
          "user-child",
          "user-parent",
          "user-tasks",
          "user-baggage",
          "user-log",
          "user-log-typed",
          "user-log-classic",
          "user-log-appender",
          "user-with-span",
          "user-make-current",
          "user-leak",
          "user-unsampled",
          "user-typed",
          "many-systems",
          "shutdown-in-traffic",
          "stop-by-pill",
          "scala-tell",
          "scala-forward",
          "scala-become",
          "scala-stash",
          "scala-ask",
          "scala-ask-outside",
          "scala-ask-failure",
          "scala-ask-timeout",
          "scala-future",
          "scala-future-failed",
          "scala-promise",
          "scala-pipe",
          "scala-schedule-message",
          "delivery-worker-left",
          "delivery-consumer-left",
          "scala-schedule-block",
          "scala-timer",
          "scala-typed-tell",
          "scala-typed-ask",
          "scala-typed-ask-outside",
          "scala-typed-adapter",
          "scala-typed-pipe",
          "scala-typed-timer",
          "scala-typed-stash");

  private static final Map<Jdk, ScenarioRun> RUNS = new ConcurrentHashMap<>();

  private final List<ReceivedSpan> spans;
  private final List<ReceivedPoint> points;
  private final List<ReceivedLog> logs;
  private final List<String> out;
  private final List<String> err;
  private final String transcript;

  private ScenarioRun(OtlpReceiver receiver, AgentJvm jvm) {
    this.spans = receiver.spans();
    this.points = receiver.points();
    this.logs = receiver.logs();
    this.out = jvm.out();
    this.err = jvm.err();
    this.transcript = jvm.transcript();
  }

  /** All scenarios with the agent as it is by default, run once for all tests that ask. */
  public static ScenarioRun ofAll(Jdk jdk) {
    return RUNS.computeIfAbsent(
        jdk,
        j ->
            run(
                j,
                "all",
                scenariosFor(j),
                b -> b.deimos(),
                b ->
                    b.property("otel.instrumentation.logback-mdc.enabled", "true")
                        .property("deimos.report.file", Report.file("all-" + j).toString())));
  }

  private static List<String> scenariosFor(Jdk jdk) {
    List<String> scenarios = new ArrayList<>(ALL);
    if (jdk.hasVirtualDispatchers()) {
      scenarios.add("dispatcher-virtual");
    }
    return scenarios;
  }

  /** Runs scenarios one after another in one JVM and waits until all they had to tell has come. */
  public static ScenarioRun run(
      Jdk jdk,
      String name,
      List<String> scenarios,
      UnaryOperator<AgentJvm.Builder> agent,
      Function<AgentJvm.Builder, AgentJvm.Builder> settings) {
    return run(
        jdk,
        name,
        scenarios,
        agent,
        settings,
        jvm -> {
          jvm.tell("end");
          assertThat(jvm.awaitExit()).as("exit code\n%s", jvm.transcript()).isZero();
        });
  }

  /** The same with an end of its own, after which the JVM is there no more. */
  public static ScenarioRun run(
      Jdk jdk,
      String name,
      List<String> scenarios,
      UnaryOperator<AgentJvm.Builder> agent,
      Function<AgentJvm.Builder, AgentJvm.Builder> settings,
      Consumer<AgentJvm> end) {
    try (OtlpReceiver receiver = OtlpReceiver.start();
        AgentJvm jvm =
            settings.apply(agent.apply(AgentJvm.on(jdk)).exportTo(receiver)).start(name)) {
      for (String scenario : scenarios) {
        jvm.tell("run " + scenario);
        jvm.awaitOut(
            "the end of " + scenario,
            l ->
                l.startsWith("@done " + wordOne(scenario))
                    || l.startsWith("@failed " + wordOne(scenario)));
      }
      end.accept(jvm);
      // The JVM exports what is left before it ends, so all that will ever come has come.
      return new ScenarioRun(receiver, jvm);
    }
  }

  private static String wordOne(String scenario) {
    int space = scenario.indexOf(' ');
    return space < 0 ? scenario : scenario.substring(0, space);
  }

  public List<ReceivedSpan> spans() {
    return spans;
  }

  public List<ReceivedPoint> points() {
    return points;
  }

  public List<ReceivedLog> logs() {
    return logs;
  }

  public List<String> out() {
    return out;
  }

  public List<String> err() {
    return err;
  }

  public String transcript() {
    return transcript;
  }

  /** The traces of a scenario, after a check of what holds for all spans. */
  public List<ReceivedSpan> spansOf(String scenario) {
    assertThat(out).as("scenario %s ran\n%s", scenario, transcript).contains("@done " + scenario);
    List<ReceivedSpan> traces = SpanTree.tracesOf(spans, scenario);
    SpanRules.check(traces);
    return traces;
  }

  /** Asserts that a scenario's traces are these and nothing more. */
  public void assertTraces(String scenario, String expected) {
    assertThat(SpanTree.of(spansOf(scenario))).as("traces of %s", scenario).isEqualTo(expected);
  }

  /** A test for each row: a scenario, and the traces that must come of it. */
  public Stream<DynamicTest> tests(Map<String, String> rows) {
    return rows.entrySet().stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.getKey(), () -> assertTraces(row.getKey(), row.getValue())));
  }

  public ReceivedSpan only(String scenario, String name) {
    List<ReceivedSpan> found =
        spansOf(scenario).stream().filter(s -> s.name().equals(name)).toList();
    assertThat(found).as("spans '%s' of %s", name, scenario).hasSize(1);
    return found.get(0);
  }
}
