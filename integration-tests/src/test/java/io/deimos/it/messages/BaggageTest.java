// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OnOneJdk;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.ScenarioRun;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Baggage is where the trace is, also where a message goes on later. */
@OnOneJdk
class BaggageTest {
  private static final Map<Jdk, ScenarioRun> RUNS = new ConcurrentHashMap<>();
  private static final Map<String, String> ROWS = new TreeMap<>();

  private final ScenarioRun run;

  BaggageTest(Jdk jdk) {
    run =
        RUNS.computeIfAbsent(
            jdk,
            j ->
                ScenarioRun.run(
                    j,
                    "baggage",
                    List.copyOf(ROWS.keySet()),
                    b -> b.deimos(),
                    b -> b.classPath(Layout.wholeClassPath()).pekkoAlone()));
  }

  static {
    for (String typed : List.of("", "-typed")) {
      for (String how : List.of("tell", "future", "stage")) {
        ROWS.put("baggage-" + how + typed, twice("Done at /user/noting"));
      }
      ROWS.put("baggage-timer" + typed, twice("Tick at /user/noting"));
      ROWS.put(
          "baggage-stash" + typed,
          twice("Event at /user/noting, stashed") + "process Open at /user/noting\n");
      ROWS.put("baggage-pipe" + typed, twice("Done at /user/noting"));
      ROWS.put("baggage-schedule" + typed, twice("Tick at /user/noting"));
      ROWS.put("baggage-router" + typed, twice("Done at /user/router/$"));
      ROWS.put("baggage-event-stream" + typed, twice("Done at /user/listener"));
    }
    ROWS.put("baggage-dead-letter", twice("DeadLetter at /user/listener"));
    ROWS.put("baggage-dead-letter-remote", twice("DeadLetter at /user/listener"));
    ROWS.put("baggage-dead-letter-typed", twice("DeadLetter at /user/listener"));
    ROWS.put("baggage-adapter-typed", twice("Done at /user/noting"));
    ROWS.put("baggage-ask", asked("Ping", " from /temp"));
    ROWS.put("baggage-ask-typed", asked("Question", ""));
    ROWS.put(
        "baggage-sharding",
        answered(
            "Ping at /system/sharding/classic/0/entity from /user/noting",
            " from /system/sharding/classic/0/entity"));
    ROWS.put("baggage-sharding-typed", answered("Question at /system/sharding/typed/2/entity", ""));
    ROWS.put("baggage-sharding-ask-typed", askedOfAnEntity());
    ROWS.put("baggage-persist", written("Writing"));
    ROWS.put("baggage-persist-typed", written("TypedWriting"));
  }

  private static String asked(String question, String from) {
    String once =
        """
        process Event at /user/noting
          ask %1$s at /user/asked from /user/noting
            process %1$s at /user/asked%2$s
          process Done at /user/noting
        """
            .formatted(question, from);
    return once + once;
  }

  private static String answered(String question, String from) {
    String once =
        """
        process Event at /user/noting
          process %s
            process Done at /user/noting%s
        """
            .formatted(question, from);
    return once + once;
  }

  private static String askedOfAnEntity() {
    String once =
        """
        process Event at /user/noting
          ask Question at /system/sharding/typed from /user/noting
            process Question at /system/sharding/typed/2/entity
          process Done at /user/noting
        """;
    return once + once;
  }

  private static String written(String actor) {
    String once =
        """
        process Event at /user/noting
          persist %1$s at /user/noting
            process Done at /user/noting
        """;
    String recovery =
        """
        recover %1$s at /user/noting
          load-snapshot %1$s at /user/noting
        """;
    return (once + once + recovery).formatted(actor);
  }

  private static String twice(String later) {
    String once =
        """
        process Event at /user/noting
          process %s
        """
            .formatted(later);
    return once + once;
  }

  @TestFactory
  Stream<DynamicTest> row_whenRun_hasItsTraces() {
    return run.tests(ROWS);
  }

  @TestFactory
  Stream<DynamicTest> row_whenRun_hasTheBaggageOfEachTrace() {
    return ROWS.keySet().stream()
        .map(
            scenario ->
                DynamicTest.dynamicTest(
                    scenario,
                    () -> {
                      int handlers = isAnswered(scenario) ? 3 : 2;
                      List<List<String>> expected =
                          new ArrayList<>(
                              List.of(
                                  Collections.nCopies(handlers, "c-1"),
                                  Collections.nCopies(handlers, "c-2")));
                      if (scenario.startsWith("baggage-stash")) {
                        expected.add(List.of("none"));
                      }
                      assertThat(customers(scenario)).containsExactlyInAnyOrderElementsOf(expected);
                    }));
  }

  private static boolean isAnswered(String scenario) {
    return scenario.startsWith("baggage-ask") || scenario.startsWith("baggage-sharding");
  }

  /** What the handlers of each trace say. */
  private List<List<String>> customers(String scenario) {
    Map<String, List<String>> found = new TreeMap<>();
    for (ReceivedSpan span : run.spansOf(scenario)) {
      if (!span.name().startsWith("process ")) {
        continue;
      }
      found
          .computeIfAbsent(span.traceId(), t -> new ArrayList<>())
          .add(String.valueOf(span.text("customer")));
    }
    return List.copyOf(found.values());
  }
}
