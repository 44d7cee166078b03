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
  void tell_twiceFromOutside_areTwoTraces() {
    assertThat(run.spansOf("classic-outside"))
        .extracting(ReceivedSpan::traceId)
        .doesNotHaveDuplicates();
  }
}
