// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import java.time.Duration;
import org.apache.pekko.Done;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.remote.artery.ArterySettings;
import org.apache.pekko.remote.artery.Decoder;
import org.apache.pekko.remote.artery.compress.CompressionProtocol.ActorRefCompressionAdvertisementAck;
import org.apache.pekko.remote.artery.compress.CompressionProtocol.ClassManifestCompressionAdvertisementAck;
import org.apache.pekko.remote.artery.compress.InboundCompressions;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Set;
import scala.concurrent.Future;
import scala.concurrent.duration.FiniteDuration;

/**
 * The transport's inbound compression tables, which belong to the one decoder in Pekko's streams
 * and to several lanes here: everything that touches them goes through one lock. Lanes come rarely:
 * for an entry they have not met, and for the sample of messages that is counted.
 */
final class CompressionGate implements Decoder.InboundCompressionAccess {
  private final TransportEngine engine;
  private final InboundCompressions tables;
  private @Nullable Cancellable refTimer;
  private @Nullable Cancellable manifestTimer;

  CompressionGate(TransportEngine engine) {
    this.engine = engine;
    tables = engine.transport._inboundCompressions();
  }

  synchronized void start() {
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

  synchronized void stop() {
    if (refTimer != null) {
      refTimer.cancel();
    }
    if (manifestTimer != null) {
      manifestTimer.cancel();
    }
  }

  synchronized @Nullable ActorRef ref(long originUid, byte version, int index) {
    return tables.decompressActorRef(originUid, version, index);
  }

  synchronized @Nullable String manifest(long originUid, byte version, int index) {
    return tables.decompressClassManifest(originUid, version, index);
  }

  synchronized void hit(
      long originUid,
      Address peer,
      @Nullable ActorRef sender,
      @Nullable ActorRef recipient,
      String manifest) {
    if (sender != null) {
      tables.hitActorRef(originUid, peer, sender, 1);
    }
    if (recipient != null) {
      tables.hitActorRef(originUid, peer, recipient, 1);
    }
    tables.hitClassManifest(originUid, peer, manifest, 1);
  }

  private static Future<Done> done() {
    return Future.successful(Done.getInstance());
  }

  @Override
  public synchronized Future<Done> confirmActorRefCompressionAdvertisementAck(
      ActorRefCompressionAdvertisementAck ack) {
    tables.confirmActorRefCompressionAdvertisement(ack.from().uid(), ack.tableVersion());
    return done();
  }

  @Override
  public synchronized Future<Done> confirmClassManifestCompressionAdvertisementAck(
      ClassManifestCompressionAdvertisementAck ack) {
    tables.confirmClassManifestCompressionAdvertisement(ack.from().uid(), ack.tableVersion());
    return done();
  }

  @Override
  public synchronized Future<Done> closeCompressionFor(long originUid) {
    tables.close(originUid);
    return done();
  }

  @Override
  public synchronized void runNextActorRefAdvertisement() {
    tables.runNextActorRefAdvertisement();
  }

  @Override
  public synchronized void runNextClassManifestAdvertisement() {
    tables.runNextClassManifestAdvertisement();
  }

  @Override
  public synchronized Future<Set<Object>> currentCompressionOriginUids() {
    return Future.successful(tables.currentOriginUids());
  }
}
