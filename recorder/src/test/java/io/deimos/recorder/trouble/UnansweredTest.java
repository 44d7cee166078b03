// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.hooks.Woven;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnansweredTest {
  private final Trace trace = new Trace(5, 6, true, null);
  private final Woven.Ref target = new Woven.Ref();
  private final ActorTelemetry asked =
      Actors.register("/user/asked", ActorKinds.of("unanswered", "test.Asked", false));

  private Ask request() {
    Ask ask = new Ask(trace, trace, null, 1, 7, Clock.now(), null, true, null);
    target.deimos$identity(asked);
    ask.asked(MessageClasses.of(String.class), target, 1);
    return ask;
  }

  private static Woven.Envelope envelope(@Nullable Trace trace, long parent) {
    Woven.Envelope envelope = new Woven.Envelope();
    envelope.deimos$sent(trace, parent, 0);
    return envelope;
  }

  @Test
  void state_askInTheMailbox_neverGotIt() {
    assertThat(Unanswered.state(request(), List.of(envelope(null, 0), envelope(trace, 7))))
        .isEqualTo(Unanswered.IN_MAILBOX);
  }

  @Test
  void state_otherRequestsInTheMailbox_areNotIt() {
    assertThat(
            Unanswered.state(
                request(), List.of(envelope(trace, 8), envelope(new Trace(5, 9, true, null), 7))))
        .isEqualTo(Unanswered.PROCESSED);
  }

  @Test
  void state_actorThatStopped_isToldFirst() {
    Ask ask = request();
    asked.stopped();
    assertThat(Unanswered.state(ask, List.of(envelope(trace, 7)))).isEqualTo(Unanswered.STOPPED);
  }

  @Test
  void state_mailboxThatCannotBeLookedThrough_isUnknown() {
    List<Woven.Envelope> many = new ArrayList<>();
    for (int i = 0; i <= Unanswered.MAX_ENVELOPES; i++) {
      many.add(envelope(null, 0));
    }
    assertThat(Unanswered.state(request(), many)).isEqualTo(Unanswered.UNKNOWN);
    assertThat(Unanswered.state(request(), null)).isEqualTo(Unanswered.UNKNOWN);
    assertThat(Unanswered.state(request(), List.of("something else")))
        .isEqualTo(Unanswered.UNKNOWN);
  }

  @Test
  void of_queues_areLookedIntoIfTheyCanBe() {
    assertThat(WaitingEnvelopes.of(new ConcurrentLinkedQueue<>(List.of("a")))).isNotNull();
    assertThat(WaitingEnvelopes.of(new Object())).isNull();
    assertThat(WaitingEnvelopes.of(null)).isNull();
  }
}
