// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What {@code deimos-lean.jar} weaves at the start, and what it loads for that. */
@OnOneJdk
class LeanStartTest {
  private final Jdk jdk;

  LeanStartTest(Jdk jdk) {
    this.jdk = jdk;
  }

  @Test
  void aPekkoThatTheBuildKnows_isWovenWithoutByteBuddy() throws IOException {
    Path loaded = Layout.target().resolve("lean-classes-" + jdk + ".log");
    Report report =
        run("lean-ahead-" + jdk, b -> b.option("-Xlog:class+load:file=" + loaded + ":none"));
    assertThat(report.hooksMissing()).isEmpty();
    assertThat(report.hooksOk()).isPositive();
    assertThat(report.text()).contains("\"classes_woven_here\": 0");
    assertThat(report.text()).doesNotContain("\"classes_woven_ahead\": 0");
    try (var lines = Files.lines(loaded)) {
      assertThat(lines.filter(line -> line.startsWith("net.bytebuddy."))).isEmpty();
    }
  }

  /** As if it were a Pekko that the build does not know. */
  @Test
  void aClassThatIsToBeWovenInAnotherWay_isWovenHereAndCounted() {
    String hook = "Envelope.<init>";
    Report report = run("lean-here-" + jdk, b -> b.property("deimos.internal.hooks.skip", hook));
    assertThat(report.hooksMissing()).containsExactly(hook);
    assertThat(report.text()).contains("\"classes_woven_here\": 1");
  }

  private Report run(String name, UnaryOperator<AgentJvm.Builder> how) {
    ScenarioRun run = OrderApplication.run(jdk, name, AgentJvm.Builder::lean, how, stopped -> {});
    Report report = Report.of(name);
    assertThat(report.faults()).as(run.transcript()).isZero();
    return report;
  }
}
