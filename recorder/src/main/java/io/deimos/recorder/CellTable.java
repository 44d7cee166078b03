// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One thread's cells, found by the identity of a kind and a message class: open addressing, at most
 * half full, never shrinking.
 *
 * <p><b>Threads.</b> {@link #get} and {@link #at} belong to the owning thread; {@link #forEach} may
 * run on any, which sees a table as it was published last.
 */
final class CellTable implements CountedCells {
  private final SeriesBudget budget;

  /** The counts that folded pairs share, by actor system, one for each of the budget's buckets. */
  private final Map<String, long[][]> shared = new ConcurrentHashMap<>();

  private volatile @Nullable MessageCell[] cells = new MessageCell[64];
  private @Nullable MessageCell[] byIndex = new MessageCell[32];
  private int size;

  /** Within the process's budget for messages. */
  CellTable() {
    this(Recorder.messages());
  }

  CellTable(SeriesBudget budget) {
    this.budget = budget;
  }

  MessageCell get(ActorKind kind, Class<?> type) {
    @Nullable MessageCell[] table = cells;
    int mask = table.length - 1;
    int at = (System.identityHashCode(type) * 31 + kind.id() * 0x9E3779B9) >>> 7;
    for (MessageCell cell = table[at & mask]; cell != null; cell = table[++at & mask]) {
      if (cell.type == type && cell.kind == kind) {
        return cell;
      }
    }
    return add(kind, type);
  }

  /**
   * The cell of this number. A number instead of a reference is what a thread's state keeps, since
   * storing it needs no write barrier.
   */
  MessageCell at(int index) {
    return Objects.requireNonNull(byIndex[index]);
  }

  private MessageCell add(ActorKind kind, Class<?> type) {
    Rules rules = Recorder.rules();
    MessageCell added;
    // Until the cell is published the collecting thread must not move its pair.
    synchronized (budget) {
      added = add(budget.cell(type, kind, MessageClasses.of(type), size + 1, this));
    }
    if (Recorder.rules() != rules) {
      budget.rule(added, this); // they changed before the cell could be seen
    }
    return added;
  }

  private MessageCell add(MessageCell added) {
    size++;
    if (size == byIndex.length) {
      byIndex = Arrays.copyOf(byIndex, size * 2);
    }
    byIndex[size] = added;
    @Nullable MessageCell[] table = cells;
    if (size * 2 > table.length) {
      @Nullable MessageCell[] larger = new MessageCell[table.length * 2];
      for (MessageCell cell : table) {
        if (cell != null) {
          put(larger, cell);
        }
      }
      table = larger;
    }
    put(table, added);
    cells = table; // the volatile store publishes the cell
    return added;
  }

  private static void put(@Nullable MessageCell[] table, MessageCell cell) {
    int mask = table.length - 1;
    int at = (System.identityHashCode(cell.type) * 31 + cell.kind.id() * 0x9E3779B9) >>> 7;
    while (table[at & mask] != null) {
      at++;
    }
    table[at & mask] = cell;
  }

  /** The rules have changed; called by whoever changed them. */
  void rule() {
    for (MessageCell cell : cells) {
      if (cell != null) {
        budget.rule(cell, this);
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
      if (cell != null && cell.pair != null) {
        action.accept(cell.pair, cell);
      }
    }
  }
}
