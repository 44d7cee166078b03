// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DrainerTest {
  @Test
  void drain_recordedBefore_isAtTheSinkAfter() throws InterruptedException {
    Set<Long> seen = ConcurrentHashMap.newKeySet();
    AtomicInteger room = new AtomicInteger(0);
    SpanSink sink =
        new SpanSink() {
          @Override
          public void accept(SpanView span) {
            seen.add(span.spanId());
          }

          @Override
          public int room() {
            return room.get();
          }
        };
    ActorTelemetry actor =
        Actors.register("pekko://test/user/d", ActorKinds.of("test", "test.Drained", false));
    long[] span = new long[1];
    Thread thread =
        new Thread(
            () -> {
              ThreadState s =
                  Hooks.begin(
                      ThreadState.current(), actor, Woven.Envelope.sent(), "message", null, null);
              span[0] = s.spanId();
              Hooks.end(s);
            });
    thread.start();
    thread.join();
    try (Drainer drainer = new Drainer(sink)) {
      drainer.start();
      assertThat(drainer.drain(20)).isFalse();
      assertThat(seen).as("a sink without room is given nothing").isEmpty();
      room.set(Integer.MAX_VALUE);
      assertThat(drainer.drain(10_000)).isTrue();
      assertThat(seen).contains(span[0]);
    }
  }
}
