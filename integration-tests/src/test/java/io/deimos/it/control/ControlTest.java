// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.SpanTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rules for recording, as users ask for them. One JVM, in which each scenario's actor system
 * says something else; what one says of all actors holds until the next says something.
 */
class ControlTest {
  private static final String ALL =
      """
      process Begin at /user/front
        process Ping at /user/middle from /user/front
          process Ping at /user/middle/child from /user/front
            process Pong at /user/front from /user/middle/child
      """;

  private static final String WITHOUT_PINGS =
      """
      process Begin at /user/front
        process Pong at /user/front from /user/middle/child
      """;

  private static final String WITHOUT_MIDDLE =
      """
      process Begin at /user/front
        process Ping at /user/middle/child from /user/front
          process Pong at /user/front from /user/middle/child
      """;

  private static final String RESTARTS =
      """
      process Begin at /user/parent
        process Boom at /user/parent/child from /user/parent ! java.lang.IllegalStateException
          restart Child at /user/parent/child
        process Ping at /user/parent/child from /user/parent
          process Pong at /user/parent from /user/parent/child
        start Child at /user/parent/child
      """;

  /** By scenario, in the order in which they run. */
  private static final Map<String, String> SETTINGS = new LinkedHashMap<>();

  private static final Map<String, String> TRACES = new LinkedHashMap<>();

  static {
    row("controlled-tell", "deimos {}", ALL);
    row(
        "controlled-user-off",
        "deimos { tracing.user-actors = off, actors { \"/user/front\" { tracing = on } } }",
        WITHOUT_PINGS);
    row("controlled-system-on", "deimos { tracing.system-actors = on }");
    row(
        "controlled-deployment",
        "deimos {}, pekko.actor.deployment { /middle { deimos { tracing = off } } }",
        WITHOUT_MIDDLE);
    row(
        "controlled-children",
        "deimos {}, pekko.actor.deployment { \"/mid*\" { deimos { tracing = off, children = inherit"
            + " } } }",
        WITHOUT_PINGS);
    row(
        "controlled-starts",
        "deimos { actors { \"/user/front\" { start-traces = only-inside-existing } } }",
        """
        process Ping at /user/middle from /user/front
          process Ping at /user/middle/child from /user/front
            process Pong at /user/front from /user/middle/child
        """);
    row("controlled-inside", "deimos { tracing.start-traces = only-inside-existing }");
    row("controlled-never", "deimos { messages.never = [\"*Messages$Ping\"] }", WITHOUT_PINGS);
    row("controlled-only", "deimos { messages.only = [\"*$Begin\", \"*$Pong\"] }", WITHOUT_PINGS);
    row(
        "controlled-messages",
        "deimos { actors { \"/user/middle\" { messages-never = [\"*Ping\"] } } }",
        WITHOUT_MIDDLE);
  }

  static {
    row("controlled-unsampled", "deimos { sampling.messages { \"*Begin\" = 0 } }");
    row(
        "controlled-class-never",
        "deimos { actor-classes.never = [\"*$Middle\"] }",
        WITHOUT_MIDDLE);
    row(
        "controlled-class-always",
        "deimos { tracing.user-actors = off, actor-classes.always = [\"scenarios.Ec*\"] }",
        "process Ping at /user/middle/child from /user/front\n");
    row(
        "controlled-asks",
        "deimos { tracing.asks = off }",
        """
        process Begin at /user/front
          process Ping at /user/back from /temp
        """);
    row(
        "controlled-asks-never",
        "deimos { messages.never = [\"*Messages$Ping\"] }",
        "process Begin at /user/front\n");
    row(
        "controlled-asks-only",
        "deimos { messages.only = [\"*$Begin\"] }",
        "process Begin at /user/front\n");
    row("controlled-metrics", "deimos { actors { \"/user/middle/**\" { metrics = off } } }", ALL);
    row("controlled-limited", "deimos { sampling.max-traces-per-second = 0.000001 }", ALL);
    row(
        "marked-messages",
        "deimos {}",
        """
        process Begin at /user/front
          process Loud at /user/plain from /user/front
            process Ping at /user/front from /user/plain
          process Ping at /user/front from /user/plain
          process Ping at /user/front from /user/plain
        """);
    row(
        "marked-actors",
        "deimos { tracing.user-actors = off }",
        "process Work at /user/loud from /user/front\n");
    row(
        "marked-props",
        "deimos {}",
        """
        process Begin at /user/front
          process Ping at /user/front from /user/typed
          process Pong at /user/front from /user/middle/child
        """);
  }

