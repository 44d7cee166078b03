// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.SpanTree;
import io.deimos.it.harness.WireNode;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No trace lives for ever. */
class TraceGuardTest {
  /** The scenarios in one JVM, by the bound that is set there. */
  private static final Map<String, List<String>> SCENARIOS =
      Map.of(
          "max-depth=100",
          List.of(
              "loop 500",
              "loop-many-typed 500",
              "loop-forward 250",
              "loop-ask 250",
              "loop-ask-typed 250"),
          "max-spans=100",
          List.of("fan-out 150", "fan-out-typed 150"),
          "max-age=1 ms",
          List.of("tick-re-armed", "loop-schedule 4", "loop-schedule-typed 4"),
          "max-age=3s",
          List.of("loop-ask-late 2", "loop-ask-late-typed 2"));

  /** How many traces are cut in all of them together. */
  private static final Map<String, Integer> CUTS =
      Map.of("max-depth=100", 20, "max-spans=100", 101, "max-age=1 ms", 10, "max-age=3s", 8);

  private static final Map<String, ScenarioRun> RUNS = new ConcurrentHashMap<>();

  @Test
  void selfTellingActor_beyondTheDepth_goesOnInLinkedTraces() {
    ScenarioRun run = run("max-depth=100");
    List<ReceivedSpan> spans = run.spansOf("loop");
    assertThat(spans).hasSize(501);
    Map<String, Long> sizes = spans.stream().collect(groupingBy(ReceivedSpan::traceId, counting()));
    assertThat(sizes.values()).as("exact up to 256").containsOnly(101L, 97L);
    assertThat(sizes).hasSize(5);
    assertLinked(spans, 5, "depth");
    assertCut(run, "depth", cuts("max-depth=100"));
  }

  /** Depth is counted by sampling here: sixteen messages at once, and that 63 times. */
  @Test
  void selfTellingActor_beyondTheDepthByDefault_goesOnInLinkedTraces() {
    ScenarioRun run =
        ScenarioRun.run(
            "guard-default", b -> b.deimos().metricsEvery(Duration.ofMillis(100)), "loop 5000");
    List<ReceivedSpan> spans = run.spansOf("loop");
    assertThat(spans).hasSize(5001);
    Map<String, Long> sizes = spans.stream().collect(groupingBy(ReceivedSpan::traceId, counting()));
    ReceivedSpan last =
        spans.stream().max(Comparator.comparing(ReceivedSpan::startNanos)).orElseThrow();
    assertLinked(spans, sizes.size(), "depth");
    assertCut(run, "depth", sizes.size() - 1);
    assertThat(sizes.remove(last.traceId())).isLessThan(1800);
    assertThat(sizes.values())
        .as("1008 on average, with a standard deviation of 123")
        .isNotEmpty()
        .allMatch(n -> n > 400 && n < 1800);
  }

  /** Each trace is cut, and what a message came in is not kept when it is done. */
  @Test
  void loopWithinSpansOfTheUsers_endless_keepsNothing() {
    ScenarioRun run = ScenarioRun.run("guard-user-span", b -> b.deimos(), "loop-user-span 100000");
    // Rings that grow once, to at most a few megabytes, are little for each of so many messages.
    String kept = run.out().stream().filter(l -> l.startsWith("@kept ")).findFirst().orElseThrow();
    assertThat(Integer.parseInt(kept.split(" ", -1)[1])).as(kept).isLessThan(100);
    long traces =
        run.spans().stream()
            .filter(s -> s.name().equals("process Work"))
            .map(ReceivedSpan::traceId)
            .distinct()
            .count();
    assertThat(traces).as("of 1008 messages on average").isBetween(50L, 300L);
  }

  @Test
  void manyMessagesOfOne_beyondTheSize_areTracesOfTheirOwn() {
    ScenarioRun run = run("max-spans=100");
    List<ReceivedSpan> spans = run.spansOf("fan-out");
    assertThat(spans).hasSize(152);
    assertLinked(spans, 52, "spans");
    assertCut(run, "spans", cuts("max-spans=100"));
  }

  @Test
  void timerThatArmsItself_beyondTheAge_goesOnInALinkedTrace() {
    ScenarioRun run = run("max-age=1 ms");
    run.assertTraces(
        "tick-re-armed",
        """
        process Begin at /user/ticker
        process Tick at /user/ticker, age after process Begin
        process Tick at /user/ticker, age after process Tick
        """);
    assertCut(run, "age", cuts("max-age=1 ms"));
  }

  /** A loop by each boundary: how many traces of which sizes, and why they are cut. */
  @ParameterizedTest
  @CsvSource({
    "loop-many-typed, max-depth=100, 101=4 97=1",
    "loop-forward, max-depth=100, 101=4 97=1",
    // Work, question and ping, two messages deep; at the bound the ping alone goes to a new trace.
    "loop-ask, max-depth=100, 302=2 145=1 1=2",
    "loop-ask-typed, max-depth=100, 302=2 145=1 1=2",
    "fan-out-typed, max-spans=100, 101=1 1=50",
    "loop-schedule, max-age=1 ms, 1=5",
    "loop-schedule-typed, max-age=1 ms, 1=5",
  })
  void trace_beyondItsBound_goesOnInLinkedOnes(String scenario, String bound, String expected) {
    ScenarioRun run = run(bound);
    List<ReceivedSpan> spans = run.spansOf(scenario);
    Map<String, Long> traces =
        spans.stream().collect(groupingBy(ReceivedSpan::traceId, counting()));
    Map<Long, Long> sizes = new TreeMap<>(Comparator.reverseOrder());
    traces.values().forEach(size -> sizes.merge(size, 1L, Long::sum));
    assertThat(sizes.entrySet().stream().map(Object::toString).collect(Collectors.joining(" ")))
        .isEqualTo(expected);
    String reason = bound.replaceAll("max-|=.*", "");
    assertLinked(spans, traces.size(), reason);
    assertCut(run, reason, cuts(bound));
  }

