// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.compress;

import io.deimos.remote.engine.core.TransportEngine;
import io.deimos.remote.engine.pekko.Scala;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.pekko.Done;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.remote.artery.ArterySettings;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.Decoder;
import org.apache.pekko.remote.artery.compress.CompressionProtocol.ActorRefCompressionAdvertisementAck;
import org.apache.pekko.remote.artery.compress.CompressionProtocol.ClassManifestCompressionAdvertisementAck;
import org.apache.pekko.remote.artery.compress.InboundCompressions;
import org.jspecify.annotations.Nullable;
import scala.concurrent.Future;
import scala.concurrent.duration.FiniteDuration;
import scala.util.control.NonFatal;

/**
 * The transport's inbound compression tables: Pekko's own, but apart for each peer, as they belong
 * to the one decoder in Pekko's streams and to several lanes here.
 *
 * <p><b>Threads.</b> Any. A peer's tables have a lock of their own, which is held while they are
 * looked into, counted for or built, and never while something is sent. An event loop never waits
 * for it: it asks only for what it has met before, and {@link #hit} gives way.
 *
 * <p><b>Full.</b> Only peers with a completed handshake have tables, so there are no more of them
 * than associations.
 */
public final class CompressionGate implements Decoder.InboundCompressionAccess {
  private final TransportEngine engine;
  private final Map<Long, PeerCompressions> peers = new ConcurrentHashMap<>();
  private @Nullable Cancellable refTimer;
  private @Nullable Cancellable manifestTimer;

  public CompressionGate(TransportEngine engine) {
    this.engine = engine;
  }

  public synchronized void start() {
    ArterySettings.Compression compression = engine.artery().Advanced().Compression();
    if (compression.ActorRefs().Enabled()) {
      refTimer =
          every(
              compression.ActorRefs().AdvertisementInterval(), this::runNextActorRefAdvertisement);
    }
    if (compression.Manifests().Enabled()) {
      manifestTimer =
          every(
              compression.Manifests().AdvertisementInterval(),
              this::runNextClassManifestAdvertisement);
    }
  }

  private Cancellable every(FiniteDuration interval, Runnable task) {
    Duration delay = Duration.ofNanos(interval.toNanos());
    return engine
        .system
        .scheduler()
        .scheduleWithFixedDelay(
            delay, delay, task, engine.system.dispatchers().internalDispatcher());
  }

  public synchronized void stop() {
    if (refTimer != null) {
      refTimer.cancel();
    }
    if (manifestTimer != null) {
      manifestTimer.cancel();
    }
  }

  @Nullable ActorRef ref(long originUid, byte version, int index) {
    PeerCompressions peer = of(originUid);
    return peer == null
        ? null
        : peer.get(tables -> tables.decompressActorRef(originUid, version, index));
  }

  @Nullable String manifest(long originUid, byte version, int index) {
    PeerCompressions peer = of(originUid);
    return peer == null
        ? null
        : peer.get(tables -> tables.decompressClassManifest(originUid, version, index));
  }

  /** Counts a message for the next tables, unless they are in use at this moment. */
  public void hit(
      long originUid,
      Address peer,
      @Nullable ActorRef sender,
      @Nullable ActorRef recipient,
      String manifest) {
    PeerCompressions of = of(originUid);
    if (of != null) {
      of.tryUse(
          tables -> {
            if (sender != null) {
              tables.hitActorRef(originUid, peer, sender, 1);
            }
            if (recipient != null) {
              tables.hitActorRef(originUid, peer, recipient, 1);
            }
            tables.hitClassManifest(originUid, peer, manifest, 1);
          });
    }
  }

  /** Those of a peer; null if no handshake says that it is one. */
  private @Nullable PeerCompressions of(long originUid) {
    PeerCompressions known = peers.get(originUid);
    if (known != null || !isPeer(originUid)) {
      return known;
    }
    return peers.computeIfAbsent(originUid, uid -> tablesOfAPeer());
  }

  private PeerCompressions tablesOfAPeer() {
    return new PeerCompressions(
        engine.system,
        engine.transport,
        engine.artery().Advanced().Compression(),
        engine.transport.flightRecorder());
  }

  private boolean isPeer(long originUid) {
    Association association = engine.transport.association(originUid);
    return association != null && !association.associationState().isQuarantined(originUid);
  }

  /** Has each peer told of its next table, one after the other, whatever happens with one. */
  private void advertise(Consumer<InboundCompressions> next) {
    peers.keySet().removeIf(uid -> !isPeer(uid));
    for (Map.Entry<Long, PeerCompressions> peer : peers.entrySet()) {
      try {
        peer.getValue().useAndSend(next);
      } catch (Throwable e) {
        if (!NonFatal.apply(e)) {
          throw e;
        }
        engine.log.warning(
            "Telling the system with UID [{}] of a compression table failed and is tried again: {}",
            peer.getKey(),
            e);
      }
    }
  }

  private static Future<Done> done() {
    return Future.successful(Done.getInstance());
  }

  @Override
  public Future<Done> confirmActorRefCompressionAdvertisementAck(
      ActorRefCompressionAdvertisementAck ack) {
    long uid = ack.from().uid();
    PeerCompressions peer = peers.get(uid);
    if (peer != null) {
      peer.use(tables -> tables.confirmActorRefCompressionAdvertisement(uid, ack.tableVersion()));
    }
    return done();
  }

  @Override
  public Future<Done> confirmClassManifestCompressionAdvertisementAck(
      ClassManifestCompressionAdvertisementAck ack) {
    long uid = ack.from().uid();
    PeerCompressions peer = peers.get(uid);
    if (peer != null) {
      peer.use(
          tables -> tables.confirmClassManifestCompressionAdvertisement(uid, ack.tableVersion()));
    }
    return done();
  }

  @Override
  public Future<Done> closeCompressionFor(long originUid) {
    peers.remove(originUid);
    return done();
  }

  @Override
  public void runNextActorRefAdvertisement() {
    advertise(InboundCompressions::runNextActorRefAdvertisement);
  }

  @Override
  public void runNextClassManifestAdvertisement() {
    advertise(InboundCompressions::runNextClassManifestAdvertisement);
  }

  @Override
  public Future<scala.collection.immutable.Set<Object>> currentCompressionOriginUids() {
    java.util.Set<Object> uids = new java.util.HashSet<>(peers.keySet());
    return Future.successful(Scala.immutableSet(uids));
  }
}
