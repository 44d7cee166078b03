// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ActorsTest {
  private final ActorKind kind = ActorKinds.of("test", "test.Many", false);

  @Test
  void byId_liveActor_isFound() {
    ActorTelemetry actor = Actors.register("pekko://test/user/x", kind);
    assertThat(Actors.byId(actor.id())).isSameAs(actor);
    assertThat(actor.path()).isEqualTo("pekko://test/user/x");
  }

  @Test
  void byId_noSuchNumber_isNull() {
    assertThat(Actors.byId(0)).isNull();
    assertThat(Actors.byId(-1)).isNull();
    assertThat(Actors.byId(Integer.MAX_VALUE)).isNull();
  }

  @Test
  void release_stoppedActors_areKeptForAWhileThenFreed() {
    List<ActorTelemetry> actors = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      actors.add(Actors.register("pekko://test/user/" + i, kind));
    }
    long stopped = Clock.now();
    actors.forEach(Actors::retire);
    Actors.release(stopped);
    Actors.release(stopped + (Actors.KEEP_SECONDS - 1) * 1_000_000_000L);
    assertThat(actors).allSatisfy(a -> assertThat(Actors.byId(a.id())).isSameAs(a));
    Actors.release(stopped + (Actors.KEEP_SECONDS + 1) * 1_000_000_000L);
    assertThat(actors).allSatisfy(a -> assertThat(Actors.byId(a.id())).isNull());
  }
}
