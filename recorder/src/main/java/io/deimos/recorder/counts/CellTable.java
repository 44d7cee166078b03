// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.InForce;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.actors.Rules;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One thread's cells, found by the identity of a kind and a message class: open addressing, at most
 * half full, never shrinking. A class that is loaded again takes the cell over from the class of
 * its name that is gone.
 *
 * <p><b>Threads.</b> {@link #get} and {@link #at} belong to the owning thread, which takes no lock:
 * {@link SeriesBudget} looks later at the cells that are new. {@link #forEach} and {@link #seen}
 * may be called by any thread, which sees a table as it was published last.
 */
public final class CellTable implements CountedCells {
  /** The counts that folded pairs share, by actor system, one for each of the budget's buckets. */
  private final Map<String, long[][]> shared = new ConcurrentHashMap<>();

  private volatile @Nullable MessageCell[] cells = new MessageCell[16];
  private @Nullable MessageCell[] byIndex = new MessageCell[8];

  /** True while there are cells that the budget has not seen. */
  private volatile boolean hasNew;

  private int size;

  public MessageCell get(ActorKind kind, Class<?> type) {
    @Nullable MessageCell[] table = cells;
    int mask = table.length - 1;
    int at = hash(System.identityHashCode(type), kind);
    for (MessageCell cell = table[at & mask]; cell != null; cell = table[++at & mask]) {
      if (cell.kind == kind && cell.refersTo(type)) {
        return cell;
      }
    }
    return add(kind, type);
  }

  /**
   * The cell of this number. A number instead of a reference is what a thread's state keeps, since
   * storing it needs no write barrier.
   */
  public MessageCell at(int index) {
    return Objects.requireNonNull(byIndex[index]);
  }

  /** The cell of this number, or null; by any thread. */
  public @Nullable MessageCell seen(int index) {
    @Nullable MessageCell[] known = byIndex;
    return index < known.length ? known[index] : null;
  }

  private MessageCell add(ActorKind kind, Class<?> type) {
    MessageClass message = MessageClasses.of(type);
    MessageCell orphan = orphan(kind, message);
    MessageCell added =
        orphan != null ? orphan.of(type) : new MessageCell(type, kind, message, ++size);
    Rules rules = InForce.rules();
    added.rule(rules);
    long[] counts = added.countsNow();
    publish(added, orphan);
    if (orphan != null) {
      added.follow(orphan, counts);
    }
    while (InForce.rules() != rules) { // they changed before the cell could be seen
      rules = InForce.rules();
      added.rule(rules);
    }
    hasNew = true;
    return added;
  }

  private @Nullable MessageCell orphan(ActorKind kind, MessageClass message) {
    for (MessageCell cell : cells) {
      if (cell != null
          && cell.kind == kind
          && cell.message.id() == message.id()
          && cell.isOrphan()) {
        return cell;
      }
    }
    return null;
  }

  /** One store of a whole table, so that a fold finds one of two cells that count together. */
  private void publish(MessageCell added, @Nullable MessageCell inPlaceOf) {
    if (added.index == byIndex.length) {
      byIndex = Arrays.copyOf(byIndex, added.index * 2);
    }
    byIndex[added.index] = added;
    @Nullable MessageCell[] table = cells;
    boolean grows = size * 2 > table.length;
    if (grows || inPlaceOf != null) {
      @Nullable MessageCell[] other = new MessageCell[grows ? table.length * 2 : table.length];
      for (MessageCell cell : table) {
        if (cell != null && cell != inPlaceOf) {
          put(other, cell);
        }
      }
      table = other;
    }
    put(table, added);
    cells = table; // the volatile store publishes the cell
  }

  private static int hash(int identity, ActorKind kind) {
    return (identity * 31 + kind.id() * 0x9E3779B9) >>> 7;
  }

  private static void put(@Nullable MessageCell[] table, MessageCell cell) {
    int mask = table.length - 1;
    int at = hash(cell.hash, cell.kind);
    while (table[at & mask] != null) {
      at++;
    }
    table[at & mask] = cell;
  }

  /** The rules have changed; called by whoever changed them. */
  public void rule() {
    for (MessageCell cell : cells) {
      if (cell != null) {
        cell.rule(InForce.rules());
      }
    }
    hasNew = true;
  }

  @Override
  public void forNew(Consumer<MessageCell> action) {
    if (!hasNew) {
      return;
    }
    hasNew = false;
    int length = cells.length; // the volatile load shows what was published with it
    for (int i = 1; i < length; i++) { // the first that came are the first to have a series
      MessageCell cell = seen(i);
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
    for (MessageCell cell : cells) {
      Pair pair = cell == null ? null : cell.pair;
      if (cell != null && pair != null) {
        action.accept(pair, cell);
      }
    }
  }
}
