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
    ReceivedSpan boom = run.only("fail-restart", "process Boom");
    assertThat(boom.statusMessage()).isEqualTo("as told");
    assertThat(boom.event("exception").attributes()).containsEntry("exception.message", "as told");
    assertThat(String.valueOf(boom.event("exception").attributes().get("exception.stacktrace")))
        .contains("scenarios.Supervision$Child");
  }

  @Test
  void typedSupervision_actorClass_isThatOfTheSupervisedBehaviour() {
    for (String scenario : List.of("typed-restart", "typed-resume", "typed-stop")) {
      assertThat(run.only(scenario, "process Break").text("pekko.actor.class"))
          .isEqualTo("scenarios.TypedSupervision$Fragile");
    }
  }
}
