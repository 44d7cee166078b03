// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import io.deimos.remote.engine.link.LinkState.Phase;
import io.deimos.remote.engine.net.DirectSocket;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that a link's senders share with its event loop: what waits, whether there is room, and the
 * {@link Lease} that lets a sender write by itself.
 *
 * <p><b>Invariant.</b> If there is a lease, the link is open, the lease's connection is the present
 * one, and its header is in the socket. Each change of the phase but that to open takes the lease
 * back, and {@link #lend} is called for the present connection alone.
 *
 * <p><b>Threads.</b> Any, and nothing is called from inside. The phase is changed by the event loop
 * alone, but for {@link #close}, after which it does not change any more. {@link #parkIfFull} tests
 * and parks in one step: there is no moment for a wake-up to get lost in.
 *
 * <p><b>Full.</b> From {@value #HIGH_WATER_BYTES} bytes on until half of them are written. Without
 * a connection one frame is enough, as it may be lost.
 */
final class Outbox {
  /** The answer of {@link #take} while a sender writes. */
  static final long NOT_NOW = -1;

  /** The answer of {@link #close} if the open connection has to send what waits. */
  static final int UNSENT = -1;

  private static final int HIGH_WATER_BYTES = 1 << 20;
  private static final int LOW_WATER_BYTES = HIGH_WATER_BYTES / 2;

  /** The work that is left after a sender has written. */
  enum Rest {
    NOTHING,
    /** The event loop has to go on. */
    DUE,
    /** The connection has ended meanwhile: the rest of the frame is of no use and the caller's. */
    LOST
  }

  private final ChunkQueue queue;
  private final List<Runnable> waiters = new ArrayList<>();
  private Phase phase = Phase.IDLE;
  private @Nullable Lease lease;

  Outbox(ByteBufAllocator buffers) {
    queue = new ChunkQueue(buffers);
  }

  synchronized Phase phase() {
    return phase;
  }

  /** Says whether frames may be put in; if not now, the waiter will run once, to ask again. */
  synchronized OutboundLink.Room parkIfFull(Runnable waiter) {
    OutboundLink.Room room = room();
    if (room == OutboundLink.Room.FULL) {
      waiters.add(waiter);
    }
    return room;
  }

  private OutboundLink.Room room() {
    return switch (phase) {
      case OPEN ->
          queue.pendingBytes() < HIGH_WATER_BYTES ? OutboundLink.Room.FREE : OutboundLink.Room.FULL;
      case IDLE -> queue.isClear() ? OutboundLink.Room.FREE : OutboundLink.Room.FULL;
      case CONNECTING, PAUSING -> OutboundLink.Room.FULL;
      case CLOSED -> OutboundLink.Room.CLOSED;
    };
  }

  /** Those who waited for room, or for the end. */
  synchronized List<Runnable> takeReady() {
    if (waiters.isEmpty() || room() == OutboundLink.Room.FULL) {
      return List.of();
    }
    List<Runnable> ready = List.copyOf(waiters);
    waiters.clear();
    return ready;
  }

  /** Copies a frame, given from the buffer's position to its limit; false if it comes too late. */
  synchronized boolean append(ByteBuffer frame) {
    boolean takes = phase != Phase.CLOSED;
    if (takes) {
      queue.append(frame);
    }
    return takes;
  }

  /** Takes a chunk over; false if it comes too late, and then it still is the caller's. */
  synchronized boolean add(Chunk chunk) {
    boolean takes = phase != Phase.CLOSED;
    if (takes) {
      queue.add(chunk);
    }
    return takes;
  }

  /** Whether nothing waits before a frame that is written by its sender now. */
  synchronized boolean isClear() {
    return lease != null && queue.isClear();
  }

  /** The right to write a frame of so many bytes, until {@link #giveBack}; mostly null. */
  synchronized @Nullable Lease lease(int bytes) {
    Lease present = lease;
    if (present != null && queue.isClear()) {
      queue.beginSendersTurn(bytes);
      return present;
    }
    return null;
  }

  /**
   * Ends a sender's turn.
   *
   * @param bytes of the whole frame
   * @param unsent what the socket did not take of it
   */
  synchronized Rest giveBack(Lease given, int bytes, @Nullable Chunk unsent) {
    boolean waits = queue.endSendersTurn(given.epoch(), bytes, unsent);
    if (unsent != null && !waits) {
      return Rest.LOST;
    }
    return queue.isDue() || phase == Phase.CLOSED || (isLow() && !waiters.isEmpty())
        ? Rest.DUE
        : Rest.NOTHING;
  }

  /** Lends no more, and leaves the turn to the sender until the connection has ended. */
  synchronized void takeBack(Lease given) {
    if (given.epoch() == queue.epoch()) {
      lease = null;
    }
  }

  /** The present lease, whoever uses it. */
  synchronized @Nullable Lease present() {
    return lease;
  }

  private boolean isLow() {
    return queue.pendingBytes() <= LOW_WATER_BYTES;
  }

  /** Whether the link was idle and has something to send now, and so is connecting. */
  synchronized boolean beginIfDue() {
    if (phase != Phase.IDLE || !queue.isDue()) {
      return false;
    }
    phase = Phase.CONNECTING;
    return true;
  }

  /** The connection is there, unless it comes too late. */
  synchronized void opened() {
    if (phase == Phase.CONNECTING) {
      phase = Phase.OPEN;
    }
  }

  /** Lets senders write to the present connection, whose header is in the socket. */
  synchronized void lend(Connection connection, DirectSocket socket) {
    if (phase == Phase.OPEN) {
      lease = new Lease(connection, socket, queue.epoch());
    }
  }

  /**
   * All that waits, and those who waited for room, if there is enough.
   *
   * @return how many bytes are under way before it; {@link #NOT_NOW} if a sender is writing
   */
  synchronized long take(List<Chunk> batch, List<Runnable> ready) {
    if (queue.isSendersTurn()) {
      return NOT_NOW;
    }
    queue.take(batch);
    if (isLow()) {
      ready.addAll(takeReady());
    }
    long before = queue.pendingBytes();
    for (Chunk chunk : batch) {
      before -= chunk.bytes();
    }
    return before;
  }

  /** A chunk that was taken is in the socket, or never will be; answers who may go on. */
  synchronized List<Runnable> written(Chunk chunk) {
    queue.written(chunk);
    return isLow() ? takeReady() : List.of();
  }

  /** The connection is over: answers how many frames are lost with it. */
  synchronized int leave(Phase next) {
    lease = null;
    if (phase != Phase.CLOSED) {
      phase = next;
    }
    return queue.drop();
  }

  /** The pause after a loss is over. */
  synchronized void pauseOver() {
    if (phase == Phase.PAUSING) {
      phase = Phase.IDLE;
    }
  }

  /**
   * Ends the link for good.
   *
   * @param drops whether what waits is not to be sent any more
   * @return how many frames are lost with that; {@link #UNSENT} if the open connection has to send
   *     the rest
   */
  synchronized int close(boolean drops) {
    boolean sends = phase == Phase.OPEN && !drops;
    lease = null;
    boolean first = phase != Phase.CLOSED;
    phase = Phase.CLOSED;
    return sends ? UNSENT : first ? queue.drop() : 0;
  }

  @Override
  public synchronized String toString() {
    return phase + (lease == null ? "" : ", lent") + ", " + waiters.size() + " parked, " + queue;
  }
}
