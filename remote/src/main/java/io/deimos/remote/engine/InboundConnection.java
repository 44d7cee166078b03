// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
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
 * #HIGH_WATER_BYTES} bytes reading stops, at half of them it goes on. Whoever crosses a mark looks
 * again after setting the flag, so that no crossing is missed.
 *
 * <p><b>Strangers.</b> A wrong magic, an unknown stream, or no header within {@code
 * handshake-timeout} closes the connection with one line of log.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures come to the handlers
final class InboundConnection extends ChannelInboundHandlerAdapter {
  static final int HIGH_WATER_BYTES = 1 << 20;
  static final int LOW_WATER_BYTES = HIGH_WATER_BYTES / 2;
  private static final String UNKNOWN_PEER = "unknown";

  final Inbound inbound;
  final Channel channel;
  private final AtomicLong heldBytes = new AtomicLong();
  private final AtomicBoolean paused = new AtomicBoolean();
  private final byte[] header = new byte[ConnectionHeader.BYTES];

  private int headerBytes;
  private boolean trusted;
  private boolean over;
  private @Nullable FrameReceiver receiver;
  private int stream;
  private boolean identified;
  private final LongSupplier held = heldBytes::get;
  volatile @Nullable Counters counters;

  InboundConnection(Inbound inbound, Channel channel) {
    this.inbound = inbound;
    this.channel = channel;
    trusted = !inbound.engine.tls.enabled();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    long patienceMillis = inbound.engine.artery().Advanced().HandshakeTimeout().toMillis();
    var unused =
        channel
            .eventLoop()
            .schedule(
                () -> {
                  if (receiver == null && channel.isActive()) {
                    reject("it did not say within " + patienceMillis + " ms what it is");
                  }
                },
                patienceMillis,
                TimeUnit.MILLISECONDS);
    context.fireChannelActive();
  }

  void tlsFinished(@Nullable Throwable failure) {
    if (failure == null) {
      trusted = true;
    } else {
      reject("of TLS: " + failure);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (over || !trusted) {
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
      reject("it sent " + e.getMessage());
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
    if (!inbound.acceptedMagics.contains(magic)) {
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
    count(inbound.engine.counters(UNKNOWN_PEER, "in", streamId));
    receiver = inbound.receiver(this, streamId);
    if (receiver == null) {
      over = true;
      channel.close(); // the streams are being restarted; the peer will try again
    } else if (streamId != ArteryTransport.ControlStreamId()) {
      moveTo(inbound.engine.loops.data());
    }
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
  void peerIs(long uid) {
    if (!identified) {
      Association association = inbound.engine.transport.association(uid);
      if (association != null && counters != null) {
        identified = true;
        count(inbound.engine.counters(association.remoteAddress().toString(), "in", stream));
      }
    }
  }

  /**
   * It was accepted on the event loop of control connections, which must not wait behind others.
   */
  private void moveTo(EventLoop loop) {
    if (channel.eventLoop() != loop) {
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
                                      .addListener(there -> moved(there.isSuccess()))));
    }
  }

  /** On the new event loop, or on none if that one has died: then the peer shall try again. */
  private void moved(boolean well) {
    if (!well) {
      channel.close();
      ended(); // a channel without an event loop does not tell of its end
    } else if (!paused.get()) {
      channel.config().setAutoRead(true);
    }
  }

  /** Counts bytes that a receiver keeps. On the event loop. */
  void take(long bytes) {
    if (heldBytes.addAndGet(bytes) >= HIGH_WATER_BYTES && paused.compareAndSet(false, true)) {
      channel.config().setAutoRead(false);
      if (heldBytes.get() <= LOW_WATER_BYTES) {
        goOn();
      }
    }
  }

  /** Counts bytes that a receiver is done with. Any thread. */
  void give(long bytes) {
    if (heldBytes.addAndGet(-bytes) <= LOW_WATER_BYTES && paused.get()) {
      goOn();
    }
  }

  private void goOn() {
    if (paused.compareAndSet(true, false)) {
      channel.eventLoop().execute(() -> channel.config().setAutoRead(true));
    }
  }

  /** Ends the connection, saying why. Any thread. */
  void reject(String reason) {
    if (channel.isOpen()) {
      inbound.engine.log.warning(
          "Inbound connection from [{}] is closed, because {}", channel.remoteAddress(), reason);
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
    if (trusted) { // otherwise TLS reports it
      inbound.engine.log.debug(
          "Inbound connection from [{}] failed: {}", channel.remoteAddress(), cause);
    }
    context.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ended();
  }

  private void ended() {
    over = true;
    FrameReceiver target = receiver;
    if (target != null) {
      target.ended();
    }
    count(null);
  }
}
