// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.starts;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Report;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.ScenarioRun;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** {@code frameworks.Application} with its one order, until the self-test has ended. */
final class OrderApplication {
  private OrderApplication() {}

  /**
   * Runs it, with a report by its name.
   *
   * @param running is given the JVM when the self-test has ended, before it stops
   */
  static ScenarioRun run(
      Jdk jdk, String name, UnaryOperator<AgentJvm.Builder> how, Consumer<AgentJvm> running) {
    return ScenarioRun.run(
        jdk,
        name,
        List.of(),
        b ->
            how.apply(b)
                .pekkoAlone()
                .page()
                .property("deimos.report.file", Report.file(name).toString())
                .runs("frameworks.Application", "order"),
        jvm -> {
          jvm.awaitOut("the order", l -> l.equals("@ran order"));
          RunningPage.of(jvm)
              .awaitState(
                  "the end of the self-test", s -> !s.getString("hooks.state").equals("pending"));
          running.accept(jvm);
          jvm.stop();
        });
  }
}
