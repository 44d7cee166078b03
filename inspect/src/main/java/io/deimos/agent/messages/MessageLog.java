// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.messages;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The last messages of all actors, in the order in which the drainer has met them.
 *
 * <p><b>Threads.</b> The drainer writes. Any thread may read: it copies a record, and then looks
 * whether the drainer may have been at that place meanwhile.
 *
 * <p><b>Record.</b> A {@link MessageRecord}, in chunks that are made when they are first needed.
 *
 * <p><b>Full.</b> The newest record takes the place of the oldest.
 */
public final class MessageLog {
  private static final int LONGS = MessageRecord.LONGS;
  public static final int RECORD_BYTES = LONGS * Long.BYTES;

  private static final int CHUNK = 1 << 12;
  private static final long MOST = 1L << 24;

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
  public MessageLog(long bytes) {
    long most = Math.max(1, Math.min(MOST, bytes / RECORD_BYTES) / CHUNK);
    capacity = (int) most * CHUNK;
    chunks = new Chunk[capacity / CHUNK];
  }

  /** Adds one message. */
  public void add(MessageRecord record) {
    long number = written;
    int place = (int) (number % capacity);
    Chunk chunk = chunks[place / CHUNK];
    if (chunk == null) {
      chunk = new Chunk();
      chunks[place / CHUNK] = chunk;
    }
    System.arraycopy(record.longs, 0, chunk.longs, place % CHUNK * LONGS, LONGS);
    WRITTEN.setRelease(this, number + 1);
    VarHandle.storeStoreFence(); // the next record is not written before this one is counted
  }

  /** How many records have been written so far. */
  public long written() {
    return (long) WRITTEN.getAcquire(this);
  }

  /** How many there is room for. */
  public int capacity() {
    return capacity;
  }

  /**
   * Copies a record.
   *
   * @param number from 0
   * @return false if it is not there any more
   */
  public boolean copy(long number, MessageRecord to) {
    int place = (int) (number % capacity);
    Chunk chunk = chunks[place / CHUNK];
    if (chunk == null) {
      return false;
    }
    System.arraycopy(chunk.longs, place % CHUNK * LONGS, to.longs, 0, LONGS);
    VarHandle.loadLoadFence();
    return written() - number < capacity;
  }

  /** The bytes that it takes now. */
  public long bytes() {
    return Math.min(capacity, (written() + CHUNK - 1) / CHUNK * CHUNK) * RECORD_BYTES;
  }

  private static final class Chunk {
    final long[] longs = new long[CHUNK * LONGS];
  }
}
