// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import io.deimos.remote.RemoteStats;
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
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.NetUtil;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.Address;
import org.apache.pekko.event.MarkerLoggingAdapter;
import org.apache.pekko.remote.RemoteLogMarker;
import org.apache.pekko.remote.artery.ArterySettings;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.OutboundContext;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.SharedKillSwitch;
import org.apache.pekko.stream.StreamTcpException;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * An outgoing connection of one stream to one peer, and the connections that follow it.
 *
 * <p><b>Life.</b> As in Artery: opened by the first frame, reopened by the first frame after a
 * pause that doubles up to five times {@code outbound-restart-backoff}; the control stream for
 * ever, the others three times in a row, then the owner is told. What was under way when a
 * connection broke is lost and counted.
 *
 * <p><b>Batching.</b> Frames go into a chunk; whoever puts the first one there wakes the event
 * loop, once. The loop takes all chunks that are there and flushes them with one write. What
 * arrives during the write is the next batch. So an idle link flushes at once, a busy one by the
 * lengths of its writes.
 *
 * <p><b>At once.</b> A frame that nothing waits before may be written by the thread that brings it
 * ({@link #writeNow}); what the socket does not take becomes a chunk.
 *
 * <p><b>Threads.</b> State, chunks and waiters are guarded by {@code lock}; callbacks are made
 * outside it. {@link #parkUnlessWritable} tests and parks in one step under that lock, and whoever
 * makes the link writable wakes under the same lock: there is no moment for a wake-up to get lost
 * in.
 *
 * <p><b>Full.</b> Not writable from {@value #HIGH_WATER_BYTES} bytes on until half of them are
 * written, in buffers that are four times as long at most; the owner then leaves its messages in
 * the association's queue, where Artery's own bound and drop rule hold.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures come to the handlers
final class OutboundLink implements Runnable {
  private static final int HIGH_WATER_BYTES = 1 << 20;
  private static final int LOW_WATER_BYTES = HIGH_WATER_BYTES / 2;
  static final int CHUNK_BYTES = 32 * 1024;
  private static final int COSTLY_COPY_BYTES = CHUNK_BYTES;

  /** The buffer of what waits behind other bytes may be this many times as long. */
  private static final int MOST_WASTE = 4;

  private static final int ORDINARY_RESTARTS = 3;
  private static final double RANDOM_FACTOR = 0.1;

  private enum State {
    IDLE,
    CONNECTING,
    OPEN,
    BACKOFF,
    CLOSED
  }

  /** Whoever puts frames into a link. */
  interface Owner {
    /** The link is beyond repair, or the peer ended it and no more attempts are due (null). */
    void ended(@Nullable Throwable failure);
  }

  final Counters counters;

  private final TransportEngine engine;
  private final OutboundContext context;
  private final MarkerLoggingAdapter log;
  private final Owner owner;
  private final int streamId;
  private final String streamName;
  private final String host;
  private final int port;
  private final Duration minBackoff;
  private final Object lock = new Object();
  private final Deque<Chunk> chunks = new ArrayDeque<>();
  private final List<Runnable> waiters = new ArrayList<>();
  private final AtomicBoolean woken = new AtomicBoolean();

  private State state = State.IDLE;
  private long pendingBytes;
  private volatile @Nullable Channel channel;

  /** The last connection whose header is on its way, so that senders may write to it. */
  private @Nullable WritableSocket direct;

  private @Nullable Throwable failure;
  private int restarts;
  private int failures;
  private long resetDeadlineNanos;
  private volatile EventLoop loop;

  OutboundLink(TransportEngine engine, OutboundContext context, int streamId, Owner owner) {
    this.engine = engine;
    this.context = context;
    this.owner = owner;
    this.streamId = streamId;
    log = engine.log;
    streamName = ArteryTransport.streamName(streamId);
    Address address = context.remoteAddress();
    host = address.host().get();
    port = (Integer) address.port().get();
    minBackoff = Duration.ofNanos(engine.artery().Advanced().OutboundRestartBackoff().toNanos());
    resetDeadlineNanos = System.nanoTime();
    loop = nextLoop();
    counters = engine.counters(address.toString(), "out", streamId);
  }

  private EventLoop nextLoop() {
    return isControl() ? engine.loops.control() : engine.loops.data();
  }

  private boolean isControl() {
    return streamId == ArteryTransport.ControlStreamId();
  }

  EventLoop loop() {
    return loop;
  }

  /** Whether the next frame would open a connection; then one is enough, as it may be lost. */
  boolean isIdle() {
    synchronized (lock) {
      return state == State.IDLE;
    }
  }

  /** Returns false if frames may be put in now; else the waiter will run once, when they may. */
  boolean parkUnlessWritable(Runnable waiter) {
    synchronized (lock) {
      if (writable()) {
        return false;
      }
      waiters.add(waiter); // of a closed link too: close() wakes those that find it closed
      return true;
    }
  }

  private boolean writable() {
    return switch (state) {
      case OPEN -> pendingBytes < HIGH_WATER_BYTES;
      case IDLE -> pendingBytes == 0;
      default -> false;
    };
  }

  /**
   * Copies one frame, given from the buffer's position to its limit, behind those that wait. A
   * large one that nothing waits before is written at once, since that saves the copy. For the
   * owner of the link alone.
   */
  void append(ByteBuffer frame) {
    int bytes = frame.remaining() + Integer.BYTES;
    if (bytes >= COSTLY_COPY_BYTES && writeNow(frame)) {
      return;
    }
    synchronized (lock) {
      if (state == State.CLOSED || state == State.BACKOFF) {
        counters.dropped.increment();
        return;
      }
      Chunk last = chunks.peekLast();
      if (last == null || last.buffer.writableBytes() < bytes) {
        last = new Chunk(engine.buffers.directBuffer(Math.max(bytes, CHUNK_BYTES)));
        chunks.add(last);
      }
      last.buffer.writeIntLE(frame.remaining());
      last.buffer.writeBytes(frame);
      last.frames++;
      last.bytes += bytes;
      pendingBytes += bytes;
    }
    wake();
  }

  /** Takes a chunk over; on the event loop it is written, but not flushed before {@link #flush}. */
  void offer(ByteBuf buffer, int frames) {
    Chunk chunk = new Chunk(buffer);
    chunk.frames = frames;
    chunk.bytes = buffer.readableBytes();
    synchronized (lock) {
      if (state == State.CLOSED || state == State.BACKOFF) {
        counters.dropped.add(frames);
        buffer.release();
        return;
      }
      chunks.add(chunk);
      pendingBytes += chunk.bytes;
    }
    if (loop.inEventLoop()) {
      write();
    } else {
      wake();
    }
  }

  /** Whether nothing waits before a frame that is brought to {@link #writeNow} at once. */
  boolean isClear() {
    synchronized (lock) {
      return state == State.OPEN && pendingBytes == 0 && direct != null && direct == channel;
    }
  }

  /**
   * Writes a frame, given from the buffer's position to its limit, on the calling thread, unless
   * anything waits before it; what the socket does not take is left to the event loop. For the
   * owner of the link alone.
   *
   * @return false if nothing of it was taken
   */
  boolean writeNow(ByteBuffer frame) {
    WritableSocket socket;
    int bytes = frame.remaining() + Integer.BYTES;
    synchronized (lock) {
      socket = direct;
      if (socket == null || !isClear()) {
        return false;
      }
      pendingBytes += bytes; // until it is known how much of it was written
    }
    long start = RemoteStats.detailed() ? System.nanoTime() : 0;
    try {
      socket.writeNow(frame);
    } catch (IOException | RuntimeException e) {
      counters.dropped.increment();
      given(bytes);
      failed(e);
      socket.close(); // its end is seen on the event loop, as any other
      return true;
    }
    counters.flushes.increment();
    if (start != 0) {
      counters.flushNanos.add(System.nanoTime() - start);
    }
    if (frame.hasRemaining()) {
      rest(socket.unwrittenHead(), frame, bytes);
    } else {
      counters.messages.increment();
      counters.bytes.add(bytes);
      given(bytes);
    }
    return true;
  }

  /** So many bytes do not wait any more. */
  private void given(int bytes) {
    List<Runnable> ready;
    synchronized (lock) {
      pendingBytes -= bytes;
      ready = pendingBytes <= LOW_WATER_BYTES ? takeWaiters() : List.of();
    }
    ready.forEach(Runnable::run);
  }

  /** Why the connection is about to end; of several reasons the first counts. */
  private void failed(Throwable cause) {
    synchronized (lock) {
      if (failure == null) {
        failure = cause;
      }
    }
  }

  /** Leaves what a socket did not take to the event loop. */
  private void rest(ByteBuffer head, ByteBuffer frame, int bytes) {
    int left = head.remaining() + frame.remaining();
    counters.bytes.add(bytes - left);
    ByteBuf buffer = engine.buffers.directBuffer(left);
    buffer.writeBytes(head).writeBytes(frame);
    given(bytes);
    offer(buffer, 1);
  }

  /** Flushes what was written; only on the event loop, elsewhere it happens by itself. */
  void flush() {
    Channel open = channel;
    if (open != null && loop.inEventLoop()) {
      open.flush();
    }
  }

  private void wake() {
    if (!woken.get() && woken.compareAndSet(false, true)) {
      try {
        loop.execute(this);
      } catch (RejectedExecutionException e) {
        woken.set(false);
        disconnected(null, e);
      }
    }
  }

  /** On the event loop: one batch. */
  @Override
  public void run() {
    woken.set(false);
    write();
    flush();
  }

  private void write() {
    List<Chunk> batch;
    Channel open;
    boolean behind;
    synchronized (lock) {
      if (chunks.isEmpty()) {
        return;
      }
      if (state == State.IDLE) {
        state = State.CONNECTING;
        open = null;
      } else if (state == State.OPEN) {
        open = channel;
      } else {
        return;
      }
      if (open != null) {
        batch = new ArrayList<>(chunks);
        chunks.clear();
      } else {
        batch = List.of();
      }
      long others = pendingBytes;
      for (Chunk chunk : batch) {
        others -= chunk.bytes;
      }
      behind = others > 0;
    }
    if (open == null) {
      connect();
      return;
    }
    long now = RemoteStats.detailed() ? System.nanoTime() : 0;
    for (Chunk chunk : batch) {
      chunk.writtenNanos = now;
      open.write(behind ? fitting(chunk.buffer) : chunk.buffer).addListener(chunk);
    }
    counters.flushes.increment();
  }

  /** What has to wait must not take much more memory than is counted for it. */
  private ByteBuf fitting(ByteBuf buffer) {
    int bytes = buffer.readableBytes();
    if (bytes > buffer.capacity() / MOST_WASTE) {
      return buffer;
    }
    ByteBuf fitting = engine.buffers.directBuffer(bytes).writeBytes(buffer);
    buffer.release();
    return fitting;
  }

  private void connect() {
    if (log.isDebugEnabled()) {
      log.debug(
          RemoteLogMarker.connect(context.remoteAddress(), peerUid()),
          "Outbound connection opened to [{}]",
          context.remoteAddress());
    }
    engine.transport.flightRecorder().tcpOutboundConnected(context.remoteAddress(), streamName);
    if (isControl() && context instanceof Association association) {
      SharedKillSwitch idle = KillSwitches.shared("outboundControlStreamIdleKillSwitch");
      association.setControlIdleKillSwitch(idle);
      engine.watch(engine.transport.controlMaterializer(), idle, null, cause -> stopIdle());
    }
    if (NetUtil.isValidIpV4Address(host)
        || NetUtil.isValidIpV6Address(host)
        || host.startsWith("[")) {
      connectTo(resolve());
    } else {
      // the resolver of the JDK blocks
      engine
          .system
          .dispatchers()
          .lookup("pekko.actor.default-blocking-io-dispatcher")
          .execute(() -> connectTo(resolve()));
    }
  }

  private Option<Object> peerUid() {
    return context.associationState().uniqueRemoteAddress().map(address -> (Object) address.uid());
  }

  private Object resolve() {
    try {
      return new InetSocketAddress(InetAddress.getByName(host), port);
    } catch (IOException e) {
      return e;
    }
  }

  private void connectTo(Object addressOrFailure) {
    if (!(addressOrFailure instanceof SocketAddress address)) {
      disconnected(null, (Throwable) addressOrFailure);
      return;
    }
    ArterySettings.Advanced$ advanced = engine.artery().Advanced();
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(engine.io.socket())
            .option(ChannelOption.ALLOCATOR, engine.buffers)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(
                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                (int) Math.min(Integer.MAX_VALUE, advanced.Tcp().ConnectionTimeout().toMillis()))
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel fresh) {
                    fresh.pipeline().addLast(new Guard());
                  }
                });
    Option<String> localHost = advanced.Tcp().OutboundClientHostname();
    if (localHost.isDefined()) {
      bootstrap.localAddress(new InetSocketAddress(localHost.get(), 0));
    }
    try {
      ChannelFuture attempt = bootstrap.connect(address);
      synchronized (lock) {
        if (state == State.CONNECTING) {
          channel = attempt.channel();
        }
      }
      attempt.addListener((ChannelFutureListener) this::tcpConnected);
    } catch (RuntimeException e) {
      disconnected(null, e);
    }
  }

  private void tcpConnected(ChannelFuture attempt) {
    Channel fresh = attempt.channel();
    if (!attempt.isSuccess()) {
      disconnected(fresh, attempt.cause());
    } else if (engine.tls.enabled()) {
      try {
        engine.tls.client(
            fresh.pipeline(),
            host,
            port,
            refusal -> {
              if (refusal == null) {
                opened(fresh);
              } else {
                disconnected(fresh, refusal);
                fresh.close();
              }
            });
      } catch (RuntimeException e) {
        disconnected(fresh, e);
        fresh.close();
      }
    } else {
      opened(fresh);
    }
  }

  private void opened(Channel fresh) {
    boolean wanted;
    List<Runnable> ready;
    synchronized (lock) {
      wanted = state == State.CONNECTING && channel == fresh;
      if (wanted) {
        state = State.OPEN;
        failure = null;
      }
      ready = takeWaiters();
    }
    if (!wanted) {
      fresh.close();
      return;
    }
    counters.opened();
    fresh
        .write(Unpooled.wrappedBuffer(ConnectionHeader.of(engine.artery(), streamId)))
        .addListener(header -> headerWritten(fresh, header.isSuccess()));
    write();
    fresh.flush();
    ready.forEach(Runnable::run);
  }

  private void headerWritten(Channel fresh, boolean well) {
    synchronized (lock) {
      if (well && fresh instanceof WritableSocket socket && !engine.tls.enabled()) {
        direct = socket;
      }
    }
  }

  private List<Runnable> takeWaiters() {
    if (waiters.isEmpty() || !writable()) {
      return List.of();
    }
    List<Runnable> ready = List.copyOf(waiters);
    waiters.clear();
    return ready;
  }

  private void stopIdle() {
    Channel open;
    synchronized (lock) {
      open = channel;
    }
    if (open != null) {
      open.close();
    }
  }

  /** The connection, or the attempt at one, is over; of several reports the first counts. */
  private void disconnected(@Nullable Channel lost, @Nullable Throwable cause) {
    boolean terminal;
    boolean wasOpen;
    Duration pause = Duration.ZERO;
    Throwable reason;
    synchronized (lock) {
      boolean mine = lost == null || lost == channel;
      if (!mine || state == State.BACKOFF || state == State.CLOSED) {
        return;
      }
      wasOpen = state == State.OPEN;
      reason = cause == null ? failure : cause;
      channel = null;
      failure = null;
      dropAll();
      if (System.nanoTime() - resetDeadlineNanos > 0) {
        restarts = 0;
      }
      terminal = !isControl() && restarts >= ORDINARY_RESTARTS;
      state = terminal ? State.CLOSED : State.BACKOFF;
      if (!terminal) {
        pause = backoff();
        restarts++;
      }
    }
    if (wasOpen) {
      counters.closed();
    }
    logLoss(reason);
    if (terminal) {
      owner.ended(reason == null ? null : tcpException(reason));
    } else {
      later(pause);
    }
  }

  private Duration backoff() {
    double factor = Math.min(5.0, Math.pow(2.0, Math.min(restarts, 16)));
    double noise = 1.0 + ThreadLocalRandom.current().nextDouble() * RANDOM_FACTOR;
    return Duration.ofNanos((long) (minBackoff.toNanos() * factor * noise));
  }

  private void later(Duration pause) {
    try {
      engine
          .system
          .scheduler()
          .scheduleOnce(pause, this::afterPause, engine.system.dispatchers().internalDispatcher());
    } catch (IllegalStateException e) {
      log.debug("No reconnect to [{}], as the system is stopping", context.remoteAddress());
    }
  }

  private void afterPause() {
    List<Runnable> ready;
    synchronized (lock) {
      if (state != State.BACKOFF) {
        return;
      }
      state = State.IDLE;
      resetDeadlineNanos = System.nanoTime() + minBackoff.toNanos();
      if (!engine.isClosed()) {
        loop = nextLoop();
      }
      ready = takeWaiters();
    }
    ready.forEach(Runnable::run);
  }

  private void logLoss(@Nullable Throwable reason) {
    String name =
        "[outbound connection to [" + context.remoteAddress() + "], " + streamName + " stream]";
    if (reason == null) {
      log.debug("{} was closed", name);
    } else if (++failures == 1 && !engine.transport.isShutdown()) {
      log.warning("{} failed: {}", name, reason.toString());
    } else {
      log.debug("{} failed: {}", name, reason.toString());
    }
  }

  /** As Artery's own TCP reports it, so that the association judges it the same way. */
  private static StreamTcpException tcpException(Throwable cause) {
    StreamTcpException wrapped = new StreamTcpException("Tcp command failed because of " + cause);
    wrapped.initCause(
        cause instanceof ConnectException ? new ConnectException(cause.getMessage()) : cause);
    return wrapped;
  }

  private void dropAll() {
    Chunk chunk = chunks.poll();
    while (chunk != null) {
      counters.dropped.add(chunk.frames);
      pendingBytes -= chunk.bytes;
      chunk.buffer.release();
      chunk = chunks.poll();
    }
  }

  /** Ends the link for good. What is in it is still sent if there is a connection. */
  void close() {
    Channel open;
    List<Chunk> rest;
    List<Runnable> parked;
    synchronized (lock) {
      open = state == State.OPEN ? channel : null;
      rest = open == null ? List.of() : new ArrayList<>(chunks);
      if (open == null) {
        dropAll();
      }
      chunks.clear();
      state = State.CLOSED;
      parked = List.copyOf(waiters);
      waiters.clear();
    }
    parked.forEach(Runnable::run);
    if (open != null) {
      counters.closed();
      Channel closing = open;
      try {
        loop.execute(
            () -> {
              for (Chunk chunk : rest) {
                closing.write(chunk.buffer).addListener(chunk);
              }
              closing.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            });
      } catch (RejectedExecutionException e) {
        rest.forEach(chunk -> ReferenceCountUtil.safeRelease(chunk.buffer));
      }
    }
  }

  /** Some frames on their way to the socket, and what happens when they are there. */
  private final class Chunk implements ChannelFutureListener {
    final ByteBuf buffer;
    int frames;
    int bytes;
    long writtenNanos;

    Chunk(ByteBuf buffer) {
      this.buffer = buffer;
    }

    @Override
    public void operationComplete(ChannelFuture future) {
      if (future.isSuccess()) {
        counters.messages.add(frames);
        counters.bytes.add(bytes);
        if (writtenNanos != 0) {
          counters.flushNanos.add(System.nanoTime() - writtenNanos);
        }
      } else {
        counters.dropped.add(frames);
      }
      given(bytes);
    }
  }

  /** Sees the end of a connection, and that nothing comes in on it. */
  private final class Guard extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext handler, Object message) {
      ReferenceCountUtil.release(message);
      synchronized (lock) {
        if (state == State.CLOSED) {
          return;
        }
        if (state == State.OPEN) {
          counters.closed();
        }
        state = State.CLOSED;
        channel = null;
        dropAll();
      }
      handler.close();
      owner.ended(
          new IllegalStateException(
              "Unexpected incoming bytes in outbound connection to ["
                  + context.remoteAddress()
                  + "]"));
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
      failed(cause);
      handler.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext handler) {
      disconnected(handler.channel(), null);
    }
  }
}
