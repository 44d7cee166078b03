// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnEachJdk;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.SpanTree;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One trace from the first message on, whichever way classic actors send. */
@Tag("quick")
@OnEachJdk
class ClassicSendingTest {
  private final ScenarioRun run;

  ClassicSendingTest(Jdk jdk) {
    run = ScenarioRun.ofAll(jdk);
  }

  @Test
  void tell_andReply_chain() {
    run.assertTraces(
        "classic-tell",
        """
        process Begin at /user/front
          process Ping at /user/back from /user/front
            process Pong at /user/front from /user/back
        """);
  }

  @Test
  void tell_attributes_areTheDesigns() {
    ReceivedSpan ping = run.only("classic-tell", "process Ping");
    assertThat(ping.attributes())
        .containsOnlyKeys(
            "messaging.system",
            "messaging.operation.name",
            "messaging.operation.type",
            "messaging.destination.template",
            "pekko.system",
            "pekko.actor.path",
            "pekko.actor.class",
            "pekko.message.class",
            "pekko.sender.path",
            "pekko.mailbox.wait")
        .containsAllEntriesOf(
            Map.of(
                "messaging.system", "pekko",
                "messaging.operation.name", "process",
                "messaging.operation.type", "process",
                "messaging.destination.template", "/user/back",
                "pekko.system", "classic-tell",
                "pekko.actor.path", "pekko://classic-tell/user/back",
                "pekko.actor.class", "scenarios.Echo",
                "pekko.message.class", "scenarios.Messages$Ping",
                "pekko.sender.path", "pekko://classic-tell/user/front"));
    assertThat(ping.events())
        .extracting(ReceivedSpan.Event::name)
        .containsExactly("waiting", "message");
  }

  @Test
  void tell_fromOutside_hasNoSender() {
    assertThat(run.only("classic-tell", "process Begin").attributes())
        .doesNotContainKey("pekko.sender.path");
  }

  @Test
  void forward_keepsTheSender() {
    run.assertTraces(
        "classic-forward",
        """
        process Begin at /user/front
          process Ping at /user/middle from /user/front
            process Ping at /user/back from /user/front
              process Pong at /user/front from /user/back
        """);
  }

  @Test
  void selection_byNameAndByPattern_chain() {
    run.assertTraces(
        "classic-selection",
        """
        process Begin at /user/front
          process Ping at /user/back from /user/front
            process Pong at /user/front from /user/back
          process Work at /user/back from /user/front
            process Done at /user/front from /user/back
        """);
  }

  @Test
  void eventStream_eachSubscriber_isAChildOfThePublisher() {
    run.assertTraces(
        "classic-event-stream",
        """
        process Begin at /user/front
          process Event at /user/listener-1
          process Event at /user/listener-2
        """);
  }

  @Test
  void stash_replayedMessage_keepsItsTrace() {
    run.assertTraces(
        "classic-stash",
        """
        process Begin at /user/front
          process Open at /user/shop from /user/front
          process Work at /user/shop from /user/front
            process Work at /user/shop from /user/front, stashed
              process Done at /user/front from /user/shop
          process Work at /user/shop from /user/front
            process Work at /user/shop from /user/front, stashed
              process Done at /user/front from /user/shop
        """);
  }

  @Test
  void tell_fiftyDeep_isOneTrace() {
    List<ReceivedSpan> spans = run.spansOf("classic-nested");
    assertThat(spans).hasSize(51);
    assertThat(spans).extracting(ReceivedSpan::traceId).containsOnly(spans.get(0).traceId());
    ReceivedSpan last =
        spans.stream()
            .filter(s -> s.path() != null && s.path().endsWith("/last"))
            .findFirst()
            .orElseThrow();
    assertThat(SpanTree.ancestors(SpanTree.byId(spans), last)).hasSize(50);
  }

  @Test
  void creator_actorClass_isThatOfTheActor() {
    assertThat(run.only("classic-creator", "process Ping").text("pekko.actor.class"))
        .isEqualTo("scenarios.ClassicSending$Hidden");
  }

  @Test
  void serializedMessages_chain() {
    run.assertTraces(
        "classic-serialized",
        """
        process Begin at /user/front
          process Ping at /user/back from /user/front
            process Pong at /user/front from /user/back
        """);
  }

  @Test
  void tell_toAChildNotYetStarted_chains() {
    run.assertTraces(
        "classic-child",
        """
        process Begin at /user/front
          process Ping at /user/front/child from /user/front
            process Pong at /user/front from /user/front/child
        """);
  }

  @Test
  void tell_twiceFromOutside_areTwoTraces() {
    run.assertTraces(
        "classic-outside",
        """
        process Work at /user/front
        process Work at /user/front
        """);
    assertThat(run.spansOf("classic-outside"))
        .extracting(ReceivedSpan::traceId)
        .doesNotHaveDuplicates();
  }

  @Test
  void poisonPill_makesNoSpan_terminatedIsATraceOfItsOwn() {
    run.assertTraces(
        "stop-by-pill",
        """
        process Begin at /user/watcher
        process Terminated at /user/watcher from /user/watcher/child
        """);
  }
}