  static {
    row(
        "marked-current",
        "",
        """
        process Begin at /user/front
          own
        """);
    row(
        "marked-filter",
        "",
        """
        process Begin at /user/front
          process Ping at /user/front from /user/plain
          process Ping at /user/plain from /user/front
            process Ping at /user/front from /user/plain
        """);
    row("marked-filter-looks", "", "process Begin at /user/front\n  look\n".repeat(20));
    row(
        "marked-content",
        "deimos { content { messages = [\"scenarios.Marked$*\"], max-length = 100 } }");
    row(
        "marked-content-late",
        "deimos { content { messages = [\"scenarios.Marked$*\"], late = on, eager = [\"*$Fickle\"]"
            + " } }");
    row("marked-content-off", "deimos {}");
    row("user-logs", "");
    row("user-logs-short", "deimos { tracing.logs { level = warn, max-length = 7 } }");
    row("fail-restart", "deimos { tracing.lifecycle = on }", RESTARTS);
    row(
        "typed-restart",
        "deimos { tracing.lifecycle = on }",
        """
        process Show at /user/user
          process Break at /user/fragile ! java.lang.IllegalStateException
            restart Fragile at /user/fragile
          process Show at /user/fragile
        """);
    row(
        "fail-restart-own",
        "deimos { actors { \"/user/parent/*\" { lifecycle = on } } }",
        RESTARTS);
  }

  private static void row(String scenario, String settings) {
    SETTINGS.put(scenario, settings);
  }

  private static void row(String scenario, String settings, String traces) {
    row(scenario, settings);
    TRACES.put(scenario, traces);
  }

  @TempDir private static Path directory;
  private static ScenarioRun run;

  @BeforeAll
  static void runAll() throws IOException {
    Path services = directory.resolve("META-INF/services");
    Files.createDirectories(services);
    Files.writeString(
        services.resolve("io.deimos.api.TraceFilter"), "scenarios.Marked$NoFiltered\n");
    Files.writeString(
        services.resolve("io.deimos.api.ContentRedactor"), "scenarios.Marked$NoDigits\n");
    List<Path> classPath = new ArrayList<>(Layout.scenarioClassPath());
    classPath.add(Layout.api());
    classPath.add(directory);
    run =
        ScenarioRun.run(
            Jdk.own(),
            "control",
            SETTINGS.entrySet().stream()
                .map(row -> (row.getKey() + " " + row.getValue()).strip())
                .toList(),
            b ->
                b.deimos()
                    .classPath(classPath)
                    .property("deimos.tracing.logs.enabled", "true")
                    .metricsEvery(Duration.ofMillis(200)));
  }

  @TestFactory
  Stream<DynamicTest> scenario_withItsSettings_hasItsTraces() {
    return run.tests(TRACES);
  }

  @Test
  void nothingSaid_everythingIsRecorded() {
    assertThat(run.complaints()).isEmpty();
  }

  @Test
  void systemActorsOn_pekkosOwnAreRecorded() {
    assertThat(run.spans())
        .filteredOn(s -> "controlled-system-on".equals(s.text("pekko.system")))
        .anyMatch(s -> String.valueOf(s.text("pekko.actor.class")).startsWith("org.apache.pekko."));
  }

  @Test
  void startTraces_onlyInsideExisting_onlyWhatTheRequestSetOff() {
    assertThat(SpanTree.of(run.spansOf("controlled-inside")).lines().map(String::strip))
        .containsExactly(
            "request",
            "process Begin at /user/front",
            "process Ping at /user/middle from /user/front",
            "process Ping at /user/middle/child from /user/front",
            "process Pong at /user/front from /user/middle/child");
  }

  @Test
  void sampling_ofTheRootsClass_decidesForTheTrace() {
    assertThat(run.spansOf("controlled-unsampled")).isEmpty();
  }

  /** In a JVM of its own: it is looked at when spans are exported, not when they are recorded. */
  @Test
  void messageEvents_off_spansHaveNone() {
    ScenarioRun events =
        ScenarioRun.run(
            "events",
            AgentJvm.Builder::eitherForm,
            "controlled-events deimos { tracing.message-events = off }");
    assertThat(SpanTree.tracesOf(events.spans(), "controlled-events"))
        .hasSize(4)
        .allSatisfy(s -> assertThat(s.events()).isEmpty());
  }

  /** In a JVM of its own, likewise. */
  @Test
  void messageEvents_offForOneActor_itsSpansHaveNone() {
    ScenarioRun events =
        ScenarioRun.run(
            "events-one",
            AgentJvm.Builder::eitherForm,
            "controlled-events-one deimos {"
                + " actors { \"/user/front\" { message-events = off } } }");
    assertThat(SpanTree.tracesOf(events.spans(), "controlled-events-one"))
        .hasSize(4)
        .allSatisfy(
            s -> {
              boolean isFront = String.valueOf(s.path()).endsWith("/user/front");
              assertThat(s.events()).as(s.path()).hasSize(isFront ? 0 : 2);
            });
  }

