// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.counts.AskMetrics;
import io.deimos.recorder.counts.MessageCell;
import io.deimos.recorder.hooks.AskHooks;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.woven.RefFields;
import org.jspecify.annotations.Nullable;

/** Makes records as dispatcher threads do, and hands them to a sink as the drainer does. */
public final class Records {
  private final Ring ring = new Ring(1 << 14);
  private final SpanView view = new SpanView();
  private final SpanSink sink;

  public Records(SpanSink sink) {
    this.sink = sink;
  }

  /** An actor with the class and path given. */
  public static ActorTelemetry actor(String path, String className) {
    return Actors.register(path, ActorKinds.of("shop", className, false));
  }

  public static MessageClass message(String name) {
    return MessageClasses.of(name);
  }

  /** One processed message, at once in the sink. */
  public void processed(
      long hi,
      long lo,
      long spanId,
      long parentId,
      long sent,
      long start,
      long durationNanos,
      @Nullable ActorTelemetry actor,
      @Nullable ActorTelemetry sender,
      @Nullable Rare rare) {
    long ids = (sender == null ? 0 : (long) sender.id() << 32) | (actor == null ? 0 : actor.id());
    int message = message("shop.Orders$Place").id();
    write(hi, lo, spanId, parentId, sent, start, durationNanos, message, 0, ids, rare);
  }

  /** A message of a millisecond, without an actor. */
  public void processed(long hi, long lo, long spanId, long parentId) {
    long now = Clock.now();
    processed(hi, lo, spanId, parentId, now - 2_000, now - 1_000, 1_000, null, null, null);
  }

  /** One processed message of this class, at once in the sink. */
  public void processed(ActorTelemetry actor, Class<?> message, long durationNanos) {
    long start = Clock.now() - durationNanos;
    int id = MessageClasses.of(message).id();
    write(1, 2, 3, 0, start - 1_000, start, durationNanos, id, 0, actor.id(), null);
  }

  /** One ask, at once in the sink. */
  public void asked(long hi, long lo, long spanId, long parentId, @Nullable Throwable error) {
    long now = Clock.now();
    Ask ask = request("Actor[pekko://shop/user/carts/cart-7#-12]");
    Rare rare = new Rare(error, null, null, ask);
    int message = message("shop.Cart$Get").id();
    write(hi, lo, spanId, parentId, now, now, 5_000, message, Ring.FLAG_ASK, 0, rare);
  }

  private static @Nullable Ask request(Object target) {
    Promise promise = new Promise();
    AskHooks.created(promise, null);
    Frame sending = AskHooks.send(AskHooks.ASK, promise.identity, target, "a request", 1);
    if (sending != null) {
      AskHooks.sent(sending);
    }
    return (Ask) promise.identity;
  }

  /** Counts one message of a millisecond that has waited for two, as this thread's own. */
  public static void counted(ActorKind kind, Class<?> message, boolean failed) {
    MessageCell cell = ThreadState.currentOrNew().lane().cells.get(kind, message);
    cell.add(1_000_000, 2_000_000);
    if (failed) {
      cell.failed();
    }
  }

  /** Counts a start of an actor, and a failure if there is one. */
  public static void counted(ActorKind kind, @Nullable Throwable failure) {
    kind.countStarted(1);
    if (failure != null) {
      kind.countFailed(failure);
    }
  }

  /** Counts one ask. */
  public static void counted(Class<?> request, boolean timedOut) {
    AskMetrics.add("shop.Asked", MessageClasses.of(request), 3_000_000, timedOut);
  }

  private void write(
      long hi,
      long lo,
      long spanId,
      long parentId,
      long sent,
      long start,
      long durationNanos,
      int message,
      int flags,
      long ids,
      @Nullable Rare rare) {
    ring.tryWrite(hi, lo, spanId, parentId, sent, start, durationNanos, message, flags, ids, rare);
    ring.drain(view, sink, 1);
  }

  /** An ask's temporary reference. */
  private static final class Promise implements RefFields {
    private @Nullable Object identity;

    @Override
    public @Nullable Object deimos$identity() {
      return identity;
    }

    @Override
    public void deimos$identity(@Nullable Object given) {
      identity = given;
    }
  }
}
