// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefWithCell;
import org.apache.pekko.actor.EmptyLocalActorRef;
import org.apache.pekko.actor.InternalActorRef;
import org.apache.pekko.dispatch.Dispatcher;
import org.apache.pekko.dispatch.NodeMessageQueue;
import org.apache.pekko.dispatch.UnboundedDequeBasedMailbox;
import org.apache.pekko.dispatch.UnboundedMailbox;
import org.apache.pekko.event.LoggingAdapter;
import org.apache.pekko.remote.RemoteActorRef;
import org.apache.pekko.remote.artery.ActorRefResolveCacheWithAddress;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.EnvelopeBuffer;
import org.jspecify.annotations.Nullable;
import scala.util.control.NonFatal;

/**
 * Decodes the envelopes of one connection and has them delivered: here, one after the other, or, if
 * making messages of them takes long, on lanes by recipient.
 *
 * <p><b>Threads.</b> One at a time, in a happens-before order.
 */
final class EnvelopeDecoder {
  private static final int REFS = 1024;
  private static final int MANIFESTS = 256;
  private static final Duration RETRY = Duration.ofMillis(50);
  private static final int RETRIES = 20;
  private static final int BANNED = 100;
  private static final int UNSAMPLED_RATE = 1000;
  private static final long SECOND_NANOS = 1_000_000_000L;

  /** Messages after which the rate is known without waiting for the second to pass. */
  private static final int SOON = 4096;

  private static final int ALL_READ = -1;

  /** Queues without a bound, and without an order that is a user's code. */
  private static final Set<Class<?>> UNBOUNDED =
      Set.of(
          UnboundedMailbox.MessageQueue.class,
          UnboundedDequeBasedMailbox.MessageQueue.class,
          NodeMessageQueue.class);

  private final InboundLanes lanes;
  private final ArteryTransport transport;
  private final CompressionGate compressions;
  private final LoggingAdapter log;
  private final InboundConnection connection;
  private final Runnable wake;
  private final EnvelopeDelivery delivery;
  private final DeserialiserCosts costs = new DeserialiserCosts();
  private final @Nullable DeserialisingLanes spread;
  private final ActorRefResolveCacheWithAddress resolver;
  private final ByteCache<InternalActorRef> recipients = new ByteCache<>(REFS);
  private final ByteCache<InternalActorRef> senders = new ByteCache<>(REFS);
  private final ByteCache<String> manifests = new ByteCache<>(MANIFESTS);
  private final Set<String> banned = new HashSet<>();
  private final EnvelopeHeader header = new EnvelopeHeader();

  private long tablesUid;
  private int refTable = ALL_READ;
  private int manifestTable = ALL_READ;
  private @Nullable InternalActorRef[] tableRefs = new InternalActorRef[0];
  private @Nullable String[] tableManifests = new String[0];

  private long messages;
  private int frameBytes;
  private long heavyHitterMask;
  private long tickNanos = System.nanoTime();
  private long tickMessages;

  private @Nullable Retry retry;
  private @Nullable Object last;

  EnvelopeDecoder(InboundLanes lanes, InboundConnection connection, Runnable wake) {
    this.lanes = lanes;
    this.connection = connection;
    this.wake = wake;
    transport = lanes.engine.transport;
    compressions = lanes.compressions;
    log = lanes.engine.log;
    delivery = new EnvelopeDelivery(lanes);
    int count = lanes.engine.artery().Advanced().InboundLanes();
    spread = count > 1 ? new DeserialisingLanes(lanes, count) : null;
    resolver =
        new ActorRefResolveCacheWithAddress(lanes.engine.provider(), transport.localAddress());
  }

  /** Whether instruments will read an envelope, which must begin at position 0 of its buffer. */
  boolean needsEnvelope(byte flags) {
    return delivery.isInstrumented() && (flags & EnvelopeEncoder.METADATA_FLAG) != 0;
  }

  /** The uid of the system that sent the last envelope. */
  long uid() {
    return header.uid;
  }

  /** Delivers what was decoded and is held; to be called at the end of each run. */
  void deliverHeld() {
    delivery.dispatchHeld();
  }

  /** Whether the last message has yet to be delivered, or the lanes have too much to do. */
  boolean isWaiting() {
    return retry != null || last != null || (spread != null && spread.isFull());
  }

