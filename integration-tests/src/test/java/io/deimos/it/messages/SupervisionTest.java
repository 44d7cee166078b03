// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnEachJdk;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.ScenarioRun;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A message that makes its actor fail is an error, whoever catches it. */
@Tag("quick")
@OnEachJdk
class SupervisionTest {
  private final ScenarioRun run;

  SupervisionTest(Jdk jdk) {
    run = ScenarioRun.ofAll(jdk);
  }

  @Test
  void restart_failedMessage_isAnError() {
    run.assertTraces("fail-restart", FAILS_AND_LIVES);
    ReceivedSpan boom = run.only("fail-restart", "process Boom");
    assertThat(boom.statusMessage()).isEqualTo("as told");
    assertThat(boom.event("exception").attributes()).containsEntry("exception.message", "as told");
    assertThat(String.valueOf(boom.event("exception").attributes().get("exception.stacktrace")))
        .contains("scenarios.Supervision$Child");
  }

  @Test
  void resume_failedMessage_isAnError() {
    run.assertTraces("fail-resume", FAILS_AND_LIVES);
  }

  private static final String FAILS_AND_LIVES =
      """
      process Begin at /user/parent
        process Boom at /user/parent/child from /user/parent ! java.lang.IllegalStateException
        process Ping at /user/parent/child from /user/parent
          process Pong at /user/parent from /user/parent/child
      """;

  @Test
  void stop_failedMessage_isAnError() {
    run.assertTraces(
        "fail-stop", FAILS + "process Terminated at /user/parent from /user/parent/child\n");
  }

  @Test
  void escalate_failedMessage_isAnErrorOnce() {
    run.assertTraces("fail-escalate", FAILS);
  }

  private static final String FAILS =
      """
      process Begin at /user/parent
        process Boom at /user/parent/child from /user/parent ! java.lang.IllegalStateException
      """;

  @Test
  void constructor_thatFails_makesNoSpan() {
    run.assertTraces(
        "fail-in-constructor", "process Terminated at /user/watcher from /user/broken\n");
  }

  @Test
  void childThatCannotBeMade_isAnErrorInItsParentsTrace() {
    run.assertTraces(
        "fail-in-childs-constructor",
        """
        process Begin at /user/front
          start Broken at /user/front/broken ! org.apache.pekko.actor.ActorInitializationException
        process Terminated at /user/front from /user/front/broken
        """);
  }

  @Test
  void typedRestart_failedMessage_isAnError() {
    run.assertTraces("typed-restart", TYPED_LIVES);
  }

  @Test
  void typedResume_failedMessage_isAnError() {
    run.assertTraces("typed-resume", TYPED_LIVES);
  }

  private static final String TYPED_LIVES =
      """
      process Show at /user/user
        process Break at /user/fragile ! java.lang.IllegalStateException
        process Show at /user/fragile
      """;

  @Test
  void typedStop_failedMessage_isAnError() {
    run.assertTraces("typed-stop", TYPED_BREAKS);
  }

  @Test
  void typedUnsupervised_failedMessage_isAnErrorOfTheUsersException() {
    run.assertTraces("typed-unsupervised", TYPED_BREAKS);
  }

  private static final String TYPED_BREAKS =
      "process Break at /user/fragile ! java.lang.IllegalStateException\n";

  @Test
  void typedSupervision_actorClass_isThatOfTheSupervisedBehaviour() {
    for (String scenario : List.of("typed-restart", "typed-resume", "typed-stop")) {
      assertThat(run.only(scenario, "process Break").text("pekko.actor.class"))
          .isEqualTo("scenarios.TypedSupervision$Fragile");
    }
  }
}
