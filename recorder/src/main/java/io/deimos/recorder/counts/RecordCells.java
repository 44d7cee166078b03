// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.actors.InForce;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.base.Folds;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of messages with a span, counted from their records instead of in the actor's thread.
 *
 * <p><b>Threads.</b> Any; all methods want this object's lock to be held.
 *
 * <p>Found by kind and message class in a table with open addressing, at most half full.
 */
public final class RecordCells implements CountedCells {
  private final Map<String, long[][]> shared = new ConcurrentHashMap<>();
  private @Nullable MessageCell[] table = new MessageCell[256];
  private int size;

  /**
   * Counts one record.
   *
   * @param waitNanos -1 if unknown
   */
  public void add(
      int actorId, int messageId, long processingNanos, long waitNanos, boolean failed) {
    ActorTelemetry actor = Actors.byId(actorId);
    if (actor == null) {
      Folds.countLate(); // see Actors, Full
      return;
    }
    MessageCell cell = get(actor.kind(), messageId);
    if (cell.counted) {
      cell.add(processingNanos, waitNanos);
      if (failed) {
        cell.failed();
      }
    }
  }

  private MessageCell get(ActorKind kind, int messageId) {
    int mask = table.length - 1;
    int at = hash(kind, messageId);
    for (MessageCell cell = table[at & mask]; cell != null; cell = table[++at & mask]) {
      if (cell.message.id() == messageId && cell.kind == kind) {
        return cell;
      }
    }
    MessageCell added = new MessageCell(RecordCells.class, kind, MessageClasses.byId(messageId), 0);
    added.rule(InForce.rules());
    return add(added);
  }

  private MessageCell add(MessageCell added) {
    if (++size * 2 > table.length) {
      grow();
    }
    put(table, added);
    return added;
  }

  private void grow() {
    @Nullable MessageCell[] larger = new MessageCell[table.length * 2];
    for (MessageCell cell : table) {
      if (cell != null) {
        put(larger, cell);
      }
    }
    table = larger;
  }

  private static void put(@Nullable MessageCell[] to, MessageCell cell) {
    int mask = to.length - 1;
    int at = hash(cell.kind, cell.message.id());
    while (to[at & mask] != null) {
      at++;
    }
    to[at & mask] = cell;
  }

  private static int hash(ActorKind kind, int messageId) {
    return ((messageId * 31 + kind.id()) * 0x9E3779B9) >>> 7;
  }

  /** The rules have changed. */
  public synchronized void rule() {
    for (MessageCell cell : table) {
      if (cell != null) {
        cell.rule(InForce.rules());
      }
    }
  }

  @Override
  public void forNew(Consumer<MessageCell> action) {
    for (MessageCell cell : table) {
      if (cell != null && cell.pair == null && cell.hasCounted) {
        action.accept(cell);
      }
    }
  }

  @Override
  public Map<String, long[][]> shared() {
    return shared;
  }

  @Override
  public void forEach(BiConsumer<Pair, MessageCell> action) {
    for (MessageCell cell : table) {
      Pair pair = cell == null ? null : cell.pair;
      if (cell != null && pair != null) {
        action.accept(pair, cell);
      }
    }
  }
}