  /** Whether all that was decoded has been delivered. */
  boolean isIdle() {
    return retry == null && last == null && (spread == null || spread.isIdle());
  }

  /** Has {@code wake} run when the lanes have delivered all they took. */
  void wakeWhenIdle() {
    DeserialisingLanes others = spread;
    if (others == null) {
      wake.run();
    } else {
      others.whenReady(true, wake);
    }
  }

  /**
   * Whether decoding and delivering an envelope runs no code but Pekko's own and waits for nothing:
   * its serialiser is cheap, and its recipient is known and has a queue of Pekko's without a bound.
   */
  boolean isSwift(ByteBuffer buffer, int from, int length) {
    header.read(buffer, from, from + length);
    if (header.version > ArteryTransport.HighestVersion()
        || header.uid != tablesUid
        || !lanes.cheapSerialisers().read(header.serializer)) {
      return false;
    }
    InternalActorRef recipient;
    if (header.recipientIndex == EnvelopeHeader.LITERAL) {
      int at = header.recipientFrom;
      int bytes = header.recipientLength;
      recipient = recipients.get(ByteCache.hash(buffer, at, bytes), buffer, at, bytes);
    } else {
      recipient =
          header.refTable == refTable && header.recipientIndex < tableRefs.length
              ? tableRefs[header.recipientIndex]
              : null;
    }
    return recipient != null && takesAtOnce(recipient);
  }

  private static boolean takesAtOnce(InternalActorRef recipient) {
    return recipient instanceof ActorRefWithCell actor
        && actor.underlying() instanceof ActorCell cell
        && cell.dispatcher().getClass() == Dispatcher.class
        && UNBOUNDED.contains(cell.mailbox().messageQueue().getClass());
  }

  /**
   * Decodes and delivers one envelope.
   *
   * @param buffer holds it from {@code from} on; its position and limit are free to use
   * @param whole the same if it begins at 0; needed only with instruments
   * @return false if the next one has to wait; see {@link #wakeWhenReady}
   */
  boolean decode(ByteBuffer buffer, int from, int length, @Nullable EnvelopeBuffer whole) {
    messages++;
    frameBytes = length;
    header.read(buffer, from, from + length);
    if (header.version > ArteryTransport.HighestVersion()) {
      log.warning(
          "Dropping message due to: Incompatible protocol version [{}], highest known version for this"
              + " node is [{}]",
          header.version,
          ArteryTransport.HighestVersion());
      return true;
    }
    Association association = transport.association(header.uid);
    try {
      return decode(buffer, from + length, whole, association);
    } catch (BadFrameException e) {
      throw e;
    } catch (Throwable e) {
      if (!NonFatal.apply(e)) {
        throw e;
      }
      log.warning("Dropping message due to: {}", e);
      return true;
    }
  }

  private boolean decode(
      ByteBuffer buffer,
      int end,
      @Nullable EnvelopeBuffer whole,
      @Nullable Association association) {
    selectTables();
    InternalActorRef recipient = recipient(buffer);
    InternalActorRef sender = sender(buffer);
    String manifest = manifest(buffer);
    if ((recipient == null && header.recipientIndex != EnvelopeHeader.LITERAL)
        || (sender == null && header.senderIndex != EnvelopeHeader.LITERAL)
        || manifest == null) {
      log.debug(
          "Dropping message with unknown recipient, sender or manifest. It was probably sent from system"
              + " [{}] with compression table [{}] built for previous incarnation of the destination"
              + " system, or it was compressed with a table that has already been discarded in the"
              + " destination system.",
          header.uid,
          header.refTable);
      return true;
    }
    if ((messages & heavyHitterMask) == 0) {
      sample(association, sender, recipient, manifest);
    }
    delivery
        .envelope()
        .init(
            recipient,
            sender,
            header.uid,
            header.serializer,
            manifest,
            header.flags,
            whole,
            association,
            0);
    buffer.limit(end).position(header.payloadFrom);
    if (recipient == null && !header.hasNoRecipient()) {
      return retryLater(buffer, association);
    }
    return deliver(buffer, association);
  }

