// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.spans.Rare;
import org.jspecify.annotations.Nullable;

/** A window on one record in a ring. Used again for the next record; keep nothing of it. */
public final class SpanView {
  private static final long[] NOTHING = new long[Ring.RECORD_LONGS];

  private long[] longs = NOTHING;
  private int at;
  private @Nullable Rare rare;
  private boolean known;
  private @Nullable ActorTelemetry actor;
  private @Nullable ActorTelemetry sender;

  /** Shows a record in a ring, whose actors are found by their numbers. */
  void wrap(long[] from, int index, @Nullable Rare beside) {
    longs = from;
    at = index;
    rare = LateIncidents.beside(from[index + 2], beside);
    known = false;
  }

  /** Shows a record that was copied, with its actors: their numbers may be others' by now. */
  void wrap(
      long[] from,
      int index,
      @Nullable Rare beside,
      @Nullable ActorTelemetry processedBy,
      @Nullable ActorTelemetry sentBy) {
    wrap(from, index, beside);
    known = true;
    actor = processedBy;
    sender = sentBy;
  }

  /** Shows nothing from now on, and keeps nothing of what it showed last. */
  public void letGo() {
    longs = NOTHING;
    at = 0;
    rare = null;
    known = false;
    actor = null;
    sender = null;
  }

  void copyTo(long[] to, int index) {
    System.arraycopy(longs, at, to, index, Ring.RECORD_LONGS);
  }

  public long traceHi() {
    return longs[at];
  }

  public long traceLo() {
    return longs[at + 1];
  }

  public long spanId() {
    return longs[at + 2];
  }

  /** 0 for a root. */
  public long parentId() {
    return longs[at + 3];
  }

  /** {@link Clock#now} at the send; the start if the send was not seen. */
  public long sent() {
    long sent = longs[at + 4];
    return sent == 0 ? start() : sent;
  }

  /** {@link Clock#now} when the message was taken out of the mailbox, or the ask begun. */
  public long start() {
    return longs[at + 5];
  }

  /** {@link Clock#now} at the end. */
  public long end() {
    return start() + (longs[at + 6] >>> 24);
  }

  public boolean isAsk() {
    return (longs[at + 6] & Ring.FLAG_ASK) != 0;
  }

  public MessageClass message() {
    return MessageClasses.byId((int) (longs[at + 6] >>> 8) & 0xFFFF);
  }

  /** The actor that processed the message; null for an ask. */
  public @Nullable ActorTelemetry actor() {
    return known ? actor : Actors.byId((int) longs[at + 7]);
  }

  /**
   * The actor that sent the message, if it has a cell in this process and had not ended long before
   * this record was written.
   */
  public @Nullable ActorTelemetry sender() {
    return known ? sender : Actors.byId((int) (longs[at + 7] >>> 32));
  }

  /** True for what the self-test did, which no sink is told of. */
  boolean isHidden() {
    return isHidden((int) longs[at + 7], (int) (longs[at + 6] >>> 8) & 0xFFFF);
  }

  static boolean isHidden(int actorId, int messageId) {
    ActorTelemetry actor = Actors.byId(actorId);
    return actor == null ? MessageClasses.byId(messageId).isHidden() : actor.kind().isHidden();
  }

  public @Nullable Rare rare() {
    return rare;
  }
}
