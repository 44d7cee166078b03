// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import io.deimos.remote.engine.core.TransportEngine;
import io.deimos.remote.engine.net.Names;
import io.deimos.remote.engine.net.WritableSocket;
import io.deimos.remote.engine.wire.ConnectionHeader;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannelConfig;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GenericFutureListener;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import org.apache.pekko.actor.Address;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.concurrent.duration.FiniteDuration;

/**
 * One attempt at an outgoing connection, and the connection that comes of it: looks the name up,
 * connects, does TLS, sends the header, and sees the end.
 *
 * <p><b>Threads.</b> All of it happens on one event loop, and so do all calls of the listener; but
 * names are looked up by Pekko, and engines for TLS made on a thread that may wait.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures come to the handlers
final class Connector implements Connection {
  private enum Stage {
    CONNECTING,
    OPEN,
    /** It has ended, and that has been reported. */
    LOST
  }

  private final TransportEngine engine;
  private final String host;
  private final int port;
  private final int streamId;
  private final EventLoop loop;
  private final Address peer;
  private final Listener listener;

  private long begunNanos;
  private Stage stage = Stage.CONNECTING;
  private @Nullable Channel channel;
  private @Nullable Throwable failure;

  Connector(TransportEngine engine, Address peer, int streamId, EventLoop loop, Listener listener) {
    this.engine = engine;
    this.streamId = streamId;
    this.peer = peer;
    this.loop = loop;
    this.listener = listener;
    host = peer.host().get();
    port = (Integer) peer.port().get();
  }

  /**
   * The facts that have to be known before there can be a connection, and may have to be waited
   * for.
   */
  private record Prepared(
      InetSocketAddress to, @Nullable SocketAddress from, @Nullable SSLEngine ssl) {}

  @Override
  public void start() {
    begunNanos = System.nanoTime();
    CompletableFuture<Prepared> prepared = prepare().toCompletableFuture();
    if (!prepared.isDone()) {
      Future<?> timeout = loop.schedule(this::timeOut, connectMillis(), TimeUnit.MILLISECONDS);
      prepared.whenComplete((done, failed) -> timeout.cancel(false));
    }
    prepared.whenComplete(
        (target, failed) ->
            onLoop(
                () -> {
                  if (failed == null) {
                    connect(target);
                  } else {
                    ended(failed instanceof CompletionException ? failed.getCause() : failed);
                  }
                }));
  }

  private CompletionStage<Prepared> prepare() {
    Option<String> ownHost = engine.artery().Advanced().Tcp().OutboundClientHostname();
    CompletionStage<@Nullable SocketAddress> from =
        ownHost.isEmpty()
            ? CompletableFuture.completedFuture(null)
            : lookUp(ownHost.get()).thenApply(own -> new InetSocketAddress(own, 0));
    return lookUp(host)
        .thenApply(peer -> new InetSocketAddress(peer, port)) // which may be forged
        .thenCombine(from, (to, own) -> new Prepared(to, own, null))
        .thenCombine(
            engine.tls.clientEngine(host, port),
            (known, ssl) -> new Prepared(known.to, known.from, ssl));
  }

  private CompletionStage<InetAddress> lookUp(String name) {
    return Names.lookUp(engine.system, name, Duration.ofMillis(connectMillis()));
  }

  private int waitedMillis() {
    return (int) TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
  }

  private void timeOut() {
    if (stage == Stage.CONNECTING && channel == null) {
      ended(timeout(", while looking up [" + host + "]"));
    }
  }

  private void onLoop(Runnable step) {
    if (loop.inEventLoop()) {
      step.run();
      return;
    }
    try {
      loop.execute(step);
    } catch (RejectedExecutionException e) {
      listener.lost(this, TcpFailure.of(e)); // nothing else can happen here any more
    }
  }

  private void connect(Prepared target) {
    if (stage != Stage.CONNECTING) {
      return; // closed meanwhile
    }
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(engine.io.socket())
            .option(ChannelOption.ALLOCATOR, engine.buffers)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(
                ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.max(1, connectMillis() - waitedMillis()))
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel fresh) {
                    channel = fresh;
                    fresh.pipeline().addLast(new Guard());
                  }
                });
    try {
      bootstrap
          .connect(target.to, target.from)
          .addListener((ChannelFutureListener) attempt -> tcpConnected(attempt, target.ssl));
    } catch (RuntimeException e) {
      ended(e);
    }
  }

  private int connectMillis() {
    return (int) Math.min(Integer.MAX_VALUE, connectTimeout().toMillis());
  }

  private ConnectException timeout(String detail) {
    return new ConnectException(
        "Connect timeout of Some(" + connectTimeout() + ") expired" + detail);
  }

  private FiniteDuration connectTimeout() {
    return engine.artery().Advanced().Tcp().ConnectionTimeout();
  }

  /** The text of the command with which Artery has Pekko's TCP connect. */
  private String command() {
    Option<String> own = engine.artery().Advanced().Tcp().OutboundClientHostname();
    return "Connect(%s/<unresolved>:%d,%s,List(),Some(%s),true)"
        .formatted(host, port, own, connectTimeout());
  }

  private void tcpConnected(ChannelFuture attempt, @Nullable SSLEngine ssl) {
    Channel fresh = attempt.channel();
    if (!attempt.isSuccess()) {
      Throwable cause = attempt.cause();
      ended(cause instanceof ConnectTimeoutException ? timeout("") : cause);
    } else if (stage != Stage.CONNECTING) {
      fresh.close();
    } else if (ssl != null) {
      try {
        engine.tls.client(
            fresh.pipeline(),
            host,
            ssl,
            refusal -> {
              if (refusal == null) {
                open(fresh);
              } else {
                ended(refusal);
              }
            });
      } catch (RuntimeException e) {
        ended(e);
      }
    } else {
      open(fresh);
    }
  }

  private void open(Channel fresh) {
    if (stage != Stage.CONNECTING) {
      fresh.close();
      return;
    }
    if (!fresh.isActive()) { // it has ended already, and may have said so before it was looked at
      ended(failure);
      return;
    }
    stage = Stage.OPEN;
    failure = null;
    fresh
        .write(Unpooled.wrappedBuffer(ConnectionHeader.of(engine.artery(), streamId)))
        .addListener(
            header -> {
              if (header.isSuccess()
                  && fresh instanceof WritableSocket socket
                  && !engine.tls.enabled()) {
                listener.headerWritten(this, socket);
              }
            });
    listener.opened(this);
    fresh.flush();
  }

  private void ended(@Nullable Throwable reason) {
    if (stage == Stage.LOST) {
      return;
    }
    Throwable cause = reason == null ? failure : reason;
    if (cause != null) {
      cause = stage == Stage.OPEN ? TcpFailure.of(cause) : TcpFailure.of(command(), cause);
    }
    stage = Stage.LOST;
    listener.lost(this, cause);
    Channel open = channel;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void write(ByteBuf bytes, GenericFutureListener<Future<Void>> whenWritten) {
    Channel open = channel;
    if (open == null) {
      throw new IllegalStateException("no channel to write to");
    }
    open.write(bytes).addListener(whenWritten);
  }

  @Override
  public void flush() {
    Channel open = channel;
    if (stage == Stage.OPEN && open != null) {
      open.flush();
    }
  }

  @Override
  public void finish() {
    Channel open = channel;
    if (open != null) {
      open.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
      if (open.isOpen()) {
        abortIfStuck(open, unwritten(open));
      }
    }
  }

  private void abortIfStuck(Channel open, long before) {
    Future<?> look =
        loop.schedule(
            () -> {
              long left = unwritten(open);
              if (left < before) {
                abortIfStuck(open, left);
              } else {
                reset(open);
              }
            },
            connectMillis(),
            TimeUnit.MILLISECONDS);
    open.closeFuture().addListener(closed -> look.cancel(false));
  }

  private static long unwritten(Channel open) {
    ChannelOutboundBuffer buffer = open.unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
  }

  private static void reset(Channel open) {
    if (open.config() instanceof SocketChannelConfig socket && open.isOpen()) {
      socket.setSoLinger(0);
    }
    open.unsafe().close(open.voidPromise()); // TLS would wait for a goodbye to be sent
  }

  @Override
  public void abort() {
    onLoop(
        () -> {
          Channel open = channel;
          if (open != null) {
            reset(open);
          }
          ended(null);
        });
  }

  @Override
  public void close() {
    onLoop(() -> ended(null));
  }

  /** A write also fails after the end of a connection, which has a reason of its own, or none. */
  @Override
  public void fail(Throwable reason) {
    onLoop(
        () -> ended(channel instanceof WritableSocket socket && socket.hasEnded() ? null : reason));
  }

  /** Sees the end of a connection, and that nothing comes in on it. */
  private final class Guard extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext handler, Object message) {
      ReferenceCountUtil.release(message);
      if (stage != Stage.LOST) {
        listener.received(
            Connector.this,
            new IllegalStateException(
                "Unexpected incoming bytes in outbound connection to [" + peer + "]"));
        close();
      }
    }

    /** The end of a TLS session is the end of its connection. */
    @Override
    public void userEventTriggered(ChannelHandlerContext handler, Object event) {
      if (event instanceof SslCloseCompletionEvent) {
        handler.close();
      }
      handler.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext handler, Throwable cause) {
      if (failure == null) {
        failure = cause; // of several reasons the first counts
      }
      handler.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext handler) {
      ended(null);
    }
  }
}
