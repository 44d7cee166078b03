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
import scenarios.Carrying;
import scenarios.CarryingEvents;
import scenarios.CarryingFar;
import scenarios.CarryingShards;
import scenarios.Scenes;

/** Baggage is where the trace is, also where a message goes on later. */
@OnOneJdk
class BaggageTest {
  private static final Map<Jdk, ScenarioRun> RUNS = new ConcurrentHashMap<>();
  private static final Map<String, String> ROWS =
      Scenes.of(Carrying::addTo, CarryingFar::addTo, CarryingShards::addTo, CarryingEvents::addTo)
          .traces();

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
                    b -> b.deimos().classPath(Layout.wholeClassPath()).pekkoAlone()));
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

  /** The baggage that the handlers of each trace have. */
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
