// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.in;

import io.deimos.remote.engine.count.Counters;
import io.deimos.remote.engine.count.Refusal;
import io.deimos.remote.engine.wire.BadFrameException;
import io.deimos.remote.engine.wire.ConnectionHeader;
import io.deimos.remote.engine.wire.EnvelopeHeader;
import io.deimos.remote.engine.wire.FrameGate;
import io.deimos.remote.engine.wire.PartialFrame;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.Association;
import org.jspecify.annotations.Nullable;

/**
 * An accepted connection: reads its header, finds the receiver of its stream, and passes bytes on.
 *
 * <p><b>Back-pressure.</b> A receiver reports bytes as they are taken and given back. At {@value
 * #HIGH_WATER_BYTES} bytes reading stops, at half of them it goes on. A thread that crosses a mark
 * looks again after setting the flag, so that no crossing is missed.
 *
 * <p><b>Strangers.</b> A wrong magic, an unknown stream, or no handshake in time closes the
 * connection. Until its peer is known, its frames are believed up to the limit of its stream, and
 * no long ones but of systems that have asked for a handshake.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures come to the handlers
public final class InboundConnection extends ChannelInboundHandlerAdapter implements FrameGate {
  static final int HIGH_WATER_BYTES = 1 << 20;
  static final int LOW_WATER_BYTES = HIGH_WATER_BYTES / 2;
  private static final String UNKNOWN_PEER = "unknown";

  final InboundShare share;
  public final Channel channel;
  private final AtomicLong heldBytes = new AtomicLong();
  private final AtomicBoolean paused = new AtomicBoolean();
  private final byte[] header = new byte[ConnectionHeader.BYTES];

  /** The use of its bytes. */
  private enum Phase {
    /** None before TLS has its session. */
    TLS,
    HEADER,
    FRAMES,
    OVER
  }

  private int headerBytes;
  private Phase phase;
  private @Nullable FrameReceiver receiver;
  private int stream;
  private @Nullable Future<?> deadline;

  private final EnvelopeHeader envelope = new EnvelopeHeader();

  /** A frame has been asked about with {@link #isOf}, and whose it was. The receiver's alone. */
  private boolean named;

  private long firstUid;

  /** Its owner, as the last frame said. */
  private volatile long lastUid;

  /** A frame has named the owner of the connection, who is the peer of an association. */
  private volatile boolean known;

  private final LongSupplier held = heldBytes::get;
  public volatile @Nullable Counters counters;

  public InboundConnection(InboundShare share, Channel channel) {
    this.share = share;
    this.channel = channel;
    phase = share.engine.tls.enabled() ? Phase.TLS : Phase.HEADER;
  }

  /** Begins to wait for its handshake. */
  public void accepted() {
    long patienceMillis = share.engine.settings.strangers().timeout().toMillis();
    deadline =
        channel
            .eventLoop()
            .schedule(
                () -> {
                  peerIs(lastUid); // which may have been said before the handshake was complete
                  if (!known) {
                    refuse(
                        Refusal.NO_HANDSHAKE,
                        "there was no handshake within " + patienceMillis + " ms");
                  }
                },
                patienceMillis,
                TimeUnit.MILLISECONDS);
  }

  /** The party on the other end of the wire; null if that cannot be told. */
  public @Nullable InetAddress address() {
    return channel.remoteAddress() instanceof InetSocketAddress address
        ? address.getAddress()
        : null;
  }

  /** The same for the log. */
  public String remote() {
    return String.valueOf(channel.remoteAddress());
  }

  public void tlsFinished(@Nullable Throwable failure) {
    if (failure == null) {
      phase = Phase.HEADER;
    } else {
      refuse(Refusal.TLS_FAILED, "of TLS: " + failure);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (phase == Phase.OVER || phase == Phase.TLS) {
      bytes.release();
      return;
    }
    try {
      FrameReceiver target = receiver;
      if (target == null) {
        target = readHeader(bytes);
      }
      if (target != null && bytes.isReadable()) {
        ReferenceCountUtil.retain(bytes);
        target.data(bytes);
      }
    } catch (BadFrameException e) {
      refuse(Refusal.BAD_FRAME, "it sent " + e.getMessage());
    } finally {
      bytes.release();
    }
  }

  private @Nullable FrameReceiver readHeader(ByteBuf bytes) {
    while (bytes.isReadable() && headerBytes < ConnectionHeader.BYTES) {
      header[headerBytes++] = bytes.readByte();
    }
    if (headerBytes < ConnectionHeader.BYTES) {
      return null;
    }
    int magic =
        (header[0] & 0xFF) << 24
            | (header[1] & 0xFF) << 16
            | (header[2] & 0xFF) << 8
            | (header[3] & 0xFF);
    if (!share.acceptedMagics.contains(magic)) {
      throw new BadFrameException(
          "%02x %02x %02x %02x instead of the magic, probably an accidental access"
              .formatted(header[0], header[1], header[2], header[3]));
    }
    int streamId = header[4];
    if (streamId < ArteryTransport.ControlStreamId()
        || streamId > ArteryTransport.LargeStreamId()) {
      throw new BadFrameException("a header for stream [" + streamId + "], which does not exist");
    }
    stream = streamId;
    count(share.engine.counters(UNKNOWN_PEER, "in", streamId));
    receiver = share.receivers.of(this, streamId);
    phase = Phase.FRAMES;
    moveTo(
        streamId == ArteryTransport.ControlStreamId()
            ? share.engine.loops.control()
            : share.engine.loops.data());
    return receiver;
  }

  /** Counts for a peer from now on. */
  private synchronized void count(@Nullable Counters next) {
    Counters before = counters;
    if (before != null) {
      before.removeQueue(held);
      before.closed();
    }
    counters = next;
    if (next != null) {
      next.opened();
      next.addQueue(held);
    }
  }

  /** A frame has said whose connection this is; known when the peer's handshake is complete. */
  public void peerIs(long uid) {
    if (!known) {
      lastUid = uid;
      Association association = share.engine.transport.association(uid);
      if (association != null) {
        become(association);
      }
    }
  }

  private synchronized void become(Association peer) {
    if (!known && counters != null) { // otherwise it has ended
      known = true;
      noStranger();
      count(share.engine.counters(peer.remoteAddress().toString(), "in", stream));
    }
  }

  private void noStranger() {
    share.strangers.left(this);
    Future<?> waiting = deadline;
    if (waiting != null) {
      waiting.cancel(false);
    }
  }

  @Override
  public int longest() {
    return share.longestFrame;
  }

  @Override
  public Verdict judge(long uid, int length) {
    if (known || share.engine.transport.association(uid) != null) {
      return Verdict.KEEP;
    }
    PartialFrame.checkLength(
        length, stream == ArteryTransport.LargeStreamId() ? share.largeFrame : share.frame);
    share.handshakes.dropLong(uid, this);
    return Verdict.SKIP;
  }

  /**
   * Whether a whole frame may go into a stream of Pekko's, which would make a message of it before
   * it asks whose it is, and fails if that is an impostor. On the event loop.
   */
  boolean letsIn(ByteBuffer frame) {
    envelope.read(frame, 0, frame.limit());
    InboundHandshakes handshakes = share.handshakes;
    if (!handshakes.isLegible(envelope) || !handshakes.isHonest(envelope, frame, this)) {
      return false;
    }
    peerIs(envelope.uid);
    if (share.engine.transport.association(envelope.uid) != null) {
      return true;
    }
    handshakes.drop(envelope, this);
    return false;
  }

  /** Whether it is one for control messages. */
  boolean isControl() {
    return stream == ArteryTransport.ControlStreamId();
  }

  /** Whether it is of this system, as far as is known: that of its first frame. */
  boolean isOf(long uid) {
    if (!named) {
      named = true;
      firstUid = uid;
    }
    return firstUid == uid;
  }

  /**
   * Has it served by another event loop: that of its stream, or with TLS first that of arrivals.
   */
  public void moveTo(EventLoop loop) {
    moveTo(loop, () -> {});
  }

  /** The same, and something to do there before anything is read. */
  public void moveTo(EventLoop loop, Runnable first) {
    if (channel.eventLoop() == loop) {
      first.run();
    } else {
      channel.config().setAutoRead(false);
      var unused =
          channel
              .eventLoop()
              .submit(
                  () ->
                      channel
                          .deregister()
                          .addListener(
                              gone ->
                                  loop.register(channel)
                                      .addListener(there -> moved(there.isSuccess(), first))));
    }
  }

  /** On the new event loop, or on none if that one has died: then the peer shall try again. */
  private void moved(boolean well, Runnable first) {
    if (!well) {
      lost();
      return;
    }
    first.run();
    if (!paused.get()) {
      channel.config().setAutoRead(true);
    }
  }

  /** Ends the connection; a channel without an event loop does not tell of that. */
  public void lost() {
    channel.close();
    ended();
  }

  /** Counts bytes that a receiver keeps. On the event loop. */
  public void take(long bytes) {
    if (heldBytes.addAndGet(bytes) >= HIGH_WATER_BYTES && paused.compareAndSet(false, true)) {
      channel.config().setAutoRead(false);
      if (heldBytes.get() <= LOW_WATER_BYTES) {
        goOn();
      }
    }
  }

  /** Counts bytes that a receiver is done with. Any thread. */
  public void give(long bytes) {
    if (heldBytes.addAndGet(-bytes) <= LOW_WATER_BYTES && paused.get()) {
      goOn();
    }
  }

  private void goOn() {
    if (paused.compareAndSet(true, false)) {
      channel.eventLoop().execute(() -> channel.config().setAutoRead(true));
    }
  }

  /** Ends the connection, counting and saying why. Any thread. */
  public void refuse(Refusal refusal, String reason) {
    if (channel.isOpen()) {
      share.engine.refusals.refused(
          refusal, "Inbound connection from [" + remote() + "] is closed, because " + reason);
      channel.close();
    }
  }

  /** The end of a TLS session is the end of its connection; Artery's TLS waits for that. */
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslCloseCompletionEvent) {
      context.close();
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (phase != Phase.TLS) { // otherwise TLS reports it
      share.engine.log.debug(
          "Inbound connection from [{}] failed: {}", channel.remoteAddress(), cause);
    }
    context.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ended();
  }

  private void ended() {
    phase = Phase.OVER;
    noStranger();
    FrameReceiver target = receiver;
    if (target != null) {
      target.ended();
    }
    count(null);
  }
}
