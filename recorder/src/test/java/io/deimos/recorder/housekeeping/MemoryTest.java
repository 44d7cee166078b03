// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.housekeeping;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.hooks.Hooks;
import io.deimos.recorder.hooks.Woven;
import io.deimos.recorder.ring.Lanes;
import io.deimos.recorder.ring.Ring;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MemoryTest {
  private static long bytes(Memory.Purpose purpose) {
    return Objects.requireNonNull(Memory.bytes().get(purpose));
  }

  @Test
  void bytes_ofAllWhoTakeSomething_areSummed() {
    long before = bytes(Memory.Purpose.STORE);
    Memory.add(Memory.Purpose.STORE, () -> 1000);
    Memory.add(Memory.Purpose.STORE, () -> 24);
    assertThat(bytes(Memory.Purpose.STORE) - before).isEqualTo(1024);
  }

  @Test
  void bytes_firstRecordOfAThread_takesARing() throws InterruptedException {
    ActorTelemetry actor =
        Actors.register("pekko://test/user/m", ActorKinds.of("test", "test.Weighed", false));
    for (int i = 0; i < Integer.SIZE; i++) {
      Lanes.trim(); // none is left that another test needed
    }
    long before = bytes(Memory.Purpose.RINGS);
    Thread thread =
        new Thread(
            () -> Hooks.end(Hooks.begin(actor, Woven.Envelope.sent(), "message", null, null)));
    thread.start();
    thread.join();
    assertThat(bytes(Memory.Purpose.RINGS) - before).isEqualTo(Ring.bytes(64));
  }
}
