// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.ReceivedPoint;
import io.deimos.it.harness.ScenarioRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Marks on classes hold whatever the settings say; here they say the contrary. */
class MarksTest {
  private static final String EVERYTHING =
      " deimos { tracing.user-actors = on, metrics.user-actors = on, messages.always ="
          + " [\"scenarios.*\"], actor-classes.always = [\"scenarios.*\"], actors { \"/user/**\" {"
          + " tracing = on, metrics = on, start-traces = here, sampling = 1 } } }";
  private static final String NOTHING =
      " deimos { tracing.user-actors = off, tracing.start-traces = only-inside-existing,"
          + " messages.never = [\"scenarios.*\"], actor-classes.never = [\"scenarios.*\"],"
          + " sampling.messages { \"scenarios.*\" = 0 }, actors { \"/user/**\" { tracing = off,"
          + " start-traces = only-inside-existing, sampling = 0 } } }";
  private static final Map<String, String> SETTINGS = new LinkedHashMap<>();
  private static final Map<String, String> ROWS = new LinkedHashMap<>();
  private static ScenarioRun run;

  /** Those marked never, and those that pass their context on, answer all the same. */
  private static final String ACTORS_ON =
      """
      process Begin at /user/front
        process Job at /user/loud from /user/front
          process Ping at /user/front from /user/loud
        process Job at /user/traced from /user/front
          process Ping at /user/front from /user/traced
        process Job at /user/typed-loud from /user/front
          process Ping at /user/front from /user/typed-loud
        process Job at /user/typed-uncounted from /user/front
          process Ping at /user/front from /user/typed-uncounted
        process Job at /user/uncounted from /user/front
          process Ping at /user/front from /user/uncounted
        process Job at /user/unmeasured from /user/front
          process Ping at /user/front from /user/unmeasured
        process Ping at /user/front from /user/both
        process Ping at /user/front from /user/heir
        process Ping at /user/front from /user/quiet
        process Ping at /user/front from /user/typed-functions
        process Ping at /user/front from /user/typed-quiet
        process Ping at /user/front from /user/untraced
      """;

  private static final String ACTORS_OFF =
      """
      process Job at /user/loud from /user/front
      process Job at /user/traced from /user/front
      process Job at /user/typed-loud from /user/front
      """;

  static {
    row("marked-actors-on", EVERYTHING, ACTORS_ON);
    row("marked-actors-off", NOTHING, ACTORS_OFF);
    row(
        "marked-actors-deployed-on",
        " deimos {}, pekko.actor.deployment { \"/*\" { deimos { tracing = on, metrics = on } } }",
        ACTORS_ON);
    row(
        "marked-actors-deployed-off",
        " deimos {}, pekko.actor.deployment { \"/*\" { deimos { tracing = off, start-traces ="
            + " only-inside-existing, sampling = 0 } } }",
        ACTORS_OFF);
    row("marked-actors-code-on", " deimos {}", ACTORS_ON);
    row(
        "marked-messages-on",
        EVERYTHING,
        """
        process Begin at /user/front
          process Loud at /user/plain from /user/front
            process Ping at /user/front from /user/plain
          process Ping at /user/front from /user/plain
          process Ping at /user/front from /user/plain
          process Ping at /user/front from /user/plain
          process Ping at /user/front from /user/plain
          process TracedMessage at /user/plain from /user/front
            process Ping at /user/front from /user/plain
          process UncountedMessage at /user/plain from /user/front
            process Ping at /user/front from /user/plain
          process UnmeasuredMessage at /user/plain from /user/front
            process Ping at /user/front from /user/plain
        """);
    row(
        "marked-messages-off",
        NOTHING,
        """
        process Loud at /user/plain from /user/front
        process TracedMessage at /user/plain from /user/front
        """);
  }