  private boolean deliver(ByteBuffer buffer, @Nullable Association association) {
    DeserialiserCosts.Cost cost = costs.of(header.serializer);
    DeserialisingLanes others = spread;
    boolean behindOthers = false;
    if (others != null && (cost.isHeavy() || !others.isIdle())) {
      delivery.dispatchHeld(); // which must not be overtaken
      if (delivery.envelope().recipient() == null) {
        behindOthers = true; // handshakes, flushes
      } else if (others.take(delivery.envelope(), buffer, frameBytes, cost)) {
        return !others.isFull();
      }
    }
    long begun = cost.isDue() ? System.nanoTime() : 0;
    Object message = delivery.deserialise(buffer, frameBytes, association);
    if (begun != 0) {
      cost.took(System.nanoTime() - begun);
    }
    if (message != null && behindOthers && others != null && !others.isIdle()) {
      last = message;
      return false;
    }
    return message == null || delivery.deliver(message, association);
  }

  /**
   * To be called when nothing else is left to do in this run: has {@code wake} run when it may go
   * on.
   */
  void wakeWhenReady() {
    CompletionStage<?> handshake = delivery.takeHandshake();
    if (handshake != null) {
      handshake.whenComplete((done, failure) -> wake.run());
    } else if (spread != null && retry == null) {
      spread.whenReady(last != null, wake);
    } else {
      lanes.later(RETRY, wake);
    }
  }

  // -- who is meant -------------------------------------------------------------------------------

  private @Nullable InternalActorRef recipient(ByteBuffer buffer) {
    if (header.recipientIndex != EnvelopeHeader.LITERAL) {
      return tableRef(header.recipientIndex);
    }
    int length = header.recipientLength;
    if (length == 0) {
      return null;
    }
    int from = header.recipientFrom;
    long hash = ByteCache.hash(buffer, from, length);
    InternalActorRef known = recipients.get(hash, buffer, from, length);
    if (known == null) {
      byte[] literal = EnvelopeHeader.copy(buffer, from, length);
      known = resolveRecipient(path(literal));
      if (known != null && cacheable(known)) {
        recipients.put(hash, literal, known);
      }
    }
    return known;
  }

  private @Nullable InternalActorRef resolveRecipient(String path) {
    InternalActorRef ref = resolver.getOrCompute(path);
    if (ref instanceof EmptyLocalActorRef) {
      var elements = ref.path().elements().iterator();
      if (elements.hasNext() && elements.next().equals("remote")) {
        return null; // it may be on its way to be deployed
      }
    }
    return ref;
  }

  private @Nullable InternalActorRef sender(ByteBuffer buffer) {
    if (header.senderIndex != EnvelopeHeader.LITERAL) {
      return tableRef(header.senderIndex);
    }
    int length = header.senderLength;
    if (length == 0) {
      return null;
    }
    int from = header.senderFrom;
    long hash = ByteCache.hash(buffer, from, length);
    InternalActorRef known = senders.get(hash, buffer, from, length);
    if (known == null) {
      byte[] literal = EnvelopeHeader.copy(buffer, from, length);
      known = resolver.resolve(path(literal));
      if (cacheable(known)) {
        senders.put(hash, literal, known);
      }
    } else if (known instanceof RemoteActorRef remote) {
      Association cached = remote.cachedAssociation();
      if (cached != null && cached.isRemovedAfterQuarantined()) {
        remote.cachedAssociation_$eq(null);
      }
    }
    return known;
  }

  private static String path(byte[] literal) {
    return new String(literal, StandardCharsets.ISO_8859_1);
  }

  /** What Artery's own cache keeps. */
  private static boolean cacheable(InternalActorRef ref) {
    return !(ref instanceof EmptyLocalActorRef) && !InternalActorRef.isTemporaryRef(ref);
  }

  private @Nullable String manifest(ByteBuffer buffer) {
    if (header.manifestIndex != EnvelopeHeader.LITERAL) {
      return tableManifest(header.manifestIndex);
    }
    int length = header.manifestLength;
    if (length == 0) {
      return "";
    }
    int from = header.manifestFrom;
    long hash = ByteCache.hash(buffer, from, length);
    String known = manifests.get(hash, buffer, from, length);
    if (known == null) {
      byte[] literal = EnvelopeHeader.copy(buffer, from, length);
      known = path(literal);
      manifests.put(hash, literal, known);
    }
    return known;
  }

  // -- compression tables: an entry, once read, is valid as long as its version is
  // ------------------

  private void selectTables() {
    boolean other = header.uid != tablesUid;
    tablesUid = header.uid;
    if (other || header.refTable != refTable) {
      refTable = header.refTable;
      tableRefs = new InternalActorRef[0];
    }
    if (other || header.manifestTable != manifestTable) {
      manifestTable = header.manifestTable;
      tableManifests = new String[0];
    }
  }

