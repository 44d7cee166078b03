// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnEachJdk;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.Report;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.SpanTree;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Systems that come and go, and what must never be seen. */
@OnEachJdk
class LifecycleTest {
  private final Jdk jdk;
  private final ScenarioRun run;

  LifecycleTest(Jdk jdk) {
    this.jdk = jdk;
    run = ScenarioRun.ofAll(jdk);
  }

  @Test
  void manySystems_inOneJvm_areAllRecorded() {
    assertThat(run.out()).contains("@done many-systems");
    for (int i = 1; i <= 5; i++) {
      assertThat(SpanTree.ofSystem(run.spans(), "other-" + i))
          .isEqualTo(
              """
              process Begin at /user/front
                process Ping at /user/back from /user/front
                  process Pong at /user/front from /user/back
              """);
    }
  }

  @Test
  void systemShutDown_inMidTraffic_keepsWholeTraces() {
    var spans = run.spansOf("shutdown-in-traffic");
    assertThat(spans).hasSizeGreaterThan(400);
    // on a slow machine they go on for so long that the guard begins a new, linked trace
    assertThat(spans.stream().filter(s -> s.isRoot() && s.links().isEmpty())).hasSize(4);
    assertThat(spans.stream().filter(ReceivedSpan::isRoot).map(ReceivedSpan::traceId))
        .doesNotHaveDuplicates();
    Set<String> ids = spans.stream().map(ReceivedSpan::spanId).collect(Collectors.toSet());
    assertThat(spans)
        .filteredOn(s -> !s.isRoot())
        .allSatisfy(s -> assertThat(ids).contains(s.parentId()));
  }

  @Test
  void allSpans_areOfUserActors() {
    assertThat(run.spans())
        .filteredOn(ReceivedSpan::isOurs)
        .allSatisfy(
            s -> {
              assertThat(s.path()).doesNotContain("/system/");
              assertThat(s.text("pekko.actor.class")).doesNotStartWith("org.apache.pekko");
            });
  }

  @Test
  void selfTest_leavesNoSpan() {
    Set<String> systems =
        run.spans().stream()
            .filter(s -> s.system() != null)
            .map(ReceivedSpan::system)
            .collect(Collectors.toSet());
    assertThat(systems)
        .allSatisfy(
            system ->
                assertThat(run.out())
                    .anyMatch(l -> l.equals("@done " + system) || system.startsWith("other-")));
  }

  @Test
  void allScenarios_allSpansAreExported() {
    Report report = Report.of("all-" + jdk);
    assertThat(report.spansDropped()).as(report.text()).isZero();
    assertThat(report.spansExported())
        .as(report.text())
        .isEqualTo(run.spans().stream().filter(ReceivedSpan::isOurs).count());
  }

  @Test
  void allScenarios_agentSaysNothing() {
    assertThat(run.complaints()).isEmpty();
  }
}
