// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.ring.Lane;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Operation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LifecycleSpansTest {
  private final ActorTelemetry parent = actor("shop.Parent", false);
  private final ActorTelemetry child = actor("shop.Child", false);

  private static ActorTelemetry actor(String className, boolean silent) {
    return Actors.register("/user/a", ActorKinds.of("lifecycle", className, silent));
  }

  @BeforeEach
  void turnOn() {
    LifecycleSpans.turn(true);
    drained();
  }

  @AfterEach
  void turnOff() {
    LifecycleSpans.turn(false);
  }

  /** Words of the operations recorded so far, with whether they lie below a span. */
  private static List<String> drained() {
    Lane ring = ThreadState.currentOrNew().lane();
    List<String> found = new ArrayList<>();
    ring.drain(
        new SpanView(),
        view -> {
          Operation operation = view.rare() == null ? null : view.rare().operation();
          if (operation != null) {
            found.add(operation.kind().word() + (view.parentId() == 0 ? "" : " below"));
          }
        },
        1000);
    return found;
  }

  private void beginInMessage(Operation.Kind kind, ActorTelemetry actor) {
    Frame s = Hooks.begin(parent, Woven.Envelope.sent(), "m", null, null);
    LifecycleSpans.begins(kind, actor);
    Hooks.end(s);
  }

  @Test
  void startAndRestart_inAMessage_haveSpansBelowIt() {
    beginInMessage(Operation.Kind.START, child);
    LifecycleSpans.ends(Operation.Kind.START, child, null);
    beginInMessage(Operation.Kind.RESTART, child);
    LifecycleSpans.ends(Operation.Kind.RESTART, child, null);
    LifecycleSpans.ends(Operation.Kind.RESTART, child, null);
    assertThat(drained()).containsExactly("start below", "restart below");
  }

  @Test
  void actorThatStopsInstead_hasNone() {
    beginInMessage(Operation.Kind.RESTART, child);
    LifecycleSpans.stopped(child);
    LifecycleSpans.ends(Operation.Kind.RESTART, child, null);
    assertThat(drained()).isEmpty();
  }

  @Test
  void outsideOfMessages_pekkosOwnAndOff_haveNone() {
    LifecycleSpans.begins(Operation.Kind.START, child);
    LifecycleSpans.ends(Operation.Kind.START, child, null);
    ActorTelemetry pekkos = actor("org.apache.pekko.Any", true);
    beginInMessage(Operation.Kind.START, pekkos);
    LifecycleSpans.ends(Operation.Kind.START, pekkos, null);
    LifecycleSpans.turn(false);
    beginInMessage(Operation.Kind.START, child);
    LifecycleSpans.ends(Operation.Kind.START, child, null);
    assertThat(drained()).isEmpty();
  }

  @Test
  void failedToBeMade_offAndOn_hasASpanOfTheMaker() {
    LifecycleSpans.turn(false);
    Frame s = Hooks.begin(parent, Woven.Envelope.sent(), "m", null, null);
    Frame inside = s.thread().enter(s.trace(), s.spanId);
    LifecycleSpans.failed(s.thread(), child, new IllegalStateException("no"));
    LifecycleSpans.failed(
        s.thread(), actor("org.apache.pekko.Any", true), new IllegalStateException("no"));
    s.thread().leave(inside);
    Hooks.end(s);
    assertThat(drained()).containsExactly("start below");
    LifecycleSpans.turn(true);
    beginInMessage(Operation.Kind.RESTART, child);
    LifecycleSpans.failed(ThreadState.current(), child, new IllegalStateException("again"));
    LifecycleSpans.ends(Operation.Kind.RESTART, child, null);
    assertThat(drained()).containsExactly("restart below");
  }

  @Test
  void failedToBeMade_outsideOfAllTraces_hasNone() {
    LifecycleSpans.failed(ThreadState.current(), child, new IllegalStateException("no"));
    assertThat(drained()).isEmpty();
  }
}
