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
import io.deimos.recorder.hooks.AskHooks;
import io.deimos.recorder.hooks.BufferHooks;
import io.deimos.recorder.hooks.ContextHooks;
import io.deimos.recorder.hooks.EventHooks;
import io.deimos.recorder.hooks.Woven;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The asks are the process's, so each test ends its own. */
class EntityAsksTest {
  private static final String SHARDING = "org.apache.pekko.cluster.sharding.";

  private final List<Ask> asked = new ArrayList<>();
  private final Woven.Ref region = ref("region", SHARDING + "ShardRegion");
  private final Woven.Ref shard = ref("region/1", SHARDING + "Shard");
  private final Woven.Ref entity = ref("region/1/entity", "test.Entity");

  private static Woven.Ref ref(String path, String className) {
    Woven.Ref ref = new Woven.Ref();
    ref.deimos$identity(
        Actors.register(
            "/system/sharding/" + path,
            ActorKinds.of("entity-asks", className, className.startsWith(SHARDING))));
    return ref;
  }

  private static ActorTelemetry of(Woven.Ref ref) {
    return (ActorTelemetry) Objects.requireNonNull(ref.deimos$identity());
  }

  @AfterEach
  void endAll() {
    asked.forEach(EntityAsks::ended);
    assertThat(EntityAsks.count()).isZero();
  }

  private Ask ask(Object target, boolean sampled) {
    ThreadState s = ThreadState.currentOrNew();
    Trace trace = new Trace(s.nextId(), s.nextId(), sampled, null);
    Ask ask = new Ask(trace, trace, null, 1, s.nextId(), Clock.now(), null, true, null);
    ask.asked(MessageClasses.of(String.class), target, 1);
    EntityAsks.asked(ask);
    asked.add(ask);
    return ask;
  }

  private Ask ask() {
    return ask(region, true);
  }

  /** Runs as one of Pekko's actors does, in the context of an ask. */
  private static void at(Woven.Ref actor, Ask ask, Runnable body) {
    Woven.in(
        ask.trace(),
        ask.spanId(),
        () -> {
          ThreadState s = ThreadState.currentOrNew();
          s.at.record.actor = of(actor);
          body.run();
        });
  }

  private static void deliver(@Nullable Object... found) {
    Frame s = EntityAsks.delivering();
    for (Object each : found) {
      EntityAsks.found(each);
    }
    if (s != null) {
      EntityAsks.delivered(s);
    }
  }

  /** The state of an ask as its time runs out. */
  private static String stateOf(Ask ask) {
    AskHooks.unanswered(ask, new TimeoutException());
    return Unanswered.state(ask, List.of());
  }

  @Test
  void ask_thatIsDelivered_isWithTheEntity() {
    Ask ask = ask();
    at(shard, ask, () -> deliver(entity));
    assertThat(stateOf(ask)).isEqualTo(Unanswered.PROCESSED);
    assertThat(ask.target()).isSameAs(entity);
    assertThat(ask.askedClass()).as("for the metrics").isEqualTo(SHARDING + "ShardRegion");
  }

  @Test
  void ask_toAnEntityThatStopped_saysSo() {
    Ask ask = ask();
    at(shard, ask, () -> deliver(entity));
    of(entity).stopped();
    assertThat(stateOf(ask)).isEqualTo(Unanswered.STOPPED);
  }

  @Test
  void shard_thatPutsOthersToRestAsItDelivers_hasFoundTheFirst() {
    Ask ask = ask();
    at(shard, ask, () -> deliver(entity, ref("region/1/other", "test.Entity")));
    assertThat(ask.whereabouts()).isSameAs(entity);
  }

  @Test
  void entity_thatIsLookedForOutsideOfADelivery_isNoneOfTheAsks() {
    Ask ask = ask();
    at(shard, ask, () -> EntityAsks.found(entity));
    assertThat(ask.whereabouts()).isNull();
  }

  @Test
  void delivery_ofAnotherMessage_isNoneOfTheAsks() {
    Ask ask = ask();
    Woven.in(ask.trace(), ask.spanId() + 1, () -> deliver(entity));
    Woven.in(new Trace(1, 2, true, null), ask.spanId(), () -> deliver(entity));
    deliver(entity);
    assertThat(ask.whereabouts()).isNull();
  }

  @Test
  void ask_inABuffer_isKeptUntilItIsSentOn() {
    Ask ask = ask();
    Woven.Callback node = new Woven.Callback();
    at(region, ask, () -> BufferHooks.kept(node));
    assertThat(Unanswered.state(ask, List.of())).isEqualTo(Unanswered.IN_BUFFER);
    ContextHooks.ran(Objects.requireNonNull(BufferHooks.sending(node)));
    assertThat(ask.whereabouts()).isNull();
    assertThat(stateOf(ask)).as("in the mailbox of the shard, say").isEqualTo(Unanswered.UNKNOWN);
  }

