// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.ReceivedPoint;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.SideBySide;
import io.deimos.it.harness.SpanTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import scenarios.Backlog;
import scenarios.Persisting;
import scenarios.Scenes;

/** From a command through the database to the reply in one trace, on both databases. */
@SideBySide
@ParameterizedClass(name = "{0}")
@EnumSource(Database.class)
class PersistenceTest {
  private static final Pattern OPERATION =
      Pattern.compile(
          "\\s*(persist|recover|load-snapshot|save-snapshot) (\\w+) at \\S+( ! an error)?");
  private static final Map<String, String> ROWS =
      Scenes.of(Backlog::addTo, Persisting::addTo).traces();
  private static final Map<Database, ScenarioRun> RUNS = new LinkedHashMap<>();

  private final ScenarioRun run;

  PersistenceTest(Database database) {
    run = RUNS.computeIfAbsent(database, on -> on.run("persistence", ROWS.keySet()));
  }

  @AfterAll
  static void forget() {
    RUNS.clear();
  }

  @TestFactory
  Stream<DynamicTest> row_whenRun_hasItsTraces() {
    return ROWS.entrySet().stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.getKey(),
                    () ->
                        assertThat(
                                SpanTree.of(
                                        run.spansOf(row.getKey()).stream()
                                            .filter(ReceivedSpan::isOurs)
                                            .toList())
                                    .replaceAll("! [\\w.$]+", "! an error"))
                            .isEqualTo(row.getValue())));
  }

  @Test
  void insertsOfAWrite_areBelowItsSpan() {
    for (String scenario : List.of("persist-typed", "persist-classic", "persist-state-early")) {
      ReceivedSpan persist = only(scenario, "persist ");
      assertThat(sql(scenario, persist))
          .as("database work in %s", scenario)
          .anyMatch(s -> s.name().toLowerCase(java.util.Locale.ROOT).contains("insert"));
    }
  }

  @Test
  void queriesOfARecovery_areBelowItsSpan() {
    for (String scenario : List.of("persist-typed", "persist-classic", "persist-state-early")) {
      ReceivedSpan recover = only(scenario, "recover ");
      assertThat(sql(scenario, recover))
          .as("database work in %s", scenario)
          .anyMatch(s -> s.name().toLowerCase(java.util.Locale.ROOT).contains("select"));
    }
  }

  @Test
  void workOfASnapshot_isBelowItsSpan() {
    for (String scenario : List.of("persist-typed-snapshot", "persist-classic-snapshot")) {
      assertThat(sql(scenario, only(scenario, "save-snapshot "))).as(scenario).isNotEmpty();
      List<ReceivedSpan> loads =
          run.spansOf(scenario).stream()
              .filter(s -> s.name().startsWith("load-snapshot "))
              .toList();
      assertThat(loads)
          .isNotEmpty()
          .allSatisfy(load -> assertThat(sql(scenario, load)).as(scenario).isNotEmpty());
    }
  }

  @Test
  void writes_refusedOrFailed_sayWhy() {
    assertThat(failed("persist-classic-rejected").text("error.type"))
        .isEqualTo("java.io.NotSerializableException");
    assertThat(failed("persist-typed-rejected").text("error.type"))
        .isEqualTo("java.io.NotSerializableException");
    assertThat(failed("persist-classic-failed").text("error.type")).contains("SQL");
  }

  private ReceivedSpan failed(String scenario) {
    return run.spansOf(scenario).stream()
        .filter(s -> s.name().startsWith("persist ") && s.text("error.type") != null)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void operations_attributes_sayWhoAndHowMany() {
    ReceivedSpan persist = only("persist-typed-all", "persist ");
    assertThat(persist.attributes())
        .containsEntry("pekko.persistence.event.count", 2L)
        .containsEntry("pekko.actor.class", "scenarios.Persisting$Cart")
        .containsEntry("pekko.system", "persist-typed-all");
    ReceivedSpan again =
        run.spansOf("persist-typed-again").stream()
            .filter(s -> "pekko://persist-typed-again/user/again".equals(s.path()))
            .filter(s -> s.name().startsWith("recover "))
            .findFirst()
            .orElseThrow();
    assertThat(again.attributes())
        .containsEntry("pekko.persistence.id", "persist-typed-again")
        .containsEntry("pekko.persistence.event.count", 2L);
  }

  /**
   * As many as there are spans in the rows above, and where the rows have none, as many as there
   * would be.
   */
  @TestFactory
  Stream<DynamicTest> operations_counted_areThoseOfTheRow() {
    Map<String, Map<String, Double>> expected = new LinkedHashMap<>();
    ROWS.forEach((scenario, row) -> expected.put(scenario, operationsIn(row)));
    expected.put("persist-untraced", expected.get("persist-classic"));
    return expected.entrySet().stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.getKey(),
                    () -> assertThat(operations(row.getKey())).isEqualTo(row.getValue())));
  }

  private static Map<String, Double> operationsIn(String row) {
    Map<String, Double> counts = new TreeMap<>();
    row.lines()
        .map(OPERATION::matcher)
        .filter(Matcher::matches)
        .forEach(
            m ->
                counts.merge(
                    m.group(1) + " " + m.group(2) + (m.group(3) == null ? "" : m.group(3)),
                    1.0,
                    Double::sum));
    return counts;
  }

  /** The durations of a system, by operation and actor, failed ones apart. */
  private Map<String, Double> operations(String system) {
    Map<String, Double> counts = new TreeMap<>();
    run.points().stream()
        .filter(p -> p.name().equals("pekko.persistence.operation.duration"))
        .filter(p -> system.equals(p.attributes().get("pekko.system")))
        .forEach(
            p -> {
              assertThat(p.value()).isGreaterThan(0).isLessThan(60.0 * p.count());
              counts.put(
                  p.attributes().get("pekko.persistence.operation.name")
                      + " "
                      + actor(p)
                      + (p.attributes().containsKey("error.type") ? " ! an error" : ""),
                  (double) p.count());
            });
    return counts;
  }

  /** Those of a durable state are none, and what is deferred is not written. */
  @ParameterizedTest
  @CsvSource({
    "persist-typed, Cart, 1, 0",
    "persist-typed-all, Cart, 2, 0",
    "persist-typed-early, Cart, 1, 0",
    "persist-typed-again, Cart, 2, 2",
    "persist-typed-snapshot, Snapped, 1, 0",
    "persist-typed-rejected, Refused, 0, 0",
    "persist-typed-busy, Closed, 2, 0",
    "persist-typed-stash, Closed, 3, 0",
    "persist-classic, Account, 1, 0",
    "persist-classic-all, Account, 2, 0",
    "persist-classic-async, Account, 1, 0",
    "persist-classic-all-async, Account, 2, 0",
    "persist-classic-snapshot, Account, 1, 0",
    "persist-classic-rejected, Account, 0, 0",
    "persist-classic-failed, Account, 1, 0",
    "persist-classic-busy, Account, 2, 0",
    "persist-classic-early, Account, 1, 0",
    "persist-state, Balance, 0, 0",
    "persist-state-early, Balance, 0, 0",
    "persist-untraced, Account, 1, 0",
    "persist-off, Account, 0, 0"
  })
  void events_writtenAndReplayed_areCounted(
      String system, String actor, double written, double replayed) {
    Map<String, Double> expected = new TreeMap<>();
    if (written > 0) {
      expected.put("persist " + actor, written);
    }
    if (replayed > 0) {
      expected.put("recover " + actor, replayed);
    }
    assertThat(events(system)).isEqualTo(expected);
  }

  private static String actor(ReceivedPoint of) {
    return String.valueOf(of.attributes().get("pekko.actor.class")).replaceFirst(".*\\$", "");
  }

  /** By operation and actor; of what never was nothing is told. */
  private Map<String, Double> events(String system) {
    Map<String, Double> counts = new TreeMap<>();
    run.points().stream()
        .filter(p -> p.name().equals("pekko.persistence.event.processed"))
        .filter(p -> system.equals(p.attributes().get("pekko.system")))
        .filter(p -> p.value() > 0)
        .forEach(
            p ->
                counts.put(
                    p.attributes().get("pekko.persistence.operation.name") + " " + actor(p),
                    p.value()));
    return counts;
  }

  @Test
  void failures_ofOperations_areToldByException() {
    for (String scenario :
        List.of("persist-typed-rejected", "persist-classic-rejected", "persist-classic-failed")) {
      assertThat(errors(scenario, "persist"))
          .as(scenario)
          .containsOnly(failed(scenario).text("error.type"));
    }
    assertThat(errors("persist-typed-all", "persist")).isEmpty();
  }

  private List<Object> errors(String system, String operation) {
    return run.points().stream()
        .filter(p -> p.name().equals("pekko.persistence.operation.duration"))
        .filter(p -> system.equals(p.attributes().get("pekko.system")))
        .filter(p -> operation.equals(p.attributes().get("pekko.persistence.operation.name")))
        .flatMap(p -> Optional.ofNullable(p.attributes().get("error.type")).stream())
        .distinct()
        .toList();
  }

  private ReceivedSpan only(String scenario, String prefix) {
    List<ReceivedSpan> found =
        run.spansOf(scenario).stream().filter(s -> s.name().startsWith(prefix)).toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  /** The records of the agent's JDBC instrumentation below a span. */
  private List<ReceivedSpan> sql(String scenario, ReceivedSpan below) {
    List<ReceivedSpan> all = run.spansOf(scenario);
    Map<String, ReceivedSpan> byId = SpanTree.byId(all);
    return all.stream()
        .filter(s -> s.scope().contains("jdbc"))
        .filter(s -> SpanTree.ancestors(byId, s).contains(below))
        .toList();
  }
}
