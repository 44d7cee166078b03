// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import io.deimos.remote.FlushReason;
import io.deimos.remote.engine.core.TransportEngine;
import io.deimos.remote.engine.count.Counters;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.OutboundContext;
import org.jspecify.annotations.Nullable;

/**
 * An outgoing connection of one stream to one peer, and the connections that follow it, as those
 * who send on it see it. They share the {@link Outbox} with the event loop, to which all else
 * belongs ({@link LinkLoop}).
 *
 * <p><b>Life.</b> As in Artery: opened by the first frame, reopened by the first frame after a
 * pause that doubles up to five times {@code outbound-restart-backoff}; the control stream for
 * ever, the others three times in a row, then the owner is told. Frames that were under way when a
 * connection broke are lost and counted. A frame that its owner had begun to send by then comes in
 * the pause, and is the first that the next connection gets.
 *
 * <p><b>Batching.</b> The event loop takes all chunks that are there and flushes them with one
 * write. Frames that arrive during the write are the next batch. So an idle link flushes at once, a
 * busy one by the lengths of its writes. A sender may write a single frame itself, if nothing waits
 * before it, under a {@link Lease}.
 *
 * <p><b>Full.</b> When the link is full the owner leaves its messages in the association's queue,
 * where Artery's own bound and drop rule hold.
 *
 * <p><b>Threads.</b> Any.
 */
public final class OutboundLink {
  /** A frame of so many bytes is written where it was encoded, if it can be, to save a copy. */
  private static final int COSTLY_COPY_BYTES = Chunk.BYTES;

  /** Whether frames may be put in. */
  public enum Room {
    FREE,
    FULL,
    /** Never again. */
    CLOSED
  }

  /** Puts frames into a link. */
  public interface Owner {
    /** The link is beyond repair, or the peer ended it and no more attempts are due (null). */
    void ended(@Nullable Throwable failure);
  }

  public final Counters counters;

  private final ByteBufAllocator buffers;
  final LinkCounts counts;
  final Outbox outbox;
  final LinkLoop link;

  /** A link to a peer, without a connection yet. */
  public static OutboundLink of(
      TransportEngine engine, OutboundContext context, int streamId, Owner owner) {
    List<LinkListener> listeners = new ArrayList<>();
    listeners.add(new LinkLog(engine, context, streamId));
    if (streamId == ArteryTransport.ControlStreamId()
        && context instanceof Association association) {
      listeners.add(new IdleWatch(engine, association));
    }
    return new OutboundLink(
        new ArteryLinkWorld(engine, context.remoteAddress(), streamId),
        engine.counters(context.remoteAddress().toString(), "out", streamId),
        listeners,
        owner);
  }

  OutboundLink(LinkWorld world, Counters counters, List<LinkListener> listeners, Owner owner) {
    buffers = world.buffers();
    this.counters = counters;
    counts = new LinkCounts(counters);
    outbox = new Outbox(buffers);
    List<LinkListener> all = new ArrayList<>(listeners);
    all.add(counts);
    link = new LinkLoop(world, outbox, counts, all, owner);
  }

  public EventLoop loop() {
    return link.loop();
  }

  /** Whether the next frame would open a connection; then one is enough, as it may be lost. */
  public boolean isIdle() {
    return outbox.phase() == LinkState.Phase.IDLE;
  }

  /** Says whether frames may be put in; if not now, the waiter will run once, to ask again. */
  public Room parkIfFull(Runnable waiter) {
    return outbox.parkIfFull(waiter);
  }

  /**
   * Copies one frame, given from the buffer's position to its limit, behind those that wait. A
   * large one that nothing waits before is written at once, since that saves the copy.
   */
  public void append(ByteBuffer frame) {
    if (frame.remaining() + Integer.BYTES >= COSTLY_COPY_BYTES && writeNow(frame)) {
      return;
    }
    if (outbox.append(frame)) {
      link.wake();
    } else {
      counts.dropped(1);
    }
  }

  /** Takes a chunk over. On the event loop it is not looked after before {@link #flush}. */
  public void offer(ByteBuf buffer, int frames, FlushReason reason) {
    if (!outbox.add(new Chunk(buffer, frames, reason))) {
      counts.dropped(frames);
      buffer.release();
    } else if (!loop().inEventLoop()) {
      link.wake();
    }
  }

  /** Sends what was offered; only on the event loop, elsewhere it happens by itself. */
  public void flush() {
    if (loop().inEventLoop()) {
      link.runNow();
    }
  }

  /** Whether nothing waits before a frame that is brought to {@link #writeNow} at once. */
  public boolean isClear() {
    return outbox.isClear();
  }

  /**
   * Writes a frame, given from the buffer's position to its limit, on the calling thread, unless
   * anything waits before it; what the socket does not take is left to the event loop.
   *
   * @return false if nothing of it was taken
   */
  public boolean writeNow(ByteBuffer frame) {
    int bytes = frame.remaining() + Integer.BYTES;
    Lease lease = outbox.lease(bytes);
    if (lease == null) {
      return false;
    }
    long start = LinkCounts.start();
    Chunk unsent;
    try {
      unsent = send(lease, frame);
    } catch (Throwable e) { // an error as well: how much was written is not known
      counts.sent(bytes, start);
      failed(lease, e);
      return true;
    }
    counts.sent(bytes, start);
    giveBack(lease, bytes, unsent);
    return true;
  }

  /** Writes a frame under a lease; answers what the socket did not take. */
  @Nullable Chunk send(Lease lease, ByteBuffer frame) throws IOException {
    lease.socket().writeNow(frame);
    if (!frame.hasRemaining()) {
      return null;
    }
    ByteBuffer head = lease.socket().unwrittenHead();
    ByteBuf rest = buffers.directBuffer(head.remaining() + frame.remaining());
    return new Chunk(rest.writeBytes(head).writeBytes(frame), 1, FlushReason.IDLE);
  }

  /**
   * Nobody knows how much of a frame has left. The next bytes would be taken for the rest of it, so
   * the sender's turn ends with the connection.
   */
  void failed(Lease lease, Throwable failure) {
    counts.dropped(1);
    outbox.takeBack(lease);
    lease.connection().fail(failure);
  }

  /** Ends a sender's turn; what is left of its frame goes first. */
  void giveBack(Lease lease, int bytes, @Nullable Chunk unsent) {
    int left = unsent == null ? 0 : unsent.bytes();
    counts.inSocket(bytes - left, left == 0);
    switch (outbox.giveBack(lease, bytes, unsent)) {
      case DUE -> link.wake();
      case LOST -> {
        counts.dropped(1);
        if (unsent != null) {
          unsent.buffer.release();
        }
      }
      case NOTHING -> {}
    }
  }

  /**
   * Ends the link for good. Its content is still sent if there is a connection, unless the peer is
   * in quarantine.
   *
   * @param cause why its stream has ended; null if that was in order
   */
  public void close(@Nullable Throwable cause) {
    link.close(shut(cause));
  }

  /** Has nobody put in more; answers whether what is there is still to be sent. */
  boolean shut(@Nullable Throwable cause) {
    int dropped = outbox.close(cause == Association.OutboundStreamStopQuarantinedSignal$.MODULE$);
    boolean sends = dropped == Outbox.UNSENT;
    counts.dropped(sends ? 0 : dropped);
    outbox.takeReady().forEach(Runnable::run);
    return sends;
  }

  @Override
  public String toString() {
    return link + ", " + outbox;
  }
}
