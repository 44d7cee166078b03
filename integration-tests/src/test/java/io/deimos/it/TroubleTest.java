// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What goes wrong is told: as an event of the span, in a line of the log, in a metric. */
class TroubleTest {
  private static ScenarioRun run;

  @BeforeAll
  static void runAll() {
    run =
        ScenarioRun.run(
            Jdk.own(),
            "trouble",
            List.of("trouble-dead-letter", "classic-ask-timeout", "trouble-stuck"),
            AgentJvm.Builder::deimos,
            b ->
                b.property("deimos.stuck.threshold", "300ms")
                    .property("deimos.forensics.log-per-second", "1000")
                    .metricsEvery(Duration.ofMillis(200)));
  }

  private static String line(String incident, ReceivedSpan span) {
    return run.err().stream()
        .filter(l -> l.startsWith("deimos: incident=" + incident + " "))
        .filter(l -> l.contains("trace_id=" + span.traceId()))
        .filter(l -> l.contains("span_id=" + span.spanId()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no line " + incident + "\n" + run.transcript()));
  }

  @Test
  void deadLetter_tellsWhoSentWhatToWhomAndWhatBecameOfIt() {
    ReceivedSpan span = run.only("trouble-dead-letter", "process Begin");
    assertThat(span.event("dead_letter").attributes())
        .containsEntry("pekko.message.class", "scenarios.Messages$Ping")
        .containsEntry("pekko.actor.path", "pekko://trouble-dead-letter/user/back")
        .containsEntry("pekko.actor.class", "scenarios.Echo")
        .containsEntry("pekko.actor.state", "stopped")
        .containsEntry("pekko.sender.path", "pekko://trouble-dead-letter/user/front")
        .containsEntry("pekko.sender.class", "scenarios.Front");
    assertThat(line("dead_letter", span))
        .contains("pekko.actor.state=stopped", "pekko.sender.class=scenarios.Front");
  }

  @Test
  void askTimeout_tellsWhomItWentToAndWhetherItLives() {
    ReceivedSpan span =
        run.spansOf("classic-ask-timeout").stream()
            .filter(s -> s.name().startsWith("ask "))
            .findFirst()
            .orElseThrow();
    assertThat(span.event("ask_timeout").attributes())
        .containsEntry("pekko.message.class", "scenarios.Messages$Ping")
        .containsEntry("pekko.actor.class", "scenarios.ClassicAsks$Silent");
    assertThat(span.event("ask_timeout").attributes())
        .containsEntry("pekko.actor.state", "alive")
        .containsEntry("pekko.ask.target.state", "processed");
    assertThat(line("ask_timeout", span)).contains("pekko.actor.class=");
  }

  @Test
  void stuckActor_isToldWithItsStackWhileItIs() {
    ReceivedSpan span = run.only("trouble-stuck", "process Begin");
    ReceivedSpan.Event event = span.event("stuck");
    assertThat(event.atNanos()).isBetween(span.startNanos(), span.endNanos());
    assertThat(event.attributes())
        .containsEntry("pekko.actor.path", "pekko://trouble-stuck/user/front")
        .containsEntry("pekko.actor.class", "scenarios.Front");
    assertThat(event.attributes().get("code.stacktrace")).asString().contains("Troubles.dawdle");
    assertThat(line("stuck", span)).contains("Troubles.dawdle");
    assertThat(run.points()).anyMatch(p -> p.name().equals("pekko.actor.stuck") && p.value() >= 1);
  }
}
