// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import io.deimos.remote.RemoteStats;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.event.MarkerLoggingAdapter;
import org.apache.pekko.remote.RemoteActorRefProvider;
import org.apache.pekko.remote.artery.ArterySettings;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.EnvelopeBuffer;
import org.apache.pekko.remote.artery.EnvelopeBufferPool;
import org.apache.pekko.remote.artery.InboundEnvelope;
import org.apache.pekko.remote.artery.OutboundContext;
import org.apache.pekko.remote.artery.RemoteInstruments;
import org.apache.pekko.remote.artery.tcp.ArteryTcpTransport;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.SerializationExtension;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.SharedKillSwitch;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;
import scala.concurrent.Future;

/** One actor system's transport: what its parts share, and their beginning and end. */
final class TransportEngine implements RemoteStats.Source {
  private static final int CLOSE_SECONDS = 1;
  private static final int SHUTDOWN_SECONDS = 3;
  private static final int MAX_COUNTERS = 1024;
  private static final String OTHER_PEERS = "other";

  final ArteryTcpTransport transport;
  final PekkoMembers members;
  final RemoteSettings settings;
  final ExtendedActorSystem system;
  final MarkerLoggingAdapter log;
  final SocketIo io;
  final EventLoops loops;
  final Tls tls;
  final Refusals refusals;
  final Latecomers latecomers = new Latecomers(this::later);
  final InboundHandshakes handshakes;
  final ByteBufAllocator buffers = PooledByteBufAllocator.DEFAULT;
  final boolean outboundLane;
  final boolean inboundLane;

  private final Runnable forget;
  private final Inbound inbound;
  private final Map<String, Counters> counters = new ConcurrentHashMap<>();
  private volatile @Nullable Serialization serialization;
  private volatile @Nullable CheapSerialisers cheapSerialisers;
  private volatile @Nullable Executor dispatcher;
  private volatile boolean closed;

  TransportEngine(
      ArteryTcpTransport transport,
      PekkoMembers members,
      RemoteSettings settings,
      Runnable forget) {
    this.forget = forget;
    this.transport = transport;
    this.members = members;
    this.settings = settings;
    system = transport.system();
    log = transport.log();
    boolean testMode = transport.settings().Advanced().TestMode();
    outboundLane = settings.outboundLane() && !testMode;
    inboundLane = settings.inboundLane() && !testMode;
    io = SocketIo.of(settings.io(), log::warning);
    loops = new EventLoops(system.name(), settings.eventLoopThreads(), io, log);
    tls = new Tls(this);
    refusals =
        new Refusals(this::logRefusal, (millis, task) -> later(Duration.ofMillis(millis), task));
    handshakes = new InboundHandshakes(this);
    inbound = new Inbound(this);
  }

  ArterySettings artery() {
    return transport.settings();
  }

  RemoteActorRefProvider provider() {
    return (RemoteActorRefProvider) system.provider();
  }

  /** The serialisers; not before they are needed, as they may need the transport. */
  Serialization serialization() {
    Serialization known = serialization;
    if (known == null) {
      known = SerializationExtension.get(system);
      serialization = known;
    }
    return known;
  }

  RemoteInstruments newInstruments() {
    return new RemoteInstruments(system);
  }

  /** The serialisers that may run on any thread; not before they are needed, as above. */
  CheapSerialisers cheapSerialisers() {
    CheapSerialisers known = cheapSerialisers;
    if (known == null) {
      known = new CheapSerialisers(serialization());
      cheapSerialisers = known;
    }
    return known;
  }

  /** What a restart brings with it is no warning; Artery does not take it for one either. */
  private void logRefusal(Refusal refusal, String line, @Nullable Throwable cause) {
    if (cause != null) {
      log.error(cause, line);
    } else if (refusal == Refusal.UNKNOWN_SYSTEM) {
      log.info(line);
    } else {
      log.warning(line);
    }
  }

  /** Runs a task after a pause, unless the system is down by then. */
  private void later(Duration pause, Runnable task) {
    try {
      system.scheduler().scheduleOnce(pause, task, system.dispatchers().internalDispatcher());
    } catch (IllegalStateException e) {
      // the scheduler is closed, and with it the log
    }
  }

  /** Where Artery's own streams run; never the calling thread. */
  Executor dispatcher() {
    Executor known = dispatcher;
    if (known == null) {
      var dispatchers = system.dispatchers();
      known =
          HandOver.to(
              dispatchers.lookup(artery().Advanced().Dispatcher()),
              dispatchers.internalDispatcher());
      dispatcher = known;
    }
    return known;
  }

