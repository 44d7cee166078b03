// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ActorTelemetryTest {
  private static ActorTelemetry of(ActorKind kind) {
    return Actors.unnumbered("pekko://named/user/a", kind);
  }

  @Test
  void className_ofAKindForMany_isTheActorsOwnEvenWhenItHasStopped() {
    ActorTelemetry actor = of(ActorKind.other("named"));
    assertThat(actor.className()).isEqualTo(ActorKinds.OTHER);
    actor.named("test.Own");
    assertThat(actor.className()).isEqualTo("test.Own");
    assertThat(actor.kind().className()).isEqualTo(ActorKinds.OTHER);
    actor.unsettled(new Object());
    assertThat(actor.unsettled()).isNull();
    actor.release(new PathTexts());
    assertThat(actor.className()).isEqualTo("test.Own");
  }

  @Test
  void className_ofAKindOfItsOwn_isTheKinds() {
    ActorTelemetry actor = of(ActorKinds.of("named", "test.Usual", false));
    actor.named("test.Usual");
    assertThat(actor.className()).isEqualTo("test.Usual");
    Object looked = new Object();
    actor.unsettled(looked);
    assertThat(actor.unsettled()).isSameAs(looked);
    actor.release(new PathTexts());
    assertThat(actor.unsettled()).isNull();
  }

  @Test
  void settle_intoAKindForMany_keepsTheNameAndMovesTheCount() {
    ActorKind other = ActorKind.other("named");
    ActorTelemetry actor = of(ActorKinds.provisional("named", ActorGroups.NONE, false));
    actor.unsettled(new Object());
    actor.started();
    actor.settle(other, "test.Behaviour");
    assertThat(actor.className()).isEqualTo("test.Behaviour");
    assertThat(actor.unsettled()).isNull();
    assertThat(other.live()).isEqualTo(1);
  }
}
