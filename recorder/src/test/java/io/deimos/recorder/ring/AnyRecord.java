// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.trace.Link;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.woven.RefFields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes records of any shape and hands them to a sink, without allocating for it. */
public final class AnyRecord {
  private final Ring ring = new Ring(64);
  private final SpanView view = new SpanView();
  private final SpanSink sink;

  public AnyRecord(SpanSink sink) {
    this.sink = sink;
  }

  /** A message that waited for 1,500 ns and took 2,500. */
  public void write(
      long spanId,
      long parentId,
      MessageClass message,
      @Nullable ActorTelemetry actor,
      @Nullable ActorTelemetry sender,
      @Nullable Rare rare) {
    write(spanId, parentId, 1_000_001, 1_001_501, message, actor, sender, rare);
  }

  /** A message that took 2,500 ns; {@code sent} is 0 if that was not seen. */
  public void write(
      long spanId,
      long parentId,
      long sent,
      long start,
      MessageClass message,
      @Nullable ActorTelemetry actor,
      @Nullable ActorTelemetry sender,
      @Nullable Rare rare) {
    long ids = (sender == null ? 0 : (long) sender.id() << 32) | (actor == null ? 0 : actor.id());
    ring.tryWrite(
        0x0102030405060708L, -2, spanId, parentId, sent, start, 2_500, message.id(), 0, ids, rare);
    ring.drain(view, sink, 1);
  }

  /** An ask of 2,500 ns. */
  public void ask(
      long spanId,
      long parentId,
      MessageClass message,
      ActorTelemetry asked,
      @Nullable ActorTelemetry asker,
      @Nullable Link link) {
    ask(spanId, parentId, message, asker, beside(message, asked, link));
  }

  /** The same with what stands beside it, which {@link #beside} makes. */
  public void ask(
      long spanId,
      long parentId,
      MessageClass message,
      @Nullable ActorTelemetry asker,
      Rare beside) {
    long ids = asker == null ? 0 : (long) asker.id() << 32;
    int flag = Ring.FLAG_ASK;
    ring.tryWrite(9, -9, spanId, parentId, 0, 7, 2_500, message.id(), flag, ids, beside);
    ring.drain(view, sink, 1);
  }

  /** The rare parts beside the record of an ask. */
  public static Rare beside(MessageClass message, ActorTelemetry asked, @Nullable Link link) {
    Ask ask = new Ask(null, Trace.UNSAMPLED, link, 0, 1, 7, null, true, null);
    ask.asked(message, new Ref(asked), 1);
    return new Rare(null, null, null, ask, link, false, List.of(), null);
  }

  /** Pekko's reference to an actor. */
  private record Ref(ActorTelemetry to) implements RefFields {
    @Override
    public Object deimos$identity() {
      return to;
    }

    @Override
    public void deimos$identity(@Nullable Object given) {
      throw new UnsupportedOperationException();
    }
  }

  /** Has a typed actor's class become known. */
  public static void settle(ActorTelemetry actor, String className) {
    actor.settle(ActorKinds.of("shop", className, false), className);
  }
}
