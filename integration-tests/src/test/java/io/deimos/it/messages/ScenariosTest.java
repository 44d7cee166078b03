// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OnEachJdk;
import io.deimos.it.harness.ScenarioRun;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import scenarios.Scenes;
import scenarios.TypedSupervision;

/**
 * Every way to send, at once, later and by Scala's DSL, every mailbox and dispatcher, and what
 * supervisors decide: the application and the traces that it gives are in {@code scenarios}.
 */
@Tag("quick")
@OnEachJdk
class ScenariosTest {
  private final Jdk jdk;

  ScenariosTest(Jdk jdk) {
    this.jdk = jdk;
  }

  @TestFactory
  Stream<DynamicTest> scenario_whenRun_hasItsTraces() {
    Map<String, String> traces = ScenarioRun.ALL.traces();
    if (!jdk.hasVirtualDispatchers()) {
      traces.remove("dispatcher-virtual");
    }
    if (!Layout.isNewestPekko()) { // with which it does not link
      traces.keySet().removeAll(Scenes.of(TypedSupervision::addTo).names());
    }
    return ScenarioRun.ofAll(jdk).tests(traces);
  }
}
