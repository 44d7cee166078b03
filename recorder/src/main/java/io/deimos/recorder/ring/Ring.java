// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import io.deimos.recorder.base.Faults;
import io.deimos.recorder.counts.RecordCells;
import io.deimos.recorder.spans.Operation;
import io.deimos.recorder.spans.Rare;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A bounded ring of fixed-size records for one producer and one consumer. It allocates in its
 * constructor, and once more when the first rare object is written.
 *
 * <p><b>Threads.</b> {@link #tryWrite} belongs to the dispatcher thread that owns the ring, and is
 * wait-free; {@link #drain} belongs to the drainer, {@link #count} to whoever holds the cells'
 * lock. {@link #dropped} and {@link #hidden} may be read by any thread.
 *
 * <p><b>Record.</b> Eight longs, 64 bytes, one cache line:
 *
 * <pre>
 *   +0  first half of the trace id
 *   +1  second half
 *   +2  span id, never 0
 *   +3  parent span id, 0 for a root
 *   +4  sent: Clock.now() when the message was sent, 0 if unknown
 *   +5  start: Clock.now() when it was taken out of the mailbox
 *   +6  duration in ns (bits 24-63, at most 18 minutes), message class (8-23), flags (0-7)
 *   +7  sender's actor number (bits 32-63, 0 for none), receiver's (0-31)
 * </pre>
 *
 * Facts that do not fit are a {@link Rare}, in an array beside, at the same index, when the flags
 * say so.
 *
 * <p><b>Order.</b> The record and its rare object are written with plain stores and published by
 * the release store of {@code tail}; the consumer's acquire load of {@code tail} therefore sees all
 * of them. {@code head} works the same way back. {@code counted} lies between the two, so what is
 * being counted is not written.
 *
 * <p><b>Full.</b> {@link #offer} says so, and its {@link Lane} goes on in a larger ring, whose
 * positions continue those of this one. If there is none to be had, the newest record is dropped
 * and counted. A caller that asks {@link #thins} before a trace begins keeps half for traces that
 * have begun. An actor never waits. A consumer that sleeps is woken when a quarter is full, so that
 * what begins suddenly is not lost.
 */
public final class Ring {
  static final int RECORD_LONGS = 8;

  static final int MAX_CAPACITY = 1 << 20;

  /** Longest duration a record can hold, in nanoseconds; a longer one is cut to it. */
  static final long MAX_DURATION_NANOS = (1L << 40) - 1;

  static final int FLAG_RARE = 1;
  public static final int FLAG_ASK = 2;

  /** The record is of an {@link Operation}. */
  public static final int FLAG_OPERATION = 4;

  private static final VarHandle TAIL;
  private static final VarHandle HEAD;
  private static final VarHandle DROPPED;
  private static final VarHandle HIDDEN;
  private static final VarHandle THINNED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      TAIL = lookup.findVarHandle(Ring.class, "tail", long.class);
      HEAD = lookup.findVarHandle(Ring.class, "head", long.class);
      HIDDEN = lookup.findVarHandle(Ring.class, "hidden", long.class);
      THINNED = lookup.findVarHandle(Ring.class, "thinned", long.class);
      DROPPED = lookup.findVarHandle(Ring.class, "dropped", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final long[] longs;
  private final int capacity;
  private final int mask;
  private final int quarter;
  private @Nullable Rare @Nullable [] rares;
  private final @Nullable RecordCells cells;

  /** The smaller ring that this one took over from, until it has been drained. */
  volatile @Nullable Ring before;

  private long counted;
  private long tail;
  private long knownHead;

  /** Up to here records are written without a look at the consumer. */
  private long limit;

  private long dropped;
  private long thinned;
  private long head;
  private long hidden;

  /**
   * @param capacity records: a power of two in [64, 1048576], 64 bytes each
   */
  Ring(int capacity) {
    this(capacity, null, 0);
  }

  /**
   * @param cells where records are counted, before they are drained
   * @param start where positions begin: where those of the ring before ended
   */
  Ring(int capacity, @Nullable RecordCells cells, long start) {
    if (capacity < 64 || capacity > MAX_CAPACITY || Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException(
          "ring capacity " + capacity + " is not a power of two in [64, 1048576]");
    }
    this.capacity = capacity;
    this.cells = cells;
    this.mask = capacity - 1;
    this.quarter = capacity / 4;
    this.longs = new long[capacity * RECORD_LONGS];
    this.tail = start;
    this.head = start;
    this.knownHead = start;
    this.counted = start;
    this.limit = start + quarter;
  }

  /** The bytes of a ring, without those beside its records. */
  public static long bytes(int capacity) {
    return (long) capacity * RECORD_LONGS * Long.BYTES;
  }

  int capacity() {
    return capacity;
  }

  /**
   * Writes one record; false, and one more {@link #dropped} unless it is the self-test's, if the
   * ring is full.
   */
  public boolean tryWrite(
      long hi,
      long lo,
      long spanId,
      long parentId,
      long sent,
      long start,
      long durationNanos,
      int messageId,
      int flags,
      long actors,
      @Nullable Rare rare) {
    return offer(
            hi, lo, spanId, parentId, sent, start, durationNanos, messageId, flags, actors, rare)
        || drop(messageId, actors);
  }

  /** Writes one record; false if the ring is full. */
  boolean offer(
      long hi,
      long lo,
      long spanId,
      long parentId,
      long sent,
      long start,
      long durationNanos,
      int messageId,
      int flags,
      long actors,
      @Nullable Rare rare) {
    long at = tail;
    if (at >= limit && !looksForRoom(at)) {
      return false;
    }
    int index = (int) at & mask;
    long[] to = longs;
    int i = index * RECORD_LONGS;
    to[i] = hi;
    to[i + 1] = lo;
    to[i + 2] = spanId;
    to[i + 3] = parentId;
    to[i + 4] = sent;
    to[i + 5] = start;
    to[i + 6] =
        (Math.min(durationNanos, MAX_DURATION_NANOS) << 24)
            | (long) messageId << 8
            | (rare == null ? flags : flags | FLAG_RARE);
    to[i + 7] = actors;
    if (rare != null) {
      rares()[index] = rare;
    }
    TAIL.setRelease(this, at + 1);
    return true;
  }

  /**
   * Looks where the consumer is, once for each quarter of the ring; a quarter that waits is worth
   * waking it.
   */
  private boolean looksForRoom(long at) {
    long read = (long) HEAD.getAcquire(this);
    knownHead = read;
    limit = Math.min(read + capacity, at + quarter);
    if (at - read >= quarter) {
      DrainerPause.end();
    }
    return at < limit;
  }

  /** Counts a record that finds no room, unless it is the self-test's; false. */
  boolean drop(int messageId, long actors) {
    if (!SpanView.isHidden((int) actors, messageId)) {
      DROPPED.setOpaque(this, dropped + 1);
    }
    return false;
  }

  /**
   * Whether a trace had better not begin now, since the ring is more than half full; that is
   * counted. The owner's alone.
   */
  public boolean thins() {
    int half = capacity / 2;
    if (tail - knownHead <= half) {
      return false;
    }
    knownHead = (long) HEAD.getAcquire(this);
    if (tail - knownHead <= half) {
      return false;
    }
    THINNED.setOpaque(this, thinned + 1);
    return true;
  }

  private @Nullable Rare[] rares() {
    @Nullable Rare[] r = rares;
    if (r == null) {
      r = new Rare[capacity];
      rares = r;
    }
    return r;
  }

  /**
   * Hands at most {@code limit} records to the sink, oldest first.
   *
   * @return how many
   */
  int drain(SpanView view, SpanSink sink, int limit) {
    long from = head;
    long to = Math.min(count(), from + limit);
    for (long at = from; at < to; at++) {
      int index = (int) at & mask;
      Rare rare = null;
      if ((longs[index * RECORD_LONGS + 6] & FLAG_RARE) != 0 && rares != null) {
        rare = rares[index];
        rares[index] = null;
      }
      view.wrap(longs, index * RECORD_LONGS, rare);
      try {
        if (view.isHidden()) {
          HIDDEN.setOpaque(this, hidden + 1);
        } else {
          sink.accept(view);
        }
      } catch (Throwable t) {
        Faults.caught(t); // the record is lost; that the others come is worth more
      }
    }
    HEAD.setRelease(this, to);
    return (int) (to - from);
  }

  /**
   * Counts what has been written since the last call. By any thread; a record is counted before it
   * is drained, whoever counts it.
   *
   * @return up to where there are records
   */
  long count() {
    RecordCells to = cells;
    if (to == null) {
      return (long) TAIL.getAcquire(this);
    }
    synchronized (to) {
      long end = (long) TAIL.getAcquire(this);
      for (long at = counted; at < end; at++) {
        int index = (int) at & mask;
        int i = index * RECORD_LONGS;
        long word = longs[i + 6];
        if ((word & (FLAG_ASK | FLAG_OPERATION)) == 0) {
          Rare rare = (word & FLAG_RARE) != 0 && rares != null ? rares[index] : null;
          long sent = longs[i + 4];
          try {
            to.add(
                (int) longs[i + 7],
                (int) (word >>> 8) & 0xFFFF,
                word >>> 24,
                sent == 0 || (rare != null && rare.stashed()) ? -1 : longs[i + 5] - sent,
                rare != null && rare.error() != null);
          } catch (Throwable t) {
            Faults.caught(t); // not counted, and drained all the same
          }
        }
      }
      counted = end;
      return end;
    }
  }

  /** Records not yet drained. */
  long backlog() {
    return end() - read();
  }

  /** The position behind the last record. */
  long end() {
    return (long) TAIL.getAcquire(this);
  }

  /** The position up to which records have been taken out. */
  long read() {
    return (long) HEAD.getAcquire(this);
  }

  /** Records of the self-test that have been taken out. */
  long hidden() {
    return (long) HIDDEN.getOpaque(this);
  }

  long thinned() {
    return (long) THINNED.getOpaque(this);
  }

  long dropped() {
    return (long) DROPPED.getOpaque(this);
  }
}
