// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.hooks.EventHooks;
import io.deimos.recorder.hooks.Hooks;
import io.deimos.recorder.hooks.Woven;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.ring.Lane;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IncidentsTest {
  private final List<Incident> told = new ArrayList<>();
  private boolean wanted = true;
  private int missed;

  @BeforeEach
  void listen() {
    Incidents.listener(
        new Incidents.Listener() {
          @Override
          public @Nullable Consumer<Incident> wants(EventName event, Incidents.Known known) {
            return wanted ? told::add : null;
          }

          @Override
          public void missed(EventName event, Incidents.Known known) {
            missed++;
          }
        });
  }

  @AfterEach
  void leave() {
    Incidents.tellWaiting();
    Incidents.listener(null);
  }

  @Test
  void deadLetter_toAUsersActor_isTold() {
    Incidents.deadLetter("order", null, null, null, "ref", actor("shop.Cart", false), false);
    assertThat(told).as("told on the thread on which it happened").isEmpty();
    Incidents.tellWaiting();
    assertThat(told)
        .singleElement()
        .satisfies(i -> assertThat(i.event()).isEqualTo(EventName.DEAD_LETTER));
    assertThat(told.get(0).facts())
        .containsEntry(Attribute.MESSAGE_CLASS, "java.lang.String")
        .containsEntry(Attribute.ACTOR_CLASS, "shop.Cart");
  }

  @Test
  void deadLetter_toNobodyKnown_isTold() {
    Incidents.deadLetter("order", null, null, null, "ref", null, false);
    Incidents.tellWaiting();
    assertThat(told).hasSize(1);
  }

  /** Incidents that wait to be told are bounded by their number, and so each must be small. */
  @Test
  void deadLetter_ofPathsWithoutEnd_isToldByTheirBeginnings() {
    String name = "pekko://shop/user/" + "n".repeat(1 << 20);
    ActorTelemetry recipient =
        Actors.register(name, ActorKinds.of("incidents", "shop.Cart", false));
    Incidents.deadLetter("order", null, "Actor[" + name + "#1]", null, "ref", recipient, false);
    Incidents.tellWaiting();
    assertThat(told.get(0).facts().values()).allMatch(fact -> fact.length() <= 1025);
    for (Attribute path : List.of(Attribute.ACTOR_PATH, Attribute.SENDER_PATH)) {
      assertThat(told.get(0).facts().get(path)).startsWith("pekko://shop/user/nn").endsWith("n…");
    }
  }

  @Test
  void deadLetter_toAnActorOfPekko_isNotTold() {
    Incidents.deadLetter(
        "order",
        null,
        null,
        null,
        "ref",
        actor("org.apache.pekko.event.EventStreamUnsubscriber", true),
        false);
    Incidents.tellWaiting();
    assertThat(told).isEmpty();
  }

  @Test
  void deadLetter_notWanted_costsNoFacts() {
    wanted = false;
    Object recipient =
        new Object() {
          @Override
          public String toString() {
            throw new AssertionError("asked for what nobody wants to know");
          }
        };
    Incidents.deadLetter("order", null, null, null, recipient, null, false);
    Incidents.tellWaiting();
    assertThat(told).isEmpty();
  }

  @Test
  void deadLetter_thatPekkoWrapped_isToldByWhatIsInside() {
    Incidents.deadLetter(
        new Object(), "order", null, null, "ref", actor("shop.Cart", false), false);
    Incidents.tellWaiting();
    assertThat(told.get(0).facts()).containsEntry(Attribute.MESSAGE_CLASS, "java.lang.String");
  }

  @Test
  void deadLetter_ofTheSelfTest_isNeitherToldNorCounted() {
    ActorTelemetry conductor = actor("io.deimos.pekko.selftest.Conductor", false);
    long before = EventHooks.deadLetters();
    Incidents.deadLetter("order", null, null, null, "ref", conductor, false);
    Incidents.deadLetter("order", null, null, conductor, "ref", null, false);
    EventHooks.deadLetter("order", null, null, conductor, false);
    EventHooks.deadLetter("order", null, conductor, null, false);
    Incidents.tellWaiting();
    assertThat(told).isEmpty();
    assertThat(EventHooks.deadLetters()).isEqualTo(before);
  }

  /** Metrics count these too, so the page can say how many it says no more of. */
  @Test
  void deadLetter_thatNobodyIsToldOf_isCounted() {
    long before = Incidents.untold(EventName.DEAD_LETTER);
    Incidents.deadLetter("m", null, null, null, "ref", actor("org.apache.pekko.X", true), false);
    Incidents.listener(null);
    Incidents.deadLetter("m", null, null, null, "ref", actor("shop.Cart", false), false);
    assertThat(Incidents.untold(EventName.DEAD_LETTER)).isEqualTo(before + 2);
  }

  @Test
  void deadLetter_thatAnswersAnAskTooLate_saysHowLate() {
    Ask ask =
        new Ask(null, new Trace(1, 2, true, null), null, 0, 0xab, Clock.now(), null, true, null);
    ask.asked(MessageClasses.of(String.class), "target", 1);
    Incidents.deadLetter("approved", null, null, null, "ref", ask, false);
    ask.end();
    Incidents.deadLetter("a second answer", null, null, null, "ref", ask, false);
    ask.targetState(Unanswered.PROCESSED);
    Incidents.deadLetter("approved", null, null, null, "ref", ask, false);
    Incidents.tellWaiting();
    assertThat(told.get(0).facts()).doesNotContainKey(Attribute.ASK_LATE);
    assertThat(told.get(1).facts()).doesNotContainKey(Attribute.ASK_LATE);
    assertThat(told.get(2).facts())
        .containsEntry(Attribute.ASK_SPAN, "00000000000000ab")
        .hasEntrySatisfying(
            Attribute.ASK_LATE, late -> assertThat(Double.parseDouble(late)).isNotNegative());
  }

  @Test
  void deadLetters_thatPekkoSuppresses_haveACountOfTheirOwn() {
    long before = EventHooks.deadLetters();
    long suppressed = EventHooks.suppressedDeadLetters();
    EventHooks.suppressed("order");
    EventHooks.deadLetter("order", null, null, null, false);
    assertThat(EventHooks.deadLetters()).isEqualTo(before + 1);
    assertThat(EventHooks.suppressedDeadLetters()).isEqualTo(suppressed + 1);
  }

  @Test
  void deadLetters_moreThanCanWait_areCounted() {
    for (int i = 0; i < 2000; i++) {
      Incidents.deadLetter("order", null, null, null, "ref", null, false);
    }
    Incidents.tellWaiting();
    assertThat(told.size() + missed).isEqualTo(2000);
    assertThat(missed).isPositive();
  }

  @Test
  void deadLetters_moreThanASpanKeeps_areCountedOnIt() {
    Lane ring = ThreadState.currentOrNew().lane();
    int ofOtherTests = 1;
    while (ofOtherTests > 0) {
      ofOtherTests = ring.drain(new SpanView(), view -> {}, 1000);
    }
    ActorTelemetry actor = actor("shop.Cart", false);
    Frame s = Hooks.begin(actor, Woven.Envelope.sent(), "m", null, null);
    for (int i = 0; i < 20; i++) {
      Incidents.deadLetter("order", null, null, null, "ref", actor, false);
    }
    Hooks.end(s);
    List<Incident> kept = new ArrayList<>();
    ring.drain(
        new SpanView(),
        view -> kept.addAll(java.util.Objects.requireNonNull(view.rare()).incidents()),
        1000);
    assertThat(kept).hasSize(17);
    assertThat(kept.get(15).event()).isEqualTo(EventName.DEAD_LETTER);
    assertThat(kept.get(16).event()).isEqualTo(EventName.MORE_INCIDENTS);
    assertThat(kept.get(16).facts()).containsEntry(Attribute.MORE, "4");
  }

  private static ActorTelemetry actor(String className, boolean silent) {
    return Actors.register("/user/a", ActorKinds.of("incidents", className, silent));
  }
}
