// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Layout;
import io.deimos.it.harness.ScenarioRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings in the application's own configuration. */
class HoconTest {
  @TempDir private Path directory;

  @Test
  void settings_inApplicationConfAndInCode_areTakenOrNamed() throws IOException {
    Files.writeString(
        directory.resolve("application.conf"),
        """
        deimos {
          metrics.enabled = off
          tracing.ring-capacity = 1000
          page.prot = 9798
        }
        """);
    List<Path> classPath = new ArrayList<>(Layout.scenarioClassPath());
    classPath.add(0, directory);
    ScenarioRun run =
        ScenarioRun.run(
            "hocon",
            b -> b.eitherForm().classPath(classPath).metricsEvery(Duration.ofMillis(200)),
            "classic-tell",
            "controlled-tell deimos.page.spans-kept = 200");
    run.assertTraces(
        "classic-tell",
        """
        process Begin at /user/front
          process Ping at /user/back from /user/front
            process Pong at /user/front from /user/back
        """);
    assertThat(run.points()).isNotEmpty().noneMatch(p -> p.name().startsWith("pekko."));
    assertThat(run.complaints())
        .containsExactlyInAnyOrder(
            "deimos: deimos.tracing.ring-capacity=1000 (application.conf: 3) is not a power of two"
                + " in [64, 1048576]; using 8192",
            "deimos: deimos.page.prot (application.conf: 4): there is no such setting; did you"
                + " mean deimos.page.port?",
            "deimos: the configuration of actor system controlled-tell was not known when the JVM"
                + " started, so this in it has no effect: deimos.page.spans-kept=200. Put it into"
                + " application.conf on the class path, or give it as a system property");
  }
}