  /** The question ends with its answer, which comes out of the trace that it was cut into. */
  @ParameterizedTest
  @CsvSource({"loop-ask-late, Ping, ' from /temp'", "loop-ask-late-typed, Question, ''"})
  void questions_beyondTheAge_endAndGoOnInLinkedTraces(
      String scenario, String question, String from) {
    ScenarioRun run = run("max-age=3s");
    run.assertTraces(
        scenario,
        """
        process %1$s at /user/late%2$s, age after process %1$s
        process %1$s at /user/late%2$s, age after process %1$s
        process Work at /user/loop
          ask %1$s at /user/back from /user/loop
            process %1$s at /user/back%2$s
        process Work at /user/loop, age after process Work
        process Work at /user/loop, age after process Work
          ask %1$s at /user/back from /user/loop
            process %1$s at /user/back%2$s
        """
            .formatted(question, from));
    assertThat(run.spansOf(scenario))
        .filteredOn(s -> s.name().startsWith("ask "))
        .hasSize(2)
        .allSatisfy(
            s -> {
              assertThat(s.status()).isEqualTo(StatusCode.STATUS_CODE_UNSET);
              assertThat(s.endNanos() - s.startNanos()).isGreaterThan(3_000_000_000L);
            });
    assertCut(run, "age", cuts("max-age=3s"));
  }

  @Test
  void boundsOf0_areNone() {
    ScenarioRun run =
        ScenarioRun.run(
            "guard-off",
            b ->
                b.eitherForm()
                    .property("deimos.tracing.guard.max-age", "0")
                    .property("deimos.tracing.guard.max-depth", "0")
                    .property("deimos.tracing.guard.max-spans", "0"),
            "loop 3000");
    assertThat(run.spansOf("loop").stream().map(ReceivedSpan::traceId).distinct()).hasSize(1);
  }

  /** Two of them, so that neither node sees one trace only. */
  @Test
  void messagesToAndFroBetweenNodes_beyondTheSize_goOnInLinkedTraces() {
    UnaryOperator<AgentJvm.Builder> agent =
        n -> n.eitherForm().property("deimos.tracing.guard.max-spans", "50");
    List<ReceivedSpan> spans;
    try (OtlpReceiver receiver = OtlpReceiver.start();
        WireNode a = WireNode.start("a", receiver, agent);
        WireNode b = WireNode.start("b", receiver, agent)) {
      a.open("tcp");
      b.open("tcp");
      a.run("tcp", "loops", b.address("tcp"));
      a.end();
      b.end();
      spans = receiver.spans();
    }
    assertThat(spans).hasSize(2 * (1 + 2 * 300));
    Map<String, Long> sizes = spans.stream().collect(groupingBy(ReceivedSpan::traceId, counting()));
    assertThat(sizes.values()).as("51 of each node at most").allMatch(n -> n <= 102);
    assertLinked(spans, sizes.size(), 2, "spans");
  }

  private static int cuts(String bound) {
    return Objects.requireNonNull(CUTS.get(bound));
  }

  private static ScenarioRun run(String bound) {
    String[] setting = bound.split("=", 2);
    return RUNS.computeIfAbsent(
        bound,
        any ->
            ScenarioRun.run(
                Jdk.own(),
                "guard-" + setting[0],
                Objects.requireNonNull(SCENARIOS.get(bound)),
                b ->
                    b.form(bound.startsWith("max-depth"))
                        .property("deimos.tracing.guard." + setting[0], setting[1])
                        .metricsEvery(Duration.ofMillis(100))));
  }

  /** Every trace but the first begins with a link to a span of the one before. */
  private static void assertLinked(List<ReceivedSpan> spans, int traces, String reason) {
    assertLinked(spans, traces, 1, reason);
  }

  private static void assertLinked(List<ReceivedSpan> spans, int traces, int begun, String reason) {
    List<ReceivedSpan> roots = spans.stream().filter(ReceivedSpan::isRoot).toList();
    assertThat(roots).hasSize(traces);
    assertThat(roots.stream().filter(r -> r.links().isEmpty())).hasSize(begun);
    Map<String, ReceivedSpan> byId = SpanTree.byId(spans);
    assertThat(roots.stream().flatMap(r -> r.links().stream()))
        .allSatisfy(
            link -> {
              ReceivedSpan to = Objects.requireNonNull(byId.get(link.spanId()));
              assertThat(to.traceId()).isEqualTo(link.traceId());
              assertThat(link.attributes()).containsEntry("deimos.link.reason", reason);
            });
  }

  /** So many by the metric, and as many traces of all the run's scenarios begin with a link. */
  private static void assertCut(ScenarioRun run, String reason, double count) {
    assertThat(run.spans().stream().filter(s -> s.isRoot() && !s.links().isEmpty()).count())
        .isEqualTo((long) count);
    assertThat(run.points())
        .filteredOn(p -> p.name().equals("deimos.trace.cut"))
        .filteredOn(p -> reason.equals(p.attributes().get(p.name() + ".reason")))
        .last()
        .satisfies(p -> assertThat(p.value()).isEqualTo(count));
  }
}
