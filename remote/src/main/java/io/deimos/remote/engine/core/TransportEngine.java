// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.core;

import io.deimos.remote.RemoteStats;
import io.deimos.remote.engine.count.Counters;
import io.deimos.remote.engine.count.Refusal;
import io.deimos.remote.engine.count.Refusals;
import io.deimos.remote.engine.net.EventLoops;
import io.deimos.remote.engine.net.SocketIo;
import io.deimos.remote.engine.pekko.HandOver;
import io.deimos.remote.engine.pekko.KillSwitchWatch;
import io.deimos.remote.engine.pekko.PekkoMembers;
import io.deimos.remote.engine.settings.RemoteSettings;
import io.deimos.remote.engine.task.Latecomers;
import io.deimos.remote.engine.tls.Tls;
import io.deimos.remote.engine.wire.CheapSerialisers;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.event.MarkerLoggingAdapter;
import org.apache.pekko.remote.RemoteActorRefProvider;
import org.apache.pekko.remote.artery.ArterySettings;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.RemoteInstruments;
import org.apache.pekko.remote.artery.tcp.ArteryTcpTransport;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.SerializationExtension;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.SharedKillSwitch;
import org.jspecify.annotations.Nullable;

/**
 * Shared by the parts of one actor system's transport: Pekko's side of it, the settings, event
 * loops, counters.
 *
 * <p><b>Threads.</b> Any.
 */
public final class TransportEngine implements RemoteStats.Source {
  private static final int MAX_COUNTERS = 1024;
  private static final String OTHER_PEERS = "other";

  public final ArteryTcpTransport transport;
  public final PekkoMembers members;
  public final RemoteSettings settings;
  public final ExtendedActorSystem system;
  public final MarkerLoggingAdapter log;
  public final SocketIo io;
  public final EventLoops loops;
  public final Tls tls;
  public final Refusals refusals;
  public final Latecomers latecomers = new Latecomers(this::later);
  public final ByteBufAllocator buffers = PooledByteBufAllocator.DEFAULT;
  public final boolean outboundLane;
  public final boolean inboundLane;

  private final Map<String, Counters> counters = new ConcurrentHashMap<>();
  private volatile @Nullable Serialization serialization;
  private volatile @Nullable CheapSerialisers cheapSerialisers;
  private volatile @Nullable Executor dispatcher;
  private volatile boolean closed;

  public TransportEngine(
      ArteryTcpTransport transport, PekkoMembers members, RemoteSettings settings) {
    this.transport = transport;
    this.members = members;
    this.settings = settings;
    system = transport.system();
    log = transport.log();
    boolean testMode = transport.settings().Advanced().TestMode();
    outboundLane = settings.directLane().outbound() && !testMode;
    inboundLane = settings.directLane().inbound() && !testMode;
    io = SocketIo.of(settings.loops().io(), log::warning);
    loops = new EventLoops(system.name(), settings.loops().threads(), io, log);
    tls = new Tls(system.name(), settings.strangers().max(), members.sslEngineProvider(transport));
    refusals =
        new Refusals(this::logRefusal, (millis, task) -> later(Duration.ofMillis(millis), task));
  }

  public ArterySettings artery() {
    return transport.settings();
  }

  public RemoteActorRefProvider provider() {
    return (RemoteActorRefProvider) system.provider();
  }

  /** The serialisers; not before they are needed, as they may need the transport. */
  public Serialization serialization() {
    Serialization known = serialization;
    if (known == null) {
      known = SerializationExtension.get(system);
      serialization = known;
    }
    return known;
  }

  public RemoteInstruments newInstruments() {
    return new RemoteInstruments(system);
  }

  /** The serialisers that may run on any thread; not before they are needed, as above. */
  public CheapSerialisers cheapSerialisers() {
    CheapSerialisers known = cheapSerialisers;
    if (known == null) {
      known = new CheapSerialisers(serialization());
      cheapSerialisers = known;
    }
    return known;
  }

  /** Losses by a restart are no warning; Artery does not take it for one either. */
  private void logRefusal(Refusal refusal, String line, @Nullable Throwable cause) {
    if (cause != null) {
      log.error(cause, line);
    } else if (refusal == Refusal.UNKNOWN_SYSTEM) {
      log.info(line);
    } else {
      log.warning(line);
    }
  }

  /**
   * Runs a task after a pause, unless the system is down by then.
   *
   * @return false if it never will, as the system is stopping
   */
  public boolean later(Duration pause, Runnable task) {
    try {
      system.scheduler().scheduleOnce(pause, task, system.dispatchers().internalDispatcher());
      return true;
    } catch (IllegalStateException e) {
      return false; // the scheduler is closed, and with it the log
    }
  }

  /** Where Artery's own streams run; never the calling thread. */
  public Executor dispatcher() {
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

  /** From now on nothing is begun any more. */
  public void close() {
    closed = true;
  }

  public boolean isClosed() {
    return closed;
  }

  /** Calls back when the kill switch is used, with {@code null} for an orderly end. */
  public KillSwitchWatch watch(
      Materializer materializer,
      SharedKillSwitch first,
      @Nullable SharedKillSwitch second,
      Consumer<@Nullable Throwable> callback) {
    KillSwitchWatch watch = new KillSwitchWatch(callback);
    watch.start(materializer, first, second);
    return watch;
  }

  /** The counters of a peer; of very many peers the later ones share theirs. */
  public Counters counters(String peer, String direction, int streamId) {
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
    RemoteSettings.Batching batching = settings.batching();
    return new RemoteStats.Batching(
        system.name(),
        batching.enabled(),
        batching.maxPendingWrites(),
        batching.maxPendingBytes(),
        batching.flushInterval().toNanos());
  }

  @Override
  public List<RemoteStats.Peer> peers() {
    List<RemoteStats.Peer> all = new ArrayList<>();
    counters.values().forEach(counter -> all.add(counter.snapshot()));
    return all;
  }
}
