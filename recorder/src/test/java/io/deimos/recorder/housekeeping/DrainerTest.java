// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.housekeeping;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.hooks.Hooks;
import io.deimos.recorder.hooks.Woven;
import io.deimos.recorder.ring.DrainerPause;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Rare;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
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
  void drain_whileMoreIsRecorded_waitsOnlyForWhatWasThere() throws InterruptedException {
    ActorTelemetry actor =
        Actors.register("pekko://test/user/b", ActorKinds.of("test", "test.Busy", false));
    Set<Long> seen = ConcurrentHashMap.newKeySet();
    Set<Long> before = ConcurrentHashMap.newKeySet();
    AtomicBoolean isWanted = new AtomicBoolean();
    AtomicReference<@Nullable Set<Long>> more = new AtomicReference<>(before);
    // Each record that arrives is followed by another: no pass finds the rings empty.
    SpanSink sink =
        span -> {
          seen.add(span.spanId());
          Set<Long> to = more.get();
          if (isWanted.get() && to != null) {
            record(actor, 1, to);
          }
        };
    try (Drainer drainer = new Drainer(sink)) {
      Thread thread = new Thread(() -> record(actor, 5, before));
      thread.start();
      thread.join();
      more.set(ConcurrentHashMap.newKeySet());
      isWanted.set(true);
      drainer.start();
      assertThat(drainer.drain(10_000)).isTrue();
      isWanted.set(false);
      assertThat(seen).containsAll(before);
    }
  }

  @Test
  void drain_byTwoAtOnce_bothReturn() throws InterruptedException {
    AtomicInteger room = new AtomicInteger(0);
    SpanSink sink =
        new SpanSink() {
          @Override
          public void accept(SpanView span) {}

          @Override
          public int room() {
            return room.get();
          }
        };
    ActorTelemetry actor =
        Actors.register("pekko://test/user/t", ActorKinds.of("test", "test.Twice", false));
    Thread thread = new Thread(() -> record(actor, 1, ConcurrentHashMap.newKeySet()));
    thread.start();
    thread.join();
    AtomicInteger drained = new AtomicInteger();
    try (Drainer drainer = new Drainer(sink)) {
      drainer.start();
      List<Thread> waiting = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Thread waits =
            new Thread(
                () -> {
                  try {
                    if (drainer.drain(30_000)) {
                      drained.incrementAndGet();
                    }
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
        waits.start();
        waiting.add(waits);
      }
      room.set(Integer.MAX_VALUE);
      for (Thread waits : waiting) {
        waits.join();
      }
    }
    assertThat(drained).hasValue(2);
  }

  @Test
  void drain_lastRecord_keepsNothingOfTheApplications() throws InterruptedException {
    ActorTelemetry actor =
        Actors.register("pekko://test/user/l", ActorKinds.of("test", "test.Last", false));
    AtomicReference<@Nullable Object> sender = new AtomicReference<>(new Object());
    Thread thread =
        new Thread(
            () ->
                Hooks.end(
                    Hooks.begin(
                        ThreadState.current(),
                        actor,
                        Woven.Envelope.sent(),
                        "message",
                        sender.get(),
                        null)));
    thread.start();
    thread.join();
    WeakReference<Object> kept = new WeakReference<>(sender.getAndSet(null));
    AtomicInteger shown = new AtomicInteger();
    SpanSink sink =
        span -> {
          Rare rare = span.rare();
          if (rare != null && rare.senderRef() != null && rare.senderRef() == kept.get()) {
            shown.incrementAndGet();
          }
        };
    try (Drainer drainer = new Drainer(sink)) {
      drainer.start();
      assertThat(drainer.drain(10_000)).isTrue();
      assertThat(shown).hasValue(1);
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
      while (kept.get() != null && System.nanoTime() < until) {
        System.gc();
        Thread.onSpinWait();
      }
      assertThat(kept.get()).isNull();
    }
  }

  @Test
  void accept_thatThrows_losesThatRecordAlone() throws InterruptedException {
    ActorTelemetry actor =
        Actors.register("pekko://test/user/f", ActorKinds.of("test", "test.Failing", false));
    Set<Long> written = ConcurrentHashMap.newKeySet();
    Set<Long> seen = ConcurrentHashMap.newKeySet();
    AtomicBoolean hasFailed = new AtomicBoolean();
    SpanSink sink =
        span -> {
          if (written.contains(span.spanId()) && hasFailed.compareAndSet(false, true)) {
            throw new AssertionError("as told");
          }
          seen.add(span.spanId());
        };
    Thread thread = new Thread(() -> record(actor, 10, written));
    thread.start();
    thread.join();
    long faults = Faults.count();
    try (Drainer drainer = new Drainer(sink)) {
      drainer.start();
      assertThat(drainer.drain(10_000)).isTrue();
    }
    written.removeAll(seen);
    assertThat(written).hasSize(1);
    assertThat(Faults.count()).isEqualTo(faults + 1);
  }

  @Test
  void write_aQuarterOfARing_wakesTheDrainer() throws InterruptedException {
    int quarter = Recorder.config().rings().capacity() / 4;
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
      while (!DrainerPause.isOn()) {
        Thread.onSpinWait();
      }
      ActorTelemetry actor =
          Actors.register("pekko://test/user/q", ActorKinds.of("test", "test.Waking", false));
      Thread thread = new Thread(() -> recordUntil(seen, actor, quarter, written));
      thread.start();
      boolean isWoken = seen.await(90, TimeUnit.SECONDS);
      thread.interrupt();
      thread.join();
      assertThat(isWoken).isTrue();
    }
  }

  /**
   * Three times at most, which is less than a ring, and each while the drainer rests: one at work
   * is not woken. A ring looks for readers once a quarter, and wakes one only if a whole quarter
   * waits; so if the drainer has read some by then, the next quarter may not be enough either.
   */
  private static void recordUntil(
      CountDownLatch seen, ActorTelemetry actor, int quarter, Set<Long> ids) {
    int times = 0;
    while (times < 3 && seen.getCount() > 0 && !Thread.currentThread().isInterrupted()) {
      if (DrainerPause.isOn()) {
        record(actor, quarter, ids);
        times++;
      } else {
        Thread.onSpinWait();
      }
    }
  }

  private static void record(ActorTelemetry actor, int messages, Set<Long> ids) {
    for (int i = 0; i < messages; i++) {
      Frame s =
          Hooks.begin(ThreadState.current(), actor, Woven.Envelope.sent(), "message", null, null);
      ids.add(s.spanId);
      Hooks.end(s);
    }
  }
}
