// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.persistence;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.Postgres;
import io.deimos.it.harness.ScenarioRun;
import java.time.Duration;
import java.util.Collection;

/** Where an application has its journal, which scenarios are given as their argument. */
enum Database {
  H2,
  POSTGRESQL;

  /** Runs scenarios against an empty one, all in one JVM. */
  ScenarioRun run(String name, Collection<String> scenarios) {
    if (this == H2) {
      return run(
          name, scenarios, "jdbc:h2:mem:" + name + ";DATABASE_TO_UPPER=false;DB_CLOSE_DELAY=-1");
    }
    try (Postgres postgres = Postgres.start()) {
      return run(name, scenarios, postgres.url());
    }
  }

  private ScenarioRun run(String name, Collection<String> scenarios, String url) {
    return ScenarioRun.run(
        Jdk.own(),
        name + "-" + this,
        scenarios.stream().map(scenario -> scenario + " " + url).toList(),
        b ->
            b.deimos()
                .classPath(Layout.wholeClassPath())
                .pekkoAnd("jdbc")
                .metricsEvery(Duration.ofMillis(100)));
  }
}
