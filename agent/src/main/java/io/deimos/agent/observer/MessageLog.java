// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The last messages of all actors, in the order in which the drainer has met them.
 *
 * <p><b>Threads.</b> The drainer writes. Any thread may read: it copies a record, and then looks
 * whether the drainer may have been at that place meanwhile.
 *
 * <p><b>Record.</b> Seven longs, 56 bytes, in chunks that are made when they are first needed:
 *
 * <pre>
 *   +0  first half of the trace id
 *   +1  second half
 *   +2  span id
 *   +3  sender's number (bits 32-63, 0 for none), receiver's (0-31)
 *   +4  when it was sent, 0 if not known
 *   +5  when processing began
 *   +6  its duration in ns (bits 24-63), message class (8-23), flags (0-7)
 * </pre>
 *
 * <p><b>Full.</b> The newest record takes the place of the oldest.
 */
final class MessageLog {
  static final int LONGS = 7;
  static final int RECORD_BYTES = LONGS * Long.BYTES;
  static final int FAILED = 1;

  private static final int CHUNK = 1 << 12;
  private static final long MOST_NANOS = (1L << 40) - 1;

  private static final VarHandle WRITTEN;

  static {
    try {
      WRITTEN = MethodHandles.lookup().findVarHandle(MessageLog.class, "written", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int capacity;
  private final @Nullable Chunk[] chunks;
  private long written;

  /**
   * @param bytes what it may take
   */
  MessageLog(long bytes) {
    long most = Math.max(CHUNK, Math.min(1 << 24, bytes / RECORD_BYTES));
    capacity = (int) Long.highestOneBit(most);
    chunks = new Chunk[capacity / CHUNK];
  }

  /** Adds one message. */
  void add(
      long hi,
      long lo,
      long spanId,
      int sender,
      int receiver,
      long sent,
      long start,
      long nanos,
      int message,
      boolean failed) {
    long number = written;
    int place = (int) number & (capacity - 1);
    Chunk chunk = chunks[place / CHUNK];
    if (chunk == null) {
      chunk = new Chunk();
      chunks[place / CHUNK] = chunk;
    }
    long[] to = chunk.longs;
    int at = place % CHUNK * LONGS;
    to[at] = hi;
    to[at + 1] = lo;
    to[at + 2] = spanId;
    to[at + 3] = (long) sender << 32 | Integer.toUnsignedLong(receiver);
    to[at + 4] = sent;
    to[at + 5] = start;
    to[at + 6] = Math.min(nanos, MOST_NANOS) << 24 | (long) message << 8 | (failed ? FAILED : 0);
    WRITTEN.setRelease(this, number + 1);
    VarHandle.storeStoreFence(); // the next record is not written before this one is counted
  }

  /** How many records have been written so far. */
  long written() {
    return (long) WRITTEN.getAcquire(this);
  }

  /** How many there is room for. */
  int capacity() {
    return capacity;
  }

  /**
   * Copies a record.
   *
   * @param number from 0
   * @return false if it is not there any more
   */
  boolean copy(long number, long[] to) {
    int place = (int) number & (capacity - 1);
    Chunk chunk = chunks[place / CHUNK];
    if (chunk == null) {
      return false;
    }
    System.arraycopy(chunk.longs, place % CHUNK * LONGS, to, 0, LONGS);
    VarHandle.loadLoadFence();
    return written() - number < capacity;
  }

  /** What it takes now. */
  long bytes() {
    return Math.min(capacity, (written() + CHUNK - 1) / CHUNK * CHUNK) * RECORD_BYTES;
  }

  private static final class Chunk {
    final long[] longs = new long[CHUNK * LONGS];
  }
}
