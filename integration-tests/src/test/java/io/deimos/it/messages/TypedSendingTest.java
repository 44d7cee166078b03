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
  void tell_andReply_chain() {
    run.assertTraces(
        "typed-tell",
        """
        process Start at /user/client
          process Question at /user/server
            process Answer at /user/client/answers
        """);
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

  @Test
  void ask_answered_answerChains() {
    run.assertTraces(
        "typed-ask",
        """
        process Start at /user/client
          ask Question at /user/server from /user/client
            process Question at /user/server
          process Adapted at /user/client
        """);
  }

  @Test
  void ask_withStatusError_chains() {
    run.assertTraces(
        "typed-ask-status",
        """
        process Start at /user/client
          ask StatusQuestion at /user/server from /user/client
            process StatusQuestion at /user/server
          process Failed at /user/client
        """);
  }

  @Test
  void ask_timedOut_isAnError() {
    run.assertTraces(
        "typed-ask-timeout",
        """
        process Start at /user/client
          ask Ignored at /user/server from /user/client ! timeout, target processed
            process Ignored at /user/server
          process Failed at /user/client
        """);
  }

  @Test
  void ask_fromOutside_beginsTheTrace() {
    run.assertTraces(
        "typed-ask-outside",
        """
        ask Question at /user/server
          process Question at /user/server
        """);
  }

  @Test
  void messageAdapter_adaptedMessage_chains() {
    run.assertTraces(
        "typed-adapter",
        """
        process Start at /user/client
          process Question at /user/server
            process Adapted at /user/client
        """);
  }

  @Test
  void pipeToSelf_chains() {
    run.assertTraces(
        "typed-pipe",
        """
        process Start at /user/client
          process Adapted at /user/client
        """);
  }

  @Test
  void singleTimer_chains() {
    run.assertTraces("typed-timer", TICKED);
  }

  @Test
  void scheduleOnce_chains() {
    run.assertTraces("typed-schedule", TICKED);
  }

  private static final String TICKED =
      """
      process Start at /user/client
        process Ticked at /user/client
      """;

  @Test
  void eventStream_listener_isInThePublishersTrace() {
    run.assertTraces(
        "typed-event-stream",
        """
        process Start at /user/client
          process Answer at /user/client/listener
        """);
  }

  @Test
  void stash_replayedMessage_sendsInItsOwnTrace() {
    run.assertTraces(
        "typed-stash",
        """
        process Start at /user/visitor
          process Enter at /user/gate
            process Enter at /user/gate, stashed
              process Answer at /user/answers
          process Enter at /user/gate
            process Enter at /user/gate, stashed
              process Answer at /user/answers
          process Open at /user/gate
        """);
  }

  @Test
  void poolRouter_routee_chains() {
    run.assertTraces(
        "typed-pool",
        """
        process Start at /user/client
          process Question at /user/pool/$
            process Answer at /user/client/answers
        """);
  }

  @Test
  void groupRouter_routee_chains() {
    run.assertTraces(
        "typed-group",
        """
        process Listing at /user/listing
        process Start at /user/client
          process Question at /user/member
            process Answer at /user/client/answers
        """);
  }

  @Test
  void typedSystem_guardian_isRecorded() {
    run.assertTraces(
        "typed-system",
        """
        ask Question at /user
          process Question at /user
        """);
  }

  @Test
  void typedToClassic_andBack_chain() {
    run.assertTraces(
        "typed-to-classic",
        """
        process Begin at /user/typed
          process Ping at /user/back from /user/typed
            process Pong at /user/typed from /user/back
        """);
  }

  /** The protocol's own actor is Pekko's. */
  @Test
  void spawnProtocol_spawnedActor_isRecorded() {
    run.assertTraces(
        "typed-spawn-protocol",
        """
        ask Question at /user/spawner/spawned
          process Question at /user/spawner/spawned
        """);
  }
}
