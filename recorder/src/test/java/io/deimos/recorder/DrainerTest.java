// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
    Set<Long> written = ConcurrentHashMap.newKeySet();
    Thread thread = new Thread(() -> record(actor, 1, written));
    thread.start();
    thread.join();
    try (Drainer drainer = new Drainer(sink)) {
      drainer.start();
      assertThat(drainer.drain(20)).isFalse();
      assertThat(seen).as("a sink without room is given nothing").isEmpty();
      room.set(Integer.MAX_VALUE);
      assertThat(drainer.drain(10_000)).isTrue();
      assertThat(seen).containsAll(written);
    }
  }

  @Test
  void write_aQuarterOfARing_wakesTheDrainer() throws InterruptedException {
    int quarter = Recorder.config().ringCapacity() / 4;
    Set<Long> written = ConcurrentHashMap.newKeySet();
    CountDownLatch seen = new CountDownLatch(quarter);
    SpanSink sink =
        span -> {
          if (written.contains(span.spanId())) {
            seen.countDown();
          }
        };
    long hour = TimeUnit.HOURS.toNanos(1);
    try (Drainer drainer = new Drainer(sink, hour, hour)) {
      drainer.start();
      while (!Drainer.isAsleep()) {
        Thread.onSpinWait();
      }
      ActorTelemetry actor =
          Actors.register("pekko://test/user/q", ActorKinds.of("test", "test.Waking", false));
      Thread thread = new Thread(() -> record(actor, 2 * quarter, written));
      thread.start();
      thread.join();
      assertThat(seen.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static void record(ActorTelemetry actor, int messages, Set<Long> ids) {
    for (int i = 0; i < messages; i++) {
      ThreadState s =
          Hooks.begin(ThreadState.current(), actor, Woven.Envelope.sent(), "message", null, null);
      ids.add(s.spanId());
      Hooks.end(s);
    }
  }
}
