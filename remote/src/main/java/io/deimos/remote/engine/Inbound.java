// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import io.deimos.remote.engine.core.TransportEngine;
import io.deimos.remote.engine.count.Refusal;
import io.deimos.remote.engine.decode.GuardedDispatcher;
import io.deimos.remote.engine.decode.InboundLane;
import io.deimos.remote.engine.decode.InboundLanes;
import io.deimos.remote.engine.in.FrameReceiver;
import io.deimos.remote.engine.in.InboundConnection;
import io.deimos.remote.engine.in.InboundShare;
import io.deimos.remote.engine.in.InboundSource;
import io.deimos.remote.engine.in.LargeDropper;
import io.deimos.remote.engine.pekko.PekkoMembers;
import io.deimos.remote.engine.pekko.Scala;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.remote.artery.ArterySettings;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.EnvelopeBuffer;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.scaladsl.Sink;
import org.jspecify.annotations.Nullable;
import scala.concurrent.Future;
import scala.runtime.AbstractFunction0;
import scala.runtime.BoxedUnit;

/**
 * The listening socket, and what accepted connections are attached to: Pekko's own streams for
 * control and large messages, lanes or Pekko's own stream for ordinary ones.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures come to the handlers
final class Inbound {
  private static final int BACKLOG = 100;
  private static final Duration BIND_AGAIN = Duration.ofMillis(200);

  private final TransportEngine engine;
  private final InboundShare share;
  private final ChannelGroup connections =
      new DefaultChannelGroup("deimos-remote-inbound", GlobalEventExecutor.INSTANCE);

  /** Accepted while no streams run, so nothing is read of them yet. */
  private final Set<InboundConnection> held = ConcurrentHashMap.newKeySet();

  private boolean running;
  private volatile @Nullable Channel server;
  private volatile @Nullable InboundLanes lanes;
  private volatile @Nullable Sink<EnvelopeBuffer, ?> control;
  private volatile @Nullable Sink<EnvelopeBuffer, ?> ordinary;
  private volatile @Nullable Sink<EnvelopeBuffer, ?> large;

  Inbound(TransportEngine engine) {
    this.engine = engine;
    share = new InboundShare(engine, this::receiver);
  }

  /** Binds and returns the port; connections are read from as soon as the streams run. */
  int bind() throws IOException, InterruptedException {
    ArterySettings.Bind$ bind = engine.artery().Bind();
    int port = bind(bind.Port());
    engine
        .transport
        .flightRecorder()
        .tcpInboundBound(bind.Hostname(), new InetSocketAddress(bind.Hostname(), port));
    return port;
  }

  private int bind(int port) throws IOException, InterruptedException {
    ArterySettings.Bind$ bind = engine.artery().Bind();
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(engine.loops.control())
            .channel(engine.io.server())
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.ALLOCATOR, engine.buffers)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel accepted) {
                    accept(accepted);
                  }
                });
    ChannelFuture bound =
        bootstrap.bind(new InetSocketAddress(InetAddress.getByName(bind.Hostname()), port));
    if (!bound.await(bind.BindTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
      bound.channel().close();
      throw new IOException("binding took longer than " + bind.BindTimeout());
    }
    if (!bound.isSuccess()) {
      throw new IOException("[" + bind.Hostname() + ":" + port + "] " + bound.cause().getMessage());
    }
    server = bound.channel();
    int boundPort = ((InetSocketAddress) bound.channel().localAddress()).getPort();
    bound.channel().closeFuture().addListener(closed -> bindAgainLater(boundPort));
    return boundPort;
  }

  /** A listening socket goes down with its event loop; another takes over. */
  private void bindAgainLater(int port) {
    if (engine.isClosed() || engine.transport.isShutdown()) {
      return;
    }
    engine.log.warning("The socket listening on port [{}] was closed; binding again", port);
    engine
        .system
        .scheduler()
        .scheduleOnce(
            BIND_AGAIN,
            () -> bindAgain(port),
            engine.system.dispatchers().lookup("pekko.actor.default-blocking-io-dispatcher"));
  }

  private void bindAgain(int port) {
    try {
      bind(port);
    } catch (IOException e) {
      engine.log.warning("Binding again failed: {}", e.getMessage());
      bindAgainLater(port);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void accept(Channel accepted) {
    connections.add(accepted);
    if (engine.isClosed()) {
      accepted.close();
      return;
    }
    engine
        .transport
        .flightRecorder()
        .tcpInboundConnected((InetSocketAddress) accepted.remoteAddress());
    InboundConnection connection = new InboundConnection(share, accepted);
    accepted.pipeline().addLast(connection);
    InboundConnection leaving = share.strangers.arrived(connection, System.nanoTime());
    if (leaving != null) {
      leaving.refuse(
          Refusal.TOO_MANY_CONNECTIONS,
          "there are " + engine.settings.strangers().max() + " without a handshake already");
    }
    if (leaving != connection && !isHeld(connection)) {
      begin(connection);
    }
  }

  /** Whether it has to wait until the streams run; as in Artery, its peer does not notice. */
  private synchronized boolean isHeld(InboundConnection connection) {
    if (running) {
      return false;
    }
    connection.channel.config().setAutoRead(false);
    held.add(connection);
    connection.channel.closeFuture().addListener(closed -> held.remove(connection));
    return true;
  }

  /** On its event loop. */
  private void begin(InboundConnection connection) {
    connection.accepted();
    if (engine.tls.enabled()) {
      // heartbeats must not wait behind the handshakes of whoever comes
      connection.moveTo(engine.loops.arrivals(), () -> secure(connection));
    } else {
      connection.channel.config().setAutoRead(true);
    }
  }

  private synchronized void stopping() {
    running = false;
  }

  private synchronized void started() {
    running = true;
    for (InboundConnection connection : held) {
      try {
        connection.channel.eventLoop().execute(() -> begin(connection));
      } catch (RejectedExecutionException e) {
        connection.lost(); // its event loop has died
      }
    }
    held.clear();
  }

  private void secure(InboundConnection connection) {
    ArterySettings.Bind$ bind = engine.artery().Bind();
    try {
      engine.tls.server(
          connection.channel.pipeline(), bind.Hostname(), bind.Port(), connection::tlsFinished);
    } catch (RuntimeException e) {
      connection.tlsFinished(e);
    }
  }

  /**
   * Starts the streams that connections are attached to. Called again when one of them has failed.
   */
  void run() {
    int controlId = ArteryTransport.ControlStreamId();
    int largeId = ArteryTransport.LargeStreamId();
    CompletableFuture<Done> firstCompleted = new CompletableFuture<>();
    engine.members.setMessageDispatcher(engine.transport, new GuardedDispatcher(engine));
    PekkoMembers.Hub controlHub = engine.members.runInbound(engine.transport, controlId);
    CompletableFuture<Done> all = watch(controlHub, firstCompleted);
    if (engine.inboundLane) {
      if (lanes == null) {
        lanes = new InboundLanes(engine, share.handshakes);
      }
    } else {
      PekkoMembers.Hub hub =
          engine.members.runInbound(engine.transport, ArteryTransport.OrdinaryStreamId());
      all = all.thenCombine(watch(hub, firstCompleted), (a, b) -> a);
      ordinary = hub.sink();
    }
    if (engine.transport.largeMessageChannelEnabled()) {
      PekkoMembers.Hub hub = engine.members.runInbound(engine.transport, largeId);
      all = all.thenCombine(watch(hub, firstCompleted), (a, b) -> a);
      large = hub.sink();
    }
    control = controlHub.sink();
    if (engine.inboundLane) {
      InboundLanes running = lanes;
      if (running != null) {
        running.attach();
      }
    }
    Future<Done> completed = Scala.future(firstCompleted);
    engine.transport.attachInboundStreamRestart("Inbound streams", completed, new Restart(all));
    started();
  }

  /** Completes the first future as the stream does; returns one that completes well in any case. */
  private static CompletableFuture<Done> watch(
      PekkoMembers.Hub hub, CompletableFuture<Done> firstCompleted) {
    CompletableFuture<Done> stopped = new CompletableFuture<>();
    Scala.stage(hub.completed())
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                firstCompleted.complete(done);
              } else {
                firstCompleted.completeExceptionally(failure);
              }
              stopped.complete(Done.getInstance());
            });
    return stopped;
  }

  /** Where the frames of a connection go, by the number of its stream. */
  private FrameReceiver receiver(InboundConnection connection, int streamId) {
    InboundLanes running = lanes;
    if (streamId == ArteryTransport.OrdinaryStreamId() && running != null) {
      return new InboundLane(running, connection);
    }
    Sink<EnvelopeBuffer, ?> sink = null;
    boolean isControl = streamId == ArteryTransport.ControlStreamId();
    if (isControl) {
      sink = control;
    } else if (streamId == ArteryTransport.OrdinaryStreamId()) {
      sink = ordinary;
    } else if (streamId == ArteryTransport.LargeStreamId()) {
      if (!engine.transport.largeMessageChannelEnabled()) {
        return new LargeDropper(connection, engine.refusals);
      }
      sink = large;
    }
    if (sink == null) {
      throw new IllegalStateException("no inbound streams");
    }
    InboundSource source = new InboundSource(connection, streamId);
    org.apache.pekko.stream.scaladsl.Source<EnvelopeBuffer, NotUsed> frames =
        org.apache.pekko.stream.scaladsl.Source.fromGraph(source);
    frames
        .to(sink)
        .run(isControl ? engine.transport.controlMaterializer() : engine.transport.materializer());
    return source.receiver();
  }

  /**
   * Closes the listening socket and all connections; completes when the operating system has them
   * back, which with io_uring takes more turns of the event loop.
   */
  CompletableFuture<Void> close() {
    Channel listening = server;
    CompletableFuture<Void> unbound = new CompletableFuture<>();
    if (listening == null) {
      unbound.complete(null);
    } else {
      listening.close().addListener(done -> unbound.complete(null));
    }
    CompletableFuture<Void> disconnected = new CompletableFuture<>();
    connections.close().addListener(done -> disconnected.complete(null));
    InboundLanes running = lanes;
    if (running != null) {
      running.close();
    }
    return CompletableFuture.allOf(unbound, disconnected);
  }

  private void runAgain() {
    try {
      run();
    } catch (RuntimeException e) {
      engine.log.error(e, "Inbound streams cannot be started again; nothing is received any more");
    }
  }

  /** Artery's step when an inbound stream failed: stop them all, then start them all. */
  private final class Restart extends AbstractFunction0<BoxedUnit> {
    private final CompletableFuture<Done> allStopped;

    Restart(CompletableFuture<Done> allStopped) {
      this.allStopped = allStopped;
    }

    @Override
    public BoxedUnit apply() {
      stopping();
      engine.members.inboundKillSwitch(engine.transport).shutdown();
      engine.members.setInboundKillSwitch(
          engine.transport, KillSwitches.shared("inboundKillSwitch"));
      connections.close();
      allStopped.whenComplete(
          (done, failure) -> {
            if (!engine.isClosed() && !engine.transport.isShutdown()) {
              runAgain();
            }
          });
      return BoxedUnit.UNIT;
    }
  }
}
