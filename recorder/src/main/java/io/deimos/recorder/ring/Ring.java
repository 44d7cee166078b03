// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import io.deimos.recorder.base.Faults;
import io.deimos.recorder.counts.RecordCells;
import io.deimos.recorder.spans.Operation;
import io.deimos.recorder.spans.Rare;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of fixed-size records for one producer and one consumer: a chain of {@link
 * Chunk}s that the producer takes and the consumer gives back, so no thread pays for its growth.
 *
 * <p><b>Threads.</b> {@link #tryWrite} belongs to the dispatcher thread that owns the ring, and
 * never waits; {@link #drain} belongs to the drainer, {@link #count} to whoever holds the cells'
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
 * <p><b>Order.</b> The record, its rare object and the link to its chunk are written with plain
 * stores and published by the release store of {@code tail}; the consumer's acquire load of {@code
 * tail} therefore sees all of them. {@code head} works the same way back. {@code counted} lies
 * between the two. A chunk is given back when the first record of the next one is drained: the
 * owner and who counts have gone on by then.
 *
 * <p><b>Full.</b> A ring may hold as much as all the others have left it, up to the largest that
 * the {@link RingBudget} allows; then the newest record is dropped and counted. A caller that asks
 * {@link #thins} before a trace begins keeps half for traces that have begun. An actor never waits.
 * A consumer that sleeps is woken when a sixteenth is full, so that what begins suddenly is not
 * lost.
 */
public final class Ring {
  static final int RECORD_LONGS = 8;

  static final int MAX_CAPACITY = 1 << 20;

  private static final int MASK = Chunk.RECORDS - 1;

  /** One part in so many of what the ring may hold wakes the drainer. */
  private static final int WAKES = 16;

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

  private final RingBudget budget;
  private final @Nullable RecordCells cells;

  /** The position of the first record; those inside begin at 0. */
  private final long start;

  private Chunk writing;

  /** Those of {@link #writing}. */
  private long[] longs;

  private long tail;
  private long knownHead;

  /** With more records than this the ring is half full, as of the last look. */
  private long half;

  private long dropped;
  private long thinned;

  private Chunk counting;
  private long counted;

  private Chunk reading;
  private long head;
  private long hidden;

  /**
   * A ring with a budget of its own.
   *
   * @param most records: a power of two in [64, 1048576], 64 bytes each
   */
  Ring(int most) {
    this(most, null);
  }

  /**
   * @param cells where records are counted, before they are drained
   */
  Ring(int most, @Nullable RecordCells cells) {
    this(new RingBudget(4 * bytes(most), most), cells, 0, new Chunk());
  }

  /**
   * @param start where positions begin: where those of the ring before ended
   * @param first taken from the budget
   */
  Ring(RingBudget budget, @Nullable RecordCells cells, long start, Chunk first) {
    this.budget = budget;
    this.cells = cells;
    this.start = start;
    this.writing = first;
    this.longs = first.longs;
    this.counting = first;
    this.reading = first;
    this.half = budget.limit(0) / 2;
  }

  /** The bytes of so many records, without those beside them. */
  public static long bytes(long records) {
    return records * RECORD_LONGS * Long.BYTES;
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
    int index = (int) at & MASK;
    if (index == 0 && !looksForRoom(at)) {
      return false;
    }
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
      writing.put(index, rare);
    }
    TAIL.setRelease(this, at + 1);
    return true;
  }

  /**
   * Looks where the consumer is, once for the records of a chunk, and goes on in another; in the
   * same one if nothing waits in it.
   */
  private boolean looksForRoom(long at) {
    long read = (long) HEAD.getAcquire(this);
    long waiting = at - read;
    long limit = budget.limit(waiting);
    knownHead = read;
    half = limit / 2;
    if (waiting > limit / WAKES) {
      DrainerPause.end();
    }
    if (waiting > 0) {
      Chunk next = waiting < limit ? budget.take() : null;
      if (next == null) {
        return false;
      }
      writing.next = next;
      writing = next;
      longs = next.longs;
    }
    writing.from = at;
    return true;
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
    if (tail - knownHead <= half) {
      return false;
    }
    knownHead = (long) HEAD.getAcquire(this);
    half = budget.limit(tail - knownHead) / 2;
    if (tail - knownHead <= half) {
      return false;
    }
    THINNED.setOpaque(this, thinned + 1);
    return true;
  }

  /**
   * Hands at most {@code limit} records to the sink, oldest first.
   *
   * @return how many
   */
  int drain(SpanView view, SpanSink sink, int limit) {
    long from = head;
    long to = Math.min(count(), from + limit);
    Chunk chunk = reading;
    for (long at = from; at < to; at++) {
      int index = (int) at & MASK;
      if (index == 0 && chunk.from != at) {
        chunk = leave(chunk);
      }
      int i = index * RECORD_LONGS;
      boolean hasRare = (chunk.longs[i + 6] & FLAG_RARE) != 0;
      view.wrap(chunk.longs, i, hasRare ? chunk.takeRare(index) : null);
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
    reading = chunk;
    HEAD.setRelease(this, to);
    return (int) (to - from);
  }

  /** Gives back a chunk that has been read, and that the owner has left. */
  private Chunk leave(Chunk read) {
    Chunk next = Objects.requireNonNull(read.next);
    read.next = null;
    budget.giveBack(read);
    return next;
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
      Chunk chunk = counting;
      for (long at = counted; at < end; at++) {
        int index = (int) at & MASK;
        if (index == 0 && chunk.from != at) {
          chunk = Objects.requireNonNull(chunk.next);
        }
        int i = index * RECORD_LONGS;
        long[] of = chunk.longs;
        long word = of[i + 6];
        if ((word & (FLAG_ASK | FLAG_OPERATION)) == 0) {
          Rare rare = (word & FLAG_RARE) != 0 ? chunk.rare(index) : null;
          long sent = of[i + 4];
          try {
            to.add(
                (int) of[i + 7],
                (int) (word >>> 8) & 0xFFFF,
                word >>> 24,
                sent == 0 || (rare != null && rare.stashed()) ? -1 : of[i + 5] - sent,
                rare != null && rare.error() != null);
          } catch (Throwable t) {
            Faults.caught(t); // not counted, and drained all the same
          }
        }
      }
      counting = chunk;
      counted = end;
      return end;
    }
  }

  /** Lets the last chunk go; the ring has no owner any more, and nothing waits in it. */
  void letGo() {
    budget.giveBack(writing);
  }

  /** Records not yet drained. */
  long backlog() {
    return end() - read();
  }

  /** The position behind the last record. */
  long end() {
    return start + (long) TAIL.getAcquire(this);
  }

  /** The position up to which records have been taken out. */
  long read() {
    return start + (long) HEAD.getAcquire(this);
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
