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

  private static ActorTelemetry actor(String className, boolean silent) {
    return Actors.register("/user/a", ActorKinds.of("incidents", className, silent));
  }
}