  private @Nullable InternalActorRef tableRef(int index) {
    InternalActorRef known = index < tableRefs.length ? tableRefs[index] : null;
    if (known == null) {
      try {
        known = (InternalActorRef) compressions.ref(header.uid, header.refTable, index);
      } catch (RuntimeException e) {
        // probably version mismatch due to restarted system
        log.warning("Couldn't decompress actor ref from originUid [{}]. {}", header.uid, e);
      }
      if (known != null) {
        tableRefs = Arrays.copyOf(tableRefs, Math.max(index + 1, tableRefs.length));
        tableRefs[index] = known;
      }
    }
    return known;
  }

  private @Nullable String tableManifest(int index) {
    String known = index < tableManifests.length ? tableManifests[index] : null;
    if (known == null) {
      try {
        known = compressions.manifest(header.uid, header.manifestTable, index);
      } catch (RuntimeException e) {
        log.warning("Couldn't decompress manifest from originUid [{}]. {}", header.uid, e);
      }
      if (known != null) {
        tableManifests = Arrays.copyOf(tableManifests, Math.max(index + 1, tableManifests.length));
        tableManifests[index] = known;
      }
    }
    return known;
  }

  /** Counts this message for the next tables, and sets how many of the next ones are. */
  private void sample(
      @Nullable Association association,
      @Nullable ActorRef sender,
      @Nullable ActorRef recipient,
      String manifest) {
    if (association != null) {
      compressions.hit(header.uid, association.remoteAddress(), sender, recipient, manifest);
    }
    long now = System.nanoTime();
    long passed = now - tickNanos;
    if (passed >= SECOND_NANOS || messages - tickMessages >= SOON) {
      long rate = (messages - tickMessages) * SECOND_NANOS / Math.max(1, passed);
      heavyHitterMask =
          rate < UNSAMPLED_RATE
              ? 0
              : rate < UNSAMPLED_RATE * 10
                  ? (1 << 6) - 1
                  : rate < UNSAMPLED_RATE * 100 ? (1 << 7) - 1 : (1 << 8) - 1;
      tickMessages = messages;
      tickNanos = now;
    }
  }

  // -- the first messages to an actor that is being deployed from afar
  // ------------------------------

  private boolean retryLater(ByteBuffer buffer, @Nullable Association association) {
    String path = path(EnvelopeHeader.copy(buffer, header.recipientFrom, header.recipientLength));
    if (banned.contains(path)) {
      InternalActorRef ref = resolver.getOrCompute(path);
      if (ref instanceof EmptyLocalActorRef) {
        log.warning(
            "Message for banned (terminated, unresolved) remote deployed recipient [{}].", path);
      }
      delivery.envelope().withRecipient(ref);
      return deliver(buffer, association);
    }
    Object message = delivery.deserialise(buffer, frameBytes, association);
    if (message == null) {
      return true;
    }
    retry = new Retry(path, message, RETRIES);
    return false;
  }

  /** Takes up what the lane waited for; returns false if it has to wait longer. */
  boolean goOn() {
    DeserialisingLanes others = spread;
    Object message = last;
    if (others != null && (message == null ? others.isFull() : !others.isIdle())) {
      return false;
    }
    if (message != null) {
      last = null;
      return delivery.deliver(message, (Association) delivery.envelope().association());
    }
    Retry waiting = retry;
    if (waiting == null) {
      return true;
    }
    InternalActorRef ref = resolveRecipient(waiting.path);
    if (ref == null && waiting.left > 0) {
      retry = new Retry(waiting.path, waiting.message, waiting.left - 1);
      return false;
    }
    retry = null;
    if (ref == null) {
      if (banned.size() >= BANNED) {
        banned.clear(); // keep it bounded
      }
      banned.add(waiting.path);
      ref = resolver.getOrCompute(waiting.path);
    }
    delivery.envelope().withRecipient(ref);
    return delivery.deliver(waiting.message, (Association) delivery.envelope().association());
  }

  /** A message whose recipient is not there yet. */
  private record Retry(String path, Object message, int left) {}

  @Override
  public String toString() {
    return "EnvelopeDecoder(" + connection.channel.remoteAddress() + ")";
  }
}