  /** Binds, or answers {@code null} so that Pekko tries and says itself what is wrong. */
  @Nullable Tuple2<Object, Object> bind() {
    try {
      int boundPort = inbound.bind();
      RemoteStats.add(this);
      if (settings.clocks()) {
        RemoteStats.detailed(true);
      }
      int canonical = artery().Canonical().Port();
      log.info(
          "deimos.remote moves the bytes of Artery {}: byte mover on {}, {} data thread(s); direct lane"
              + " outbound {}, inbound {}",
          new Object[] {
            artery().Transport(),
            io.name(),
            settings.eventLoopThreads(),
            onOff(outboundLane),
            onOff(inboundLane)
          });
      return new Tuple2<>(canonical == 0 ? boundPort : canonical, boundPort);
    } catch (Exception e) {
      log.warning("deimos.remote is off, as it could not bind: {}. Artery tries itself.", e);
      closed = true;
      tls.close();
      loops.close(forget);
      return null;
    }
  }

  private static String onOff(boolean on) {
    return on ? "on" : "off";
  }

  boolean runInbound() {
    if (closed) {
      return false;
    }
    inbound.run();
    return true;
  }

  org.apache.pekko.stream.scaladsl.@Nullable Sink<EnvelopeBuffer, Future<Done>> outboundSink(
      OutboundContext context, int streamId, EnvelopeBufferPool pool) {
    if (closed) {
      return null;
    }
    return org.apache.pekko.stream.scaladsl.Sink.fromGraph(
        new OutboundSink(this, context, streamId, pool));
  }

  /** What reads the messages of Pekko's own streams. */
  org.apache.pekko.stream.scaladsl.@Nullable Flow<InboundEnvelope, InboundEnvelope, NotUsed>
      deserialiser(EnvelopeBufferPool pool) {
    return closed
        ? null
        : org.apache.pekko.stream.scaladsl.Flow.fromGraph(new InboundDeserialiser(this, pool));
  }

  boolean runOutboundOrdinary(Association association) {
    if (closed || !outboundLane || transport.isShutdown()) {
      return false;
    }
    OutboundLanes.start(this, association);
    return true;
  }

  @Nullable Future<Done> shutdown() {
    if (closed) {
      return null;
    }
    closed = true;
    RemoteStats.remove(this);
    CompletableFuture<Done> done = new CompletableFuture<>();
    members.inboundKillSwitch(transport).shutdown();
    var unused =
        inbound
            .close()
            .completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS) // an event loop may have died
            .thenRun(
                () -> {
                  tls.close();
                  loops.close(() -> stopped(done));
                });
    // the system must not hang if an event loop does
    return Scala.future(
        done.completeOnTimeout(Done.getInstance(), SHUTDOWN_SECONDS, TimeUnit.SECONDS));
  }

  private void stopped(CompletableFuture<Done> done) {
    transport.flightRecorder().tcpInboundUnbound(transport.localAddress());
    transport.flightRecorder().transportStopped();
    forget.run();
    done.complete(Done.getInstance());
  }

  boolean isClosed() {
    return closed;
  }

  /** Calls back when the kill switch is used, with {@code null} for an orderly end. */
  KillSwitchWatch watch(
      Materializer materializer,
      SharedKillSwitch first,
      @Nullable SharedKillSwitch second,
      Consumer<@Nullable Throwable> callback) {
    KillSwitchWatch watch = new KillSwitchWatch(callback);
    watch.start(materializer, first, second);
    return watch;
  }

  /** The counters of a peer; of very many peers the later ones share theirs. */
  Counters counters(String peer, String direction, int streamId) {
    String stream =
        streamId == ArteryTransport.ControlStreamId()
            ? "control"
            : streamId == ArteryTransport.LargeStreamId() ? "large" : "ordinary";
    String key = direction + ' ' + stream + ' ' + peer;
    Counters known = counters.get(key);
    if (known != null) {
      return known;
    }
    if (counters.size() >= MAX_COUNTERS && !peer.equals(OTHER_PEERS)) {
      return counters(OTHER_PEERS, direction, streamId);
    }
    return counters.computeIfAbsent(
        key, unknown -> new Counters(system.name(), peer, direction, stream));
  }

  @Override
  public List<RemoteStats.Refused> refused() {
    return refusals.snapshot(system.name());
  }

  @Override
  public RemoteStats.Batching batching() {
    return new RemoteStats.Batching(
        system.name(),
        settings.batching(),
        settings.maxPendingWrites(),
        settings.maxPendingBytes(),
        settings.flushInterval().toNanos());
  }

  @Override
  public List<RemoteStats.Peer> peers() {
    List<RemoteStats.Peer> all = new ArrayList<>();
    counters.values().forEach(counter -> all.add(counter.snapshot()));
    return all;
  }
}
