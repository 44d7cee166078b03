// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The sums of each actor's records: messages, processing time, failures, the rate of the last
 * seconds, and how long messages waited.
 *
 * <p><b>Threads.</b> The drainer writes. Any thread may read; what it reads may be some records
 * old, and of two numbers one may be newer than the other. {@link #publish} is when others see for
 * certain what was written.
 *
 * <p><b>Record.</b> Eight longs and {@value WaitBuckets#COUNT} shorts an actor, in sets of {@value
 * #WAYS}: a number leads to one set, and may lie anywhere within. A window is 4.3 s of the clock:
 * its upper 32 bits.
 *
 * <pre>
 *   +0  messages            +4  messages in the window
 *   +1  nanoseconds         +5  nanoseconds in the window
 *   +2  failures            +6  messages in the window before
 *   +3  the window          +7  nanoseconds in the window before
 * </pre>
 *
 * <p><b>Full.</b> A new actor takes the place of one in its set that is gone for good. Only if
 * there is none, the table grows, up to its bound: so its size follows the actors that live at
 * once, and not all that ever lived. Then one message in {@value #ADMITTED} of actors without a
 * place gets its actor one: that of the actor in its set which has had no message for longest, or
 * the fewest of late. So the busy ones stay, and a flood of new actors costs little. The others are
 * counted.
 */
public final class ActorStats {
  private static final int WAYS = 8;
  private static final int LONGS = 8;
  private static final int FIRST_CAPACITY = 256;

  /** When all is taken, one message in so many of actors without a place gets its actor one. */
  private static final int ADMITTED = 16;

  private static final double WINDOW_SECONDS = (1L << 32) / 1e9;

  /** The bytes of one actor, at most. */
  static final int SLOT_BYTES = Integer.BYTES + LONGS * Long.BYTES + WaitBuckets.BYTES;

  private final int mostCapacity;
  private final IntPredicate isGone;
  private Table table;
  private int size;
  private long letGo;
  private volatile Table published;
  private volatile int publishedSize;
  private volatile long publishedLetGo;

  /**
   * @param bytes what the table may take; while it grows to that, half of it more
   * @param isGone whether nobody can ask for an actor of this number any more
   */
  ActorStats(long bytes, IntPredicate isGone) {
    this.isGone = isGone;
    long most = Math.max(WAYS, Math.min(1 << 22, bytes / SLOT_BYTES));
    mostCapacity = (int) Long.highestOneBit(most);
    table = new Table(Math.min(FIRST_CAPACITY, mostCapacity));
    published = table;
  }

  /**
   * Adds one message.
   *
   * @param id the actor's number, not 0
   * @param waitNanos -1 if it is not known
   * @param end when it was processed, by the recorder's clock
   * @return whether the actor had no place before
   */
  boolean add(int id, long processingNanos, long waitNanos, boolean failed, long end) {
    Table to = table;
    int slot = to.find(id);
    boolean isNew = slot < 0;
    if (isNew) {
      slot = insert(id, end);
      to = table;
      if (slot < 0) {
        return true;
      }
    }
    int at = slot * LONGS;
    long[] longs = to.longs;
    longs[at]++;
    longs[at + 1] += processingNanos;
    if (failed) {
      longs[at + 2]++;
    }
    long window = end >> 32;
    long behind = window - longs[at + 3];
    if (behind > 0) {
      longs[at + 6] = behind == 1 ? longs[at + 4] : 0;
      longs[at + 7] = behind == 1 ? longs[at + 5] : 0;
      longs[at + 3] = window;
      longs[at + 4] = 1;
      longs[at + 5] = processingNanos;
    } else if (behind == 0) {
      longs[at + 4]++;
      longs[at + 5] += processingNanos;
    } else if (behind == -1) {
      longs[at + 6]++;
      longs[at + 7] += processingNanos;
    }
    if (waitNanos >= 0) {
      WaitBuckets.add(to.waits, slot, waitNanos);
    }
    return isNew;
  }

  private int insert(int id, long end) {
    int slot = free(id);
    while (slot < 0 && table.capacity() < mostCapacity) {
      table = table.doubled();
      slot = free(id);
    }
    if (slot >= 0) {
      size++;
    } else {
      letGo++;
      if (letGo % ADMITTED != 0) {
        return -1;
      }
      slot = table.leastBusy(id);
    }
    table.clear(slot, id, end >> 32);
    return slot;
  }

  /** A free place in the set of a new actor; -1 if all in it are taken by actors that are known. */
  private int free(int id) {
    int slot = table.free(id);
    if (slot < 0) {
      slot = table.gone(id, isGone);
      if (slot >= 0) {
        size--;
      }
    }
    return slot;
  }

  /** Makes what was added visible to all. */
  void publish() {
    published = table;
    publishedSize = size;
    publishedLetGo = letGo;
  }

  /** The figures of an actor; null if there are none. */
  @Nullable Reading read(int id, long now) {
    Table from = published;
    int slot = from.find(id);
    if (slot < 0) {
      return null;
    }
    long[] longs = Arrays.copyOfRange(from.longs, slot * LONGS, slot * LONGS + LONGS);
    Long waitP99 = WaitBuckets.quantile(from.waits, slot, 0.99);
    if (from.ids[slot] != id) {
      return null; // another actor took the place meanwhile
    }
    long behind = (now >> 32) - longs[3];
    long count = behind <= 0 ? longs[4] : 0;
    long nanos = behind <= 0 ? longs[5] : 0;
    long countBefore = behind <= 0 ? longs[6] : behind == 1 ? longs[4] : 0;
    long nanosBefore = behind <= 0 ? longs[7] : behind == 1 ? longs[5] : 0;
    double left = 1 - (now & 0xFFFFFFFFL) / (double) (1L << 32);
    return new Reading(
        longs[0],
        longs[1],
        longs[2],
        (countBefore * left + count) / WINDOW_SECONDS,
        Math.min(1, (nanosBefore * left + nanos) / (1L << 32)),
        waitP99);
  }

  /** How many actors have a place. */
  int size() {
    return publishedSize;
  }

  /** How many messages came of actors that found no place, or took that of another. */
  long letGo() {
    return publishedLetGo;
  }

  /** The bytes that the table takes now. */
  long bytes() {
    return (long) published.capacity() * SLOT_BYTES;
  }

  /**
   * The figures of one actor.
   *
   * @param messages that were recorded
   * @param nanos for which it processed them
   * @param failures messages whose processing threw
   * @param ratePerSecond over the last four to eight seconds
   * @param busyShare the share of that time for which it was processing, in [0, 1]
   * @param waitP99Nanos null if no wait is known
   */
  public record Reading(
      long messages,
      long nanos,
      long failures,
      double ratePerSecond,
      double busyShare,
      @Nullable Long waitP99Nanos) {}

  private static final class Table {
    final int[] ids;
    final long[] longs;
    final short[] waits;
    final int sets;

    Table(int capacity) {
      ids = new int[capacity];
      longs = new long[capacity * LONGS];
      waits = new short[capacity * WaitBuckets.COUNT];
      sets = capacity / WAYS;
    }

    int capacity() {
      return ids.length;
    }

    private int first(int id) {
      return ((id * 0x9E3779B9) >>> 8 & (sets - 1)) * WAYS;
    }

    int find(int id) {
      int first = first(id);
      for (int i = first; i < first + WAYS; i++) {
        if (ids[i] == id) {
          return i;
        }
      }
      return -1;
    }

    int free(int id) {
      int first = first(id);
      for (int i = first; i < first + WAYS; i++) {
        if (ids[i] == 0) {
          return i;
        }
      }
      return -1;
    }

    int gone(int id, IntPredicate isGone) {
      int first = first(id);
      for (int i = first; i < first + WAYS; i++) {
        if (isGone.test(ids[i])) {
          return i;
        }
      }
      return -1;
    }

    int leastBusy(int id) {
      int first = first(id);
      int least = first;
      for (int i = first + 1; i < first + WAYS; i++) {
        int a = i * LONGS;
        int b = least * LONGS;
        boolean older = longs[a + 3] < longs[b + 3];
        boolean fewer = longs[a + 4] + longs[a + 6] < longs[b + 4] + longs[b + 6];
        if (older || (longs[a + 3] == longs[b + 3] && fewer)) {
          least = i;
        }
      }
      return least;
    }

    void clear(int slot, int id, long window) {
      ids[slot] = 0;
      Arrays.fill(longs, slot * LONGS, slot * LONGS + LONGS, 0);
      WaitBuckets.clear(waits, slot);
      longs[slot * LONGS + 3] = window;
      ids[slot] = id;
    }

    /** Twice as large; each set becomes two. */
    Table doubled() {
      Table next = new Table(capacity() * 2);
      for (int i = 0; i < ids.length; i++) {
        if (ids[i] != 0) {
          int to = next.free(ids[i]);
          next.ids[to] = ids[i];
          System.arraycopy(longs, i * LONGS, next.longs, to * LONGS, LONGS);
          WaitBuckets.copy(waits, i, next.waits, to);
        }
      }
      return next;
    }
  }
}
