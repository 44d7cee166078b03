// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import io.deimos.remote.FlushReason;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes to write to a connection, and whose turn it is to write.
 *
 * <p><b>Turns.</b> The event loop takes all that waits. A sender may write a frame itself when
 * nothing waits and nothing is under way; as long as it does, the event loop gets nothing. The rest
 * of a frame that the socket did not take is put before all that has come meanwhile when the turn
 * ends.
 *
 * <p><b>Epochs.</b> Each connection is one. A chunk of an earlier one that comes back, such as the
 * rest of a frame whose beginning went to a connection that has ended, is of no use for the next
 * and counts for nothing.
 *
 * <p><b>Threads.</b> Under the outbox's lock.
 */
final class ChunkQueue {
  private enum Turn {
    LOOP,
    SENDER
  }

  private final ByteBufAllocator buffers;
  private final Deque<Chunk> waiting = new ArrayDeque<>();
  private Turn turn = Turn.LOOP;
  private int epoch;

  /** The present epoch: what waits, and what is being written by either. */
  private long pendingBytes;

  ChunkQueue(ByteBufAllocator buffers) {
    this.buffers = buffers;
  }

  long pendingBytes() {
    return pendingBytes;
  }

  /** Whether a frame would be the first and only one. */
  boolean isClear() {
    return pendingBytes == 0;
  }

  /** Whether there is something that the event loop may take now. */
  boolean isDue() {
    return turn == Turn.LOOP && !waiting.isEmpty();
  }

  boolean isSendersTurn() {
    return turn == Turn.SENDER;
  }

  void add(Chunk chunk) {
    chunk.epoch = epoch;
    waiting.addLast(chunk);
    pendingBytes += chunk.bytes();
  }

  /** Copies a frame, given from the buffer's position to its limit. */
  void append(ByteBuffer frame) {
    int bytes = frame.remaining() + Integer.BYTES;
    Chunk last = waiting.peekLast();
    if (last == null || last.buffer.writableBytes() < bytes) {
      last = new Chunk(buffers.directBuffer(Math.max(bytes, Chunk.BYTES)), 0, FlushReason.DRAINED);
      last.epoch = epoch;
      waiting.addLast(last);
    }
    last.append(frame);
    pendingBytes += bytes;
  }

  /** All that waits, to be written and then told of to {@link #written}; nothing out of turn. */
  void take(List<Chunk> batch) {
    if (isDue()) {
      batch.addAll(waiting);
      waiting.clear();
    }
  }

  /** A chunk that was taken is in the socket, or never will be. */
  void written(Chunk chunk) {
    if (chunk.epoch == epoch) {
      pendingBytes -= chunk.bytes();
    }
  }

  /** The number of the present connection. */
  int epoch() {
    return epoch;
  }

  /** Begins a turn; only if the queue is clear. */
  void beginSendersTurn(int bytes) {
    turn = Turn.SENDER;
    pendingBytes += bytes;
  }

  /**
   * Ends a sender's turn.
   *
   * @param begun the epoch in which it began
   * @param bytes of the whole frame
   * @param rest what the socket did not take of it
   * @return whether the rest is waiting now; otherwise it still is the caller's
   */
  boolean endSendersTurn(int begun, int bytes, @Nullable Chunk rest) {
    if (begun != epoch) {
      return false;
    }
    turn = Turn.LOOP;
    pendingBytes -= bytes;
    if (rest == null) {
      return false;
    }
    rest.epoch = epoch;
    waiting.addFirst(rest);
    pendingBytes += rest.bytes();
    return true;
  }

  /** Begins a new epoch and answers how many frames are lost with the old one. */
  int drop() {
    int frames = 0;
    for (Chunk chunk : waiting) {
      frames += chunk.frames();
      chunk.buffer.release();
    }
    waiting.clear();
    turn = Turn.LOOP;
    pendingBytes = 0;
    epoch++;
    return frames;
  }

  @Override
  public String toString() {
    return turn + "'s turn of connection " + epoch + ", " + waiting + ", pending " + pendingBytes;
  }
}
