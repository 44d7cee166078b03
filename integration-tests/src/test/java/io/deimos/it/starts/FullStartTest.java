// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.starts;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.FailingAgent;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnOneJdk;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.Report;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.SpanTree;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * The classes that {@code deimos.jar} weaves before the OpenTelemetry agent sees it, and that all
 * others who weave the same classes can go on.
 */
@OnOneJdk
class FullStartTest {
  private static final String CELL = "org.apache.pekko.actor.ActorCell";

  /** Pekko's and Scala's tasks and what runs them, Logback's logger, {@code CompletableFuture}. */
  private static final int LEFT_TO_THE_BUILDER = 7;

  private static final String ORDER =
      """
      ask Order at /user/desk
        process Order at /user/desk from /temp
          process Line at /user/store
      """;

  private final Jdk jdk;

  FullStartTest(Jdk jdk) {
    this.jdk = jdk;
  }

  @Test
  void aPekkoThatTheBuildKnows_isWovenAhead() {
    String name = "full-ahead-" + jdk;
    ScenarioRun run = run(name, AgentJvm.Builder::deimos, jvm -> {});
    assertThat(SpanTree.ofSystem(run.spans(), "order")).as(run.transcript()).isEqualTo(ORDER);
    assertThat(Report.of(name).classesWovenHere()).isEqualTo(LEFT_TO_THE_BUILDER);
    assertThat(Report.of(name).classesWovenAhead()).isGreaterThan(20);
  }

  /** Each method that a user names is a span, by advice in the very class that we weave. */
  @Test
  void anInstrumentationOfTheOpenTelemetryAgent_ofOneOfPekkosClasses_works() {
    String name = "full-methods-" + jdk;
    ScenarioRun run =
        run(
            name,
            b ->
                b.deimos()
                    .property("otel.instrumentation.methods.enabled", "true")
                    .property("otel.instrumentation.methods.include", CELL + "[newActor,invoke]"),
            jvm -> {});
    assertThat(run.spans())
        .extracting(ReceivedSpan::name)
        .contains("ActorCell.newActor", "ActorCell.invoke", "process Order");
    assertThat(Report.of(name).classesWovenHere()).isEqualTo(LEFT_TO_THE_BUILDER);
  }

  /** Classes that it has changed are not those that the build has woven, so they are woven here. */
  @Test
  void anotherAgentAhead_whichChangesOneClassAndRetransformsAll_isNoObstacle() {
    String name = "full-neighbour-" + jdk;
    String neighbour = FailingAgent.neighbour(CELL, "frameworks.Application$Line");
    ScenarioRun run =
        run(
            name,
            b -> b.option(neighbour).deimos(),
            jvm -> jvm.awaitOut("the retransformation", l -> l.startsWith("@retransformed ")));
    assertThat(SpanTree.ofSystem(run.spans(), "order")).as(run.transcript()).isEqualTo(ORDER);
    // and what the builder weaves it weaves again when it is retransformed
    assertThat(Report.of(name).classesWovenHere()).isGreaterThan(LEFT_TO_THE_BUILDER);
    assertThat(Report.of(name).classesWovenAhead()).isGreaterThan(20);
  }

  private ScenarioRun run(
      String name, UnaryOperator<AgentJvm.Builder> how, Consumer<AgentJvm> running) {
    ScenarioRun run = OrderApplication.run(jdk, name, how, running);
    Report report = Report.of(name);
    assertThat(report.faults()).as(run.transcript()).isZero();
    assertThat(report.hooksMissing()).as(run.transcript()).isEmpty();
    assertThat(report.hooksOk()).isPositive();
    return run;
  }
}
