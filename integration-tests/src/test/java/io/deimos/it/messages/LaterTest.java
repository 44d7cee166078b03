// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnEachJdk;
import io.deimos.it.harness.ScenarioRun;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is sent later, by a future or a timer, belongs to the message that asked for it. */
@Tag("quick")
@OnEachJdk
class LaterTest {
  private final ScenarioRun run;

  LaterTest(Jdk jdk) {
    run = ScenarioRun.ofAll(jdk);
  }

  @Test
  void pipeTo_completionStage_chains() {
    run.assertTraces(
        "pipe-stage",
        """
        process Begin at /user/front
          process Done at /user/front
        """);
  }

  @Test
  void pipeTo_scalaFuture_chains() {
    run.assertTraces(
        "pipe-future",
        """
        process Begin at /user/front
          process Done at /user/front
        """);
  }

  @Test
  void futureCallback_thatSends_chains() {
    run.assertTraces("future-callback", FRONT_TO_ITSELF);
  }

  @Test
  void stageCallback_thatSends_chains() {
    run.assertTraces("stage-callback", FRONT_TO_ITSELF);
  }

  @Test
  void stage_completedByAThreadWithoutATrace_chains() {
    run.assertTraces("stage-completed-elsewhere", FRONT_TO_ITSELF);
  }

  private static final String FRONT_TO_ITSELF =
      """
      process Begin at /user/front
        process Done at /user/front from /user/front
      """;

  @Test
  void scheduleOnce_message_chains() {
    run.assertTraces("schedule-once", TICK);
  }

  @Test
  void scheduleOnce_runnable_chains() {
    run.assertTraces("schedule-runnable", TICK);
  }

  private static final String TICK =
      """
      process Begin at /user/front
        process Tick at /user/front from /user/front
      """;

  @Test
  void singleTimer_classic_chains() {
    run.assertTraces(
        "timer-single",
        """
        process Begin at /user/clockwork
          process Tick at /user/clockwork
        """);
  }

  @Test
  void periodicTimer_classic_eachTickIsATraceOfItsOwn() {
    run.assertTraces(
        "timer-periodic",
        """
        process Begin at /user/clockwork
        process Tick at /user/clockwork, tick after process Begin
        process Tick at /user/clockwork, tick after process Begin
        """);
  }

  @Test
  void timer_cancelledWhenItsTicksHadCome_hasNoSpansOfThem() {
    run.assertTraces(
        "timer-overdue",
        """
        process Begin at /user/clockwork
          process Done at /user/clockwork from /user/clockwork
        """);
  }
}