  static {
    // The front is as it is by default, and has the answers of those that code says nothing of.
    row(
        "marked-actors-code-off",
        " deimos {}",
        """
        process Begin at /user/front
          process Job at /user/loud from /user/front
            process Ping at /user/front from /user/loud
          process Job at /user/traced from /user/front
            process Ping at /user/front from /user/traced
          process Job at /user/typed-loud from /user/front
            process Ping at /user/front from /user/typed-loud
        """
            + Stream.of(
                    "both",
                    "heir",
                    "quiet",
                    "typed-functions",
                    "typed-quiet",
                    "typed-uncounted",
                    "uncounted",
                    "unmeasured",
                    "untraced")
                .map(who -> "  process Ping at /user/front from /user/" + who + "\n")
                .collect(java.util.stream.Collectors.joining()));
    row(
        "marked-asks",
        EVERYTHING,
        """
        process Begin at /user/front
          ask UncountedMessage at /user/plain from /user/front
            process UncountedMessage at /user/plain from /temp
        """);
  }

  private static void row(String scenario, String settings, String traces) {
    SETTINGS.put(scenario, settings);
    ROWS.put(scenario, traces);
  }

  @BeforeAll
  static void runAll() {
    List<Path> classPath = new ArrayList<>(Layout.scenarioClassPath());
    classPath.add(Layout.api());
    run =
        ScenarioRun.run(
            Jdk.own(),
            "marks",
            SETTINGS.entrySet().stream().map(row -> row.getKey() + row.getValue()).toList(),
            b -> b.eitherForm().classPath(classPath).metricsEvery(Duration.ofMillis(200)));
  }

  @TestFactory
  Stream<DynamicTest> row_whenRun_hasItsTraces() {
    return run.tests(ROWS);
  }

  /** By actor and message; those marked so are not there, and all others are. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "marked-actors-on",
        "marked-actors-off",
        "marked-actors-deployed-on",
        "marked-actors-code-on"
      })
  void actors_markedNeverMeasured_areNotCounted(String scenario) {
    Map<String, Double> expected = new TreeMap<>();
    expected.put("Front Begin", 1.0);
    expected.put("Front Ping", 12.0);
    for (String actor :
        List.of("Quiet", "UntracedActor", "Heir", "Both", "Loud", "TracedActor", "TypedQuiet")) {
      expected.put(actor + " Job", 1.0);
    }
    expected.put("TypedLoud Job", 1.0);
    expected.put("Functions Job", 1.0);
    assertCounted(scenario, expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"marked-messages-on", "marked-messages-off"})
  void messages_markedNeverMeasured_areNotCounted(String scenario) {
    Map<String, Double> expected = new TreeMap<>();
    expected.put("Front Begin", 1.0);
    expected.put("Front Ping", 8.0);
    for (String message : List.of("Quiet", "HeirMessage", "BothMessage", "Loud", "TracedMessage")) {
      expected.put("Plain " + message, 1.0);
    }
    assertCounted(scenario, expected);
  }

  private static void assertCounted(String scenario, Map<String, Double> expected) {
    assertThat(counts(scenario, "pekko.message.processed")).isEqualTo(expected);
    for (String timed : List.of("pekko.message.process.duration", "pekko.mailbox.wait.duration")) {
      assertThat(counts(scenario, timed).keySet()).as(timed).isEqualTo(expected.keySet());
    }
  }

  private static Map<String, Double> counts(String scenario, String metric) {
    Map<String, Double> counts = new TreeMap<>();
    run.points().stream()
        .filter(p -> p.name().equals(metric))
        .filter(p -> scenario.equals(p.attributes().get("pekko.system")))
        .forEach(
            p ->
                counts.put(
                    simple(p, "pekko.actor.class") + " " + simple(p, "pekko.message.class"),
                    p.value()));
    return counts;
  }

  private static String simple(ReceivedPoint of, String attribute) {
    return String.valueOf(of.attributes().get(attribute)).replaceFirst(".*[.$]", "");
  }

  @Test
  void questions_markedNeverMeasured_areNotCounted() {
    assertThat(
            run.points().stream()
                .filter(p -> p.name().equals("pekko.ask.duration"))
                .map(p -> simple(p, "pekko.message.class") + " " + p.count())
                .distinct())
        .containsExactly("Quiet 1");
  }
}
