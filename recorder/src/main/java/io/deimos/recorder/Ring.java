// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A bounded ring of fixed-size records for one producer and one consumer. It allocates in its
 * constructor, and once more when the first rare object is written.
 *
 * <p><b>Threads.</b> {@link #tryWrite} belongs to the dispatcher thread that owns the ring, {@link
 * #drain} to the drainer. Both are wait-free. {@link #dropped} and {@link #written} may be read by
 * any thread.
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
 * What does not fit is a {@link Rare}, in an array beside, at the same index, when the flags say
 * so.
 *
 * <p><b>Order.</b> The record and its rare object are written with plain stores and published by
 * the release store of {@code tail}; the consumer's acquire load of {@code tail} therefore sees all
 * of them. {@code head} works the same way back.
 *
 * <p><b>Full.</b> The newest record is dropped and counted. An actor never waits for telemetry.
 */
final class Ring {
  static final int RECORD_LONGS = 8;

  /** Longest duration a record can hold, in nanoseconds; a longer one is cut to it. */
  static final long MAX_DURATION_NANOS = (1L << 40) - 1;

  static final int FLAG_RARE = 1;
  static final int FLAG_ASK = 2;

  private static final VarHandle TAIL;
  private static final VarHandle HEAD;
  private static final VarHandle DROPPED;
  private static final VarHandle HIDDEN;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      TAIL = lookup.findVarHandle(Ring.class, "tail", long.class);
      HEAD = lookup.findVarHandle(Ring.class, "head", long.class);
      HIDDEN = lookup.findVarHandle(Ring.class, "hidden", long.class);
      DROPPED = lookup.findVarHandle(Ring.class, "dropped", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final long[] longs;
  private final int capacity;
  private final int mask;
  private @Nullable Rare @Nullable [] rares;
  private long tail;
  private long knownHead;
  private long dropped;
  private long head;
  private long hidden;

  /**
   * @param capacity records: a power of two in [64, 1048576], 64 bytes each
   */
  Ring(int capacity) {
    if (capacity < 64 || capacity > 1 << 20 || Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException(
          "ring capacity " + capacity + " is not a power of two in [64, 1048576]");
    }
    this.capacity = capacity;
    this.mask = capacity - 1;
    this.longs = new long[capacity * RECORD_LONGS];
  }

  /** Writes one record; false, and one more {@link #dropped}, if the ring is full. */
  boolean tryWrite(
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
    if (at - knownHead >= capacity) {
      knownHead = (long) HEAD.getAcquire(this);
      if (at - knownHead >= capacity) {
        DROPPED.setOpaque(this, dropped + 1);
        return false;
      }
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
    long to = Math.min((long) TAIL.getAcquire(this), from + limit);
    for (long at = from; at < to; at++) {
      int index = (int) at & mask;
      Rare rare = null;
      if ((longs[index * RECORD_LONGS + 6] & FLAG_RARE) != 0 && rares != null) {
        rare = rares[index];
        rares[index] = null;
      }
      view.wrap(longs, index * RECORD_LONGS, rare);
      if (view.isHidden()) {
        HIDDEN.setOpaque(this, hidden + 1);
      } else {
        sink.accept(view);
      }
    }
    HEAD.setRelease(this, to);
    return (int) (to - from);
  }

  /** Records not yet drained. */
  long backlog() {
    return (long) TAIL.getAcquire(this) - (long) HEAD.getAcquire(this);
  }

  /** Records written so far, but for the self-test's. */
  long written() {
    return (long) TAIL.getOpaque(this) - (long) HIDDEN.getOpaque(this);
  }

  /** Records taken out so far, but for the self-test's. */
  long drained() {
    return (long) HEAD.getAcquire(this) - (long) HIDDEN.getOpaque(this);
  }

  long dropped() {
    return (long) DROPPED.getOpaque(this);
  }
}
