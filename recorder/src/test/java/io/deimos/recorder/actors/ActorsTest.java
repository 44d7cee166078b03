// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.hooks.Hooks;
import io.deimos.recorder.hooks.LifecycleHooks;
import io.deimos.recorder.hooks.Woven;
import io.deimos.recorder.housekeeping.Drainer;
import io.deimos.recorder.ring.Lanes;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Rare;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
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
  void restarts_ofOneActor_areItsOwnAndEndWithIt() {
    ActorTelemetry one = Actors.register("pekko://test/user/restarted", kind);
    ActorTelemetry other = Actors.register("pekko://test/user/other", kind);
    Actors.restarted(one);
    Actors.restarted(one);
    assertThat(Actors.restarts(one)).isEqualTo(2);
    assertThat(Actors.restarts(other)).isZero();
    Actors.retire(one);
    release(Clock.now());
    forgetAll();
    assertThat(Actors.byId(one.id())).isNull();
    ActorTelemetry next = Actors.register("pekko://test/user/next", kind);
    assertThat(Actors.restarts(next)).isZero();
  }

  @Test
  void madeAtSecond_newActor_isNow() {
    Clock.tick();
    long before = Clock.second();
    ActorTelemetry actor = Actors.register("pekko://test/user/new", kind);
    assertThat(Actors.madeAtSecond(actor)).isBetween(before, System.currentTimeMillis() / 1000);
  }

  private List<ActorTelemetry> stopped(int number, long now) {
    List<ActorTelemetry> actors = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      actors.add(Actors.register("pekko://test/user/" + i, kind));
    }
    actors.forEach(Actors::retire);
    release(now);
    return actors;
  }

  private static void release(long nowNanos) {
    Actors.release(nowNanos, Lanes::untilDrained, Drainer.isRunning());
  }

  private static void forgetAll() {
    release(Clock.now() + 2 * Actors.KEPT_NANOS);
  }

  @Test
  void release_fewStoppedActors_areKeptForAWhileThenFreed() {
    forgetAll();
    long now = Clock.now();
    List<ActorTelemetry> actors = stopped(100, now);
    release(now + Actors.KEPT_NANOS - 1);
    assertThat(actors).allSatisfy(a -> assertThat(Actors.byId(a.id())).isSameAs(a));
    release(now + Actors.KEPT_NANOS + 1);
    assertThat(actors).allSatisfy(a -> assertThat(Actors.byId(a.id())).isNull());
    assertThat(actors).allMatch(ActorTelemetry::isReleased);
    assertThat(actors.get(7).path()).isEqualTo("pekko://test/user/7");
  }

  @Test
  void release_manyStoppedActors_theLastAreKept() {
    forgetAll();
    long before = Actors.taken();
    long now = Clock.now();
    for (int i = 0; i < 20; i++) {
      stopped(5000, now);
    }
    assertThat(Actors.taken() - before).isLessThanOrEqualTo(Actors.KEPT);
  }

  /** Twice in the row of those that have stopped, it would have no end. */
  @Test
  void stopped_toldTwice_isFreedOnce() {
    forgetAll();
    Woven.Cell cell = new Woven.Cell();
    LifecycleHooks.created(cell, new Woven.Ref(), "pekko://t/user/x", "t", Map.class, null, null);
    ActorTelemetry actor = cell.deimos$telemetry();
    long taken = Actors.taken();
    LifecycleHooks.stopped(cell);
    LifecycleHooks.stopped(cell);
    release(Clock.now());
    forgetAll();
    assertThat(Actors.taken()).isEqualTo(taken - 1);
    assertThat(actor).matches(ActorTelemetry::isReleased);
  }

  @Test
  void register_placeOfAStoppedActor_hasAnotherNumber() {
    List<ActorTelemetry> first = stopped(100, Clock.now());
    forgetAll();
    List<ActorTelemetry> second = stopped(100, Clock.now());
    Set<Integer> numbers = new HashSet<>();
    first.forEach(a -> numbers.add(a.id()));
    assertThat(second).allSatisfy(a -> assertThat(numbers).doesNotContain(a.id()));
    assertThat(second).allSatisfy(a -> assertThat(Actors.byId(a.id())).isSameAs(a));
  }

  @Test
  void register_moreActorsThanThereAreNumbers_allAreFound() {
    for (int round = 0; round < 200; round++) {
      List<ActorTelemetry> actors = stopped(10, Clock.now());
      assertThat(actors).allSatisfy(a -> assertThat(a.id()).isPositive());
      assertThat(actors).allSatisfy(a -> assertThat(Actors.byId(a.id())).isSameAs(a));
      forgetAll();
    }
  }

  @Test
  void release_recordOfAStoppedActorNotDrained_isKeptUntilItIs() throws InterruptedException {
    forgetAll();
    AtomicInteger room = new AtomicInteger();
    Map<Long, String> seen = new ConcurrentHashMap<>();
    SpanSink sink =
        new SpanSink() {
          @Override
          public void accept(SpanView span) {
            ActorTelemetry actor = span.actor();
            seen.put(span.spanId(), actor == null ? "" : actor.path());
          }

          @Override
          public int room() {
            return room.get();
          }
        };
    ActorTelemetry actor = Actors.register("pekko://test/user/late", kind);
    Frame s = Hooks.begin(actor, Woven.Envelope.sent(), "message", null, null);
    long span = s.spanId;
    try (Drainer drainer = new Drainer(sink)) {
      Hooks.end(s);
      Actors.retire(actor);
      release(Clock.now());
      drainer.start();
      forgetAll();
      room.set(Integer.MAX_VALUE);
      assertThat(drainer.drain(10_000)).isTrue();
      assertThat(seen).containsEntry(span, "pekko://test/user/late");
      forgetAll();
      assertThat(Actors.byId(actor.id())).isNull();
    }
  }

  @Test
  void begin_senderWhoseNumberIsAnothers_isNamedByReference() {
    ActorTelemetry sender = Actors.register("pekko://test/user/gone", kind);
    ActorTelemetry receiver = Actors.register("pekko://test/user/there", kind);
    Actors.retire(sender);
    release(Clock.now());
    forgetAll();
    List<String> senders = new ArrayList<>();
    Frame s = Hooks.begin(receiver, Woven.Envelope.sent(), "message", "ref", sender);
    long span = s.spanId;
    Hooks.end(s);
    ThreadState.currentOrNew()
        .lane()
        .drain(
            new SpanView(),
            view -> {
              Rare rare = view.rare();
              if (view.spanId() == span && rare != null) {
                senders.add(String.valueOf(rare.senderRef()));
              }
            },
            100_000);
    assertThat(senders).containsExactly("pekko://test/user/gone");
  }
}
