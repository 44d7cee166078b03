// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.spans.Rare;
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

  /** Has a typed actor's class become known. */
  public static void settle(ActorTelemetry actor, String className) {
    actor.settle(ActorKinds.of("shop", className, false), className);
  }
}