  @Test
  void ask_thatIsGivenUp_isDropped() {
    Ask ask = ask();
    at(region, ask, () -> EntityAsks.givenUp("the request"));
    assertThat(stateOf(ask)).isEqualTo(Unanswered.DROPPED);
    assertThat(ask.target()).isSameAs(region);
  }

  @Test
  void ask_thatIsGivenUpAsItIsTakenOutOfTheBuffer_isDropped() {
    Ask ask = ask();
    Woven.Callback node = new Woven.Callback();
    at(
        region,
        ask,
        () -> {
          BufferHooks.kept(node);
          Frame s = Objects.requireNonNull(BufferHooks.sending(node));
          EventHooks.dropped("shard handoff", "the request");
          ContextHooks.ran(s);
        });
    assertThat(stateOf(ask)).isEqualTo(Unanswered.DROPPED);
  }

  @Test
  void ask_thatLeaves_isWithTheOtherRegion() {
    Ask ask = ask();
    Object there = new RemoteTargetTest.ShapelessRemoteActorRef();
    at(region, ask, () -> EntityAsks.leaving(there, "the request"));
    at(region, ask, () -> EntityAsks.givenUp("the request"));
    assertThat(ask.whereabouts()).isSameAs(there);
    assertThat(stateOf(ask)).isEqualTo(Unanswered.REMOTE);
    assertThat(ask.target()).isSameAs(there);
  }

  @Test
  void whatTheEntityDoes_isNotDoneToTheRequest() {
    Ask ask = ask();
    at(shard, ask, () -> deliver(entity));
    for (Woven.Ref actor : List.of(entity, shard)) {
      at(actor, ask, () -> EntityAsks.leaving("elsewhere", "something"));
      at(actor, ask, () -> EntityAsks.givenUp("something"));
      at(actor, ask, () -> BufferHooks.kept(new Woven.Callback()));
    }
    assertThat(ask.whereabouts()).isSameAs(entity);
  }

  @Test
  void whatAnActorOfTheUsersDoes_whichHasNoSpan_isNotDoneToTheRequest() {
    Ask ask = ask();
    at(entity, ask, () -> EntityAsks.leaving("elsewhere", "something"));
    at(entity, ask, () -> EntityAsks.givenUp("something"));
    assertThat(ask.whereabouts()).isNull();
  }

  @Test
  void ask_toAnyoneElseOrWithoutASpan_isNotFollowed() {
    ask(entity, true);
    ask(new Object(), true);
    ask(region, false);
    assertThat(EntityAsks.count()).isZero();
  }

  @Test
  void ask_thatEnds_isLetGo() {
    Ask ask = ask();
    assertThat(EntityAsks.count()).isEqualTo(1);
    AskHooks.ended(ask, null, null);
    assertThat(EntityAsks.count()).isZero();
    AskHooks.ended(ask, null, null);
    assertThat(EntityAsks.count()).isZero();
  }

  @Test
  void ask_thatEndedBeforeItWasSent_isLetGo() {
    ThreadState s = ThreadState.currentOrNew();
    Trace trace = new Trace(s.nextId(), s.nextId(), true, null);
    Ask ask = new Ask(trace, trace, null, 1, s.nextId(), Clock.now(), null, true, null);
    ask.asked(MessageClasses.of(String.class), region, 1);
    AskHooks.ended(ask, null, null);
    EntityAsks.asked(ask);
    assertThat(EntityAsks.count()).isZero();
  }

  /** As when its actor system ended first. */
  @Test
  void ask_whoseRegionStopped_isLetGoByTheDrainer() {
    Ask other = ask(ref("other", SHARDING + "ShardRegion"), true);
    Ask ask = ask();
    of(region).stopped();
    EntityAsks.sweep();
    assertThat(EntityAsks.count()).isEqualTo(1);
    at(shard, ask, () -> deliver(entity));
    at(shard, other, () -> deliver(entity));
    assertThat(ask.whereabouts()).isNull();
    assertThat(other.whereabouts()).isSameAs(entity);
  }

  @Test
  void asks_beyondTheMost_areNotFollowed() {
    for (int i = 0; i <= EntityAsks.CAPACITY; i++) {
      ask();
    }
    assertThat(EntityAsks.count()).isEqualTo(EntityAsks.CAPACITY);
    Ask last = asked.get(EntityAsks.CAPACITY);
    at(shard, last, () -> deliver(entity));
    assertThat(stateOf(last)).isEqualTo(Unanswered.UNKNOWN);
  }
}
