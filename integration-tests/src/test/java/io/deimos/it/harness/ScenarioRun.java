// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import scenarios.ClassicAsks;
import scenarios.ClassicSending;
import scenarios.Delivering;
import scenarios.Dispatchers;
import scenarios.InCaller;
import scenarios.Later;
import scenarios.Mailboxes;
import scenarios.Routing;
import scenarios.Scenarios;
import scenarios.Scenes;
import scenarios.Supervision;
import scenarios.TypedSending;
import scenarios.TypedSupervision;
import scenarios.UserLogs;
import scenarios.UserSpans;

/**
 * The output of a JVM on the scenarios it ran, after it ran them all. A run of all scenarios serves
 * many tests, since each scenario has an actor system of its own name.
 */
public final class ScenarioRun {
  /** The first export loads the exporter's classes, which takes long on a busy machine. */
  private static final Duration FIRST_EXPORT = Duration.ofSeconds(5);

  /** Those that run with the agent as it is by default. */
  public static final Scenes ALL =
      Scenes.of(
          ClassicSending::addTo,
          ClassicAsks::addTo,
          Routing::addTo,
          Mailboxes::addTo,
          Dispatchers::addTo,
          InCaller::addTo,
          Later::addTo,
          Supervision::addTo,
          TypedSending::addTo,
          TypedSupervision::addTo,
          Delivering::addTo,
          UserSpans::addTo,
          UserLogs::addTo,
          Scenarios::addScalas);

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
                b ->
                    b.deimos()
                        .property("otel.instrumentation.logback-mdc.enabled", "true")
                        .property("deimos.report.file", Report.file("all-" + j).toString())));
  }

  private static List<String> scenariosFor(Jdk jdk) {
    List<String> scenarios = new ArrayList<>(ALL.names());
    scenarios.addAll(List.of("many-systems", "shutdown-in-traffic"));
    if (!jdk.hasVirtualDispatchers()) {
      scenarios.remove("dispatcher-virtual");
    }
    return scenarios;
  }

  /** Runs scenarios one after another in a JVM and waits until all they had to tell has come. */
  public static ScenarioRun run(
      String name, UnaryOperator<AgentJvm.Builder> how, String... scenarios) {
    return run(Jdk.own(), name, List.of(scenarios), how);
  }

  public static ScenarioRun run(
      Jdk jdk, String name, List<String> scenarios, UnaryOperator<AgentJvm.Builder> how) {
    return run(jdk, name, scenarios, how, AgentJvm::end);
  }

  /** The same with an end of its own, after which the JVM is there no more. */
  public static ScenarioRun run(
      Jdk jdk,
      String name,
      List<String> scenarios,
      UnaryOperator<AgentJvm.Builder> how,
      Consumer<AgentJvm> end) {
    try (OtlpReceiver receiver = OtlpReceiver.start();
        AgentJvm jvm = how.apply(AgentJvm.on(jdk).exportTo(receiver)).start(name)) {
      scenarios.forEach(jvm::attempt);
      // An exporter of earlier does the rest within the two seconds that the JVM's end has.
      receiver.awaitFirst(FIRST_EXPORT);
      end.accept(jvm);
      // The JVM exports what is left before it ends, so all that will ever come has come.
      return new ScenarioRun(receiver, jvm);
    }
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

  public List<String> complaints() {
    return err.stream().filter(AgentJvm::isComplaint).toList();
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
