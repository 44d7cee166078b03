// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OnOneJdk;
import io.deimos.it.harness.ScenarioRun;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import scenarios.Mixed;
import scenarios.Scenes;

/** Requests that meet in one actor or future, and come apart again, each in its own trace. */
@OnOneJdk
class MixedTest {
  private static final Map<Jdk, ScenarioRun> RUNS = new ConcurrentHashMap<>();
  private static final Map<String, String> ROWS = Scenes.of(Mixed::addTo).traces();

  private final ScenarioRun run;

  MixedTest(Jdk jdk) {
    run =
        RUNS.computeIfAbsent(
            jdk,
            j ->
                ScenarioRun.run(
                    j,
                    "mixed",
                    List.copyOf(ROWS.keySet()),
                    b ->
                        b.deimos()
                            .classPath(Layout.wholeClassPath())
                            .property("scenarios.tool", "otel")));
  }

  @TestFactory
  Stream<DynamicTest> row_whenRun_hasItsTraces() {
    return run.tests(ROWS);
  }
}
