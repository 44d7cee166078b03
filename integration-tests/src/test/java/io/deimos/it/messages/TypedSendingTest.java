// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnEachJdk;
import io.deimos.it.harness.ScenarioRun;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One trace from the first message on, whichever way typed actors send. */
@Tag("quick")
@OnEachJdk
class TypedSendingTest {
  private final ScenarioRun run;

  TypedSendingTest(Jdk jdk) {
    run = ScenarioRun.ofAll(jdk);
  }

  @Test
  void tell_actorClass_isTheBehavioursClass() {
    assertThat(run.only("typed-tell", "process Question").text("pekko.actor.class"))
        .isEqualTo("scenarios.Server");
    assertThat(run.only("typed-tell", "process Start").text("pekko.actor.class"))
        .isEqualTo("scenarios.Client");
  }

  @Test
  void functionalBehaviour_actorClass_isItsOwner() {
    assertThat(run.spansOf("typed-functional"))
        .extracting(s -> s.text("pekko.actor.class"))
        .containsOnly("scenarios.TypedSending");
  }
}
