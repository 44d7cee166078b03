// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.counts.MessageCell;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.trouble.EntityAsks;
import io.deimos.recorder.woven.ContextFields;
import org.jspecify.annotations.Nullable;

/** Tells the self-test and user-facing code about the thread they run on. */
public final class Probe {
  private Probe() {}

  /** The span of the message being processed on this thread; 0 if none is being recorded. */
  public static long recordingSpan() {
    ThreadState s = ThreadState.current();
    return s != null && s.isRecording() ? s.spanId() : 0;
  }

  /** True while this thread is inside an actor's message or a registered callback. */
  public static boolean isActive() {
    ThreadState s = ThreadState.current();
    return s != null && s.isBusy();
  }

  /** The span that what this thread sends has for its parent; 0 for none. */
  public static long currentSpan() {
    ThreadState s = ThreadState.current();
    return s == null ? 0 : s.spanId();
  }

  /** The class under which the message being processed is recorded; null outside of all. */
  public static @Nullable String messageClass() {
    ThreadState s = ThreadState.current();
    MessageCell cell = s == null ? null : s.cell();
    return cell == null ? null : cell.message.name();
  }

  /** Gives something the context of this thread, as its hook would. */
  public static void giveContext(ContextFields to) {
    ThreadState s = ThreadState.current();
    if (s != null && s.isBusy()) {
      to.deimos$context(s.trace(), s.spanId());
    }
  }

  /** The kind behind an actor's identity, or null if there is none. */
  public static @Nullable ActorKind kind(@Nullable Object identity) {
    return identity instanceof ActorTelemetry telemetry ? telemetry.kind() : null;
  }

  /** True for an ask that was sent, and has ended or not as asked. */
  public static boolean isAsked(@Nullable Object identity, boolean ended) {
    return identity instanceof Ask ask && ask.request() != null && ask.hasEnded() == ended;
  }

  /** True for an ask that has its answer, or will have none. */
  public static boolean hasEnded(@Nullable Object identity) {
    return identity instanceof Ask ask && ask.hasEnded();
  }

  /**
   * Runs something in the context of an ask to a sharded entity.
   *
   * @param delivering whether as a shard does while it looks for the entity
   * @return the entity that was found, or null
   */
  public static @Nullable Object asking(boolean delivering, Runnable body) {
    ThreadState s = ThreadState.currentOrNew();
    Trace trace = new Trace(s.nextId(), s.nextId(), true, null);
    Ask ask = new Ask(null, trace, null, 0, s.nextId(), Clock.now(), null, true, null);
    EntityAsks.follow(ask);
    Frame in = s.enter(trace, ask.spanId());
    in.delivering = delivering ? ask : null;
    try {
      body.run();
    } finally {
      s.leave(in);
      EntityAsks.ended(ask);
    }
    return ask.whereabouts();
  }
}
