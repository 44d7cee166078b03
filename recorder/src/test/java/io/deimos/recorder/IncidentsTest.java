// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IncidentsTest {
  private final List<Incident> told = new ArrayList<>();

  @BeforeEach
  void listen() {
    Incidents.listener(told::add);
  }

  @AfterEach
  void leave() {
    Incidents.listener(null);
  }

  @Test
  void deadLetter_toAUsersActor_isTold() {
    Incidents.deadLetter("order", null, null, "ref", actor("shop.Cart", false));
    assertThat(told).singleElement().satisfies(i -> assertThat(i.name()).isEqualTo("dead_letter"));
    assertThat(told.get(0).facts())
        .containsEntry("pekko.message.class", "java.lang.String")
        .containsEntry("pekko.actor.class", "shop.Cart");
  }

  @Test
  void deadLetter_toNobodyKnown_isTold() {
    Incidents.deadLetter("order", null, null, "ref", null);
    assertThat(told).hasSize(1);
  }

  @Test
  void deadLetter_toAnActorOfPekko_isNotTold() {
    Incidents.deadLetter(
        "order", null, null, "ref", actor("org.apache.pekko.event.EventStreamUnsubscriber", true));
    assertThat(told).isEmpty();
  }

  @Test
  void deadLetters_moreThanASpanKeeps_areCountedOnIt() {
    Ring ring = java.util.Objects.requireNonNull(ThreadState.currentOrNew().lane().ring);
    ring.drain(new SpanView(), view -> {}, 1000);
    ActorTelemetry actor = actor("shop.Cart", false);
    ThreadState s = Hooks.begin(actor, Woven.Envelope.sent(), "m", null, null);
    for (int i = 0; i < 20; i++) {
      Incidents.deadLetter("order", null, null, "ref", actor);
    }
    Hooks.end(s);
    List<Incident> kept = new ArrayList<>();
    ring.drain(
        new SpanView(),
        view -> kept.addAll(java.util.Objects.requireNonNull(view.rare()).incidents()),
        1000);
    assertThat(kept).hasSize(17);
    assertThat(kept.get(15).name()).isEqualTo("dead_letter");
    assertThat(kept.get(16).name()).isEqualTo("more_incidents");
    assertThat(kept.get(16).facts()).containsEntry("count", "4");
  }

  private static ActorTelemetry actor(String className, boolean silent) {
    return Actors.register("/user/a", ActorKinds.of("incidents", className, silent));
  }
}
