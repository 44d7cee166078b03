// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnEachJdk;
import io.deimos.it.harness.ScenarioRun;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import scenarios.Leaving;
import scenarios.Scenes;

/**
 * When a message has been processed nothing of its context is left where it was: on its thread, in
 * actors that it made, in futures that it completed. A later message is in a trace of its own.
 */
@OnEachJdk
class LeavingTest {
  private static final Map<Jdk, ScenarioRun> RUNS = new ConcurrentHashMap<>();
  private static final Map<String, String> ROWS = Scenes.of(Leaving::addTo).traces();

  private final ScenarioRun run;

  LeavingTest(Jdk jdk) {
    run =
        RUNS.computeIfAbsent(
            jdk,
            j ->
                ScenarioRun.run(
                    j,
                    "leaving",
                    List.copyOf(ROWS.keySet()),
                    b -> b.deimos().property("otel.instrumentation.logback-mdc.enabled", "true")));
  }

  @TestFactory
  Stream<DynamicTest> row_whenRun_hasItsTraces() {
    return run.tests(ROWS);
  }

  @Test
  void logInAMessage_andOutsideAfterIt_onlyTheFirstHasATrace() {
    assertThat(logged("inside")).isNotEmpty().allMatch(l -> l.matches(".* trace=[0-9a-f]{32} .*"));
    assertThat(logged("outside")).isNotEmpty().allMatch(l -> l.contains(" trace= span= "));
  }

  private List<String> logged(String where) {
    return run.out().stream().filter(l -> l.startsWith("@log ") && l.endsWith(where)).toList();
  }
}
