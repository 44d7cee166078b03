// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.libraries;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.ScenarioRun;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import scenarios.Scenes;
import scenarios.Streaming;

/**
 * One row for each way in which an element waits in a stream: it goes on in the context in which it
 * came, and not in that of what let it go on. Streams have no spans.
 */
class StreamTest {
  private static final Map<String, String> ROWS = Scenes.of(Streaming::addTo).traces();
  private static ScenarioRun run;

  @BeforeAll
  static void runAll() {
    run =
        ScenarioRun.run(
            Jdk.own(),
            "streams",
            List.copyOf(ROWS.keySet()),
            b -> b.deimos().classPath(Layout.wholeClassPath()).pekkoAlone());
  }

  @TestFactory
  Stream<DynamicTest> row_whenRun_hasItsTraces() {
    return run.tests(ROWS);
  }
}
