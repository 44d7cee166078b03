// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnOneJdk;
import io.deimos.it.harness.ScenarioRun;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import scenarios.Broadcasting;
import scenarios.Looping;
import scenarios.Scenes;
import scenarios.Ticking;
import scenarios.Unanswered;

/**
 * One row for each boundary and way of sending that the other tests have not: the scenario, and the
 * traces that must come of it, no more and no less.
 */
@OnOneJdk
class BoundaryTest {
  private static final Map<Jdk, ScenarioRun> RUNS = new ConcurrentHashMap<>();
  private static final Map<String, String> ROWS =
      Scenes.of(Ticking::addTo, Looping::addTo, Broadcasting::addTo, Unanswered::addTo).traces();

  private static final List<String> ASKED_IN_VAIN =
      List.of("asked-gone", "asked-nowhere", "asked-typed-gone", "asked-typed-nowhere");

  private final ScenarioRun run;

  BoundaryTest(Jdk jdk) {
    run =
        RUNS.computeIfAbsent(
            jdk,
            j -> ScenarioRun.run(j, "boundaries", List.copyOf(ROWS.keySet()), b -> b.deimos()));
  }

  @TestFactory
  Stream<DynamicTest> row_whenRun_hasItsTraces() {
    return run.tests(ROWS);
  }

  /** Pekko asks nobody, but gives the question up as a message that was sent in vain. */
  @Test
  void questionToWhoIsKnownNotToBeThere_isADeadLetterOfTheAskersSpan() {
    for (String scenario : ASKED_IN_VAIN) {
      boolean classic = !scenario.contains("typed");
      assertThat(run.only(scenario, "process Begin").event("pekko.dead_letter").attributes())
          .as(scenario)
          .containsEntry(
              "pekko.message.class",
              classic ? "scenarios.Messages$Ping" : "scenarios.Unanswered$Question")
          .containsEntry("pekko.actor.path", "pekko://" + scenario + "/user/asked")
          .containsEntry(
              "pekko.actor.state", scenario.endsWith("gone") ? "stopped" : "not known here");
    }
  }
}