  @Test
  void metrics_offForSome_theyAreNotCounted() {
    List<String> counted =
        run.points().stream()
            .filter(p -> p.name().equals("pekko.message.processed"))
            .filter(p -> "controlled-metrics".equals(p.attributes().get("pekko.system")))
            .filter(p -> p.value() > 0) // the next system says that it is to be counted
            .map(p -> String.valueOf(p.attributes().get("pekko.actor.class")))
            .distinct()
            .toList();
    assertThat(counted).contains("scenarios.Front").doesNotContain("scenarios.Echo");
  }

  @Test
  void marks_onMessages_holdWhateverIsConfigured() {
    List<String> counted =
        run.points().stream()
            .filter(p -> p.name().equals("pekko.message.processed"))
            .map(p -> String.valueOf(p.attributes().get("pekko.message.class")))
            .distinct()
            .toList();
    assertThat(counted)
        .contains("scenarios.Marked$Quiet")
        .doesNotContain("scenarios.Marked$Hushed");
  }

  private static List<String> contents(String scenario) {
    return run.spansOf(scenario).stream()
        .filter(s -> s.text("pekko.message.content") != null)
        .map(s -> String.valueOf(s.text("pekko.message.content")))
        .sorted()
        .toList();
  }

  @Test
  void content_ofNamedClasses_isBoundedRedactedAndTheActorNeverSeesItFail() {
    assertThat(contents("marked-content"))
        .containsExactly(
            "(toString failed: java.lang.IllegalStateException)",
            "Fickle before",
            "Mutable before",
            "Secret[card=####]",
            "Secret[card=" + "x".repeat(88) + "… (213 characters)");
    assertThat(run.spansOf("marked-content")).hasSize(11);
    assertThat(run.points())
        .anyMatch(
            p ->
                p.name().equals("deimos.content.failed")
                    && "to_string".equals(p.attributes().get(p.name() + ".reason"))
                    && p.value() >= 1);
  }

  @Test
  void contentLate_showsTheMessageAsItIsThen_butForWhatIsNamedEager() {
    assertThat(contents("marked-content-late"))
        .contains("Fickle before", "Mutable after", "Secret[card=####]");
  }

  @Test
  void content_notAskedFor_isNotRecorded() {
    assertThat(contents("marked-content-off")).isEmpty();
    assertThat(contents("marked-messages")).isEmpty();
  }

  @Test
  void logs_inActors_areEventsOfTheirSpans() {
    List<ReceivedSpan.Event> events =
        run.only("user-logs", "process Begin").events().stream()
            .filter(e -> e.name().equals("pekko.log"))
            .toList();
    assertThat(events).hasSize(16);
    assertThat(events.get(0).attributes())
        .containsEntry("pekko.log.level", "warning")
        .containsEntry("pekko.log.message", "classic 1");
    assertThat(events.get(1).attributes())
        .containsEntry("pekko.log.level", "error")
        .containsEntry("pekko.log.exception", "java.lang.IllegalStateException: no stock");
    assertThat(events.get(2).attributes())
        .containsEntry("pekko.log.level", "warning")
        .containsEntry("pekko.log.logger", "scenarios.UserSpans")
        .containsEntry("pekko.log.message", "slf4j")
        .containsEntry("pekko.log.exception", "java.lang.IllegalArgumentException: no card");
    assertThat(events.get(3).attributes()).containsEntry("pekko.log.message", "more 0");
    assertThat(run.only("user-logs", "process Begin").event("deimos.more_logs").attributes())
        .containsEntry("deimos.more.count", 7L);
    assertThat(run.only("user-logs", "process String").event("pekko.log").attributes())
        .containsEntry("pekko.log.message", "typed one");
  }

  @Test
  void logs_ofALevelAndALength_areOnlyThoseAndCut() {
    List<ReceivedSpan.Event> events =
        run.only("user-logs-short", "process Begin").events().stream()
            .filter(e -> e.name().contains("log"))
            .toList();
    assertThat(events)
        .extracting(
            e -> e.name() + " " + e.attributes().get("pekko.log.level"),
            e -> e.attributes().get("pekko.log.message"),
            e -> e.attributes().get("pekko.log.exception"))
        .containsExactly(
            tuple("pekko.log warning", "classic… (9 characters)", null),
            tuple("pekko.log error", "classic… (15 characters)", "java.la… (41 characters)"),
            tuple("pekko.log warning", "slf4j", "java.la… (43 characters)"));
    assertThat(run.only("user-logs-short", "process String").events())
        .noneMatch(e -> e.name().equals("pekko.log"));
  }

  @Test
  void current_inAnActor_isItsSpan() {
    assertThat(run.only("marked-current", "process Begin").text("mine")).isEqualTo("yes");
    assertThat(run.points()).anyMatch(p -> p.name().equals("own.count"));
  }

  /** The filter is asked in the context that the message came with, and that does not stay. */
  @Test
  void filter_thatLooksAtTheContext_changesNothing() {
    assertThat(run.out()).contains("@looks in-another-trace=0 in-an-ended-span=0");
    assertThat(run.out()).noneMatch(l -> l.startsWith("@filter"));
  }
}
