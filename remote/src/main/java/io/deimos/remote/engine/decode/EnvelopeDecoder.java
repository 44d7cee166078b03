// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.decode;

import io.deimos.remote.engine.compress.HitSampler;
import io.deimos.remote.engine.compress.PeerTables;
import io.deimos.remote.engine.count.Refusal;
import io.deimos.remote.engine.count.Refusals;
import io.deimos.remote.engine.in.InboundConnection;
import io.deimos.remote.engine.pekko.HandOver;
import io.deimos.remote.engine.wire.BadFrameException;
import io.deimos.remote.engine.wire.EnvelopeEncoder;
import io.deimos.remote.engine.wire.EnvelopeHeader;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRefWithCell;
import org.apache.pekko.actor.InternalActorRef;
import org.apache.pekko.dispatch.MessageDispatcher;
import org.apache.pekko.dispatch.NodeMessageQueue;
import org.apache.pekko.dispatch.UnboundedDequeBasedMailbox;
import org.apache.pekko.dispatch.UnboundedMailbox;
import org.apache.pekko.event.LoggingAdapter;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.EnvelopeBuffer;
import org.jspecify.annotations.Nullable;
import scala.util.control.NonFatal;

/**
 * Decodes the envelopes of one connection and has them delivered: here, one after the other, or, if
 * making messages of them takes long, on lanes by recipient.
 *
 * <p><b>Strangers.</b> From a system without a completed handshake only the request for one is
 * read. Nothing else of it is looked up, kept or made a message of.
 *
 * <p><b>Threads.</b> One at a time, in a happens-before order.
 */
final class EnvelopeDecoder {
  /** The fate of a frame. */
  enum Outcome {
    /** It is done with, and the next one may come. */
    HANDLED,
    /** The next one has to wait; see {@link #wakeWhenReady}. */
    WAITING
  }

  /** Queues without a bound, and without an order that is a user's code. */
  private static final Set<Class<?>> UNBOUNDED =
      Set.of(
          UnboundedMailbox.MessageQueue.class,
          UnboundedDequeBasedMailbox.MessageQueue.class,
          NodeMessageQueue.class);

  private final InboundLanes lanes;
  private final ArteryTransport transport;
  private final LoggingAdapter log;
  private final Refusals refusals;
  private final InboundConnection connection;
  private final Runnable wake;
  private final EnvelopeDelivery delivery;
  private final DeserialiserCosts costs = new DeserialiserCosts();
  private final HitSampler sampler = new HitSampler();
  private final PeerTables tables;
  private final EnvelopeHeader header = new EnvelopeHeader();

  /**
   * The dispatcher of the last swift recipient, and whether its executor leaves its callers alone.
   */
  private @Nullable MessageDispatcher lastDispatcher;

  private boolean handsOver;

  /** These are made when the peer is known. */
  private @Nullable PeerRefs refs;

  private @Nullable DeployRetry deploying;
  private @Nullable DeserialisingLanes spread;

  private int frameBytes;
  private @Nullable Object last;

  EnvelopeDecoder(InboundLanes lanes, InboundConnection connection, Runnable wake) {
    this.lanes = lanes;
    this.connection = connection;
    this.wake = wake;
    transport = lanes.engine.transport;
    log = lanes.engine.log;
    refusals = lanes.engine.refusals;
    delivery = new EnvelopeDelivery(lanes);
    tables = new PeerTables(lanes.compressions, refusals);
  }

  /** Whether instruments will read an envelope, which must begin at position 0 of its buffer. */
  boolean needsEnvelope(byte flags) {
    return (flags & EnvelopeEncoder.METADATA_FLAG) != 0 && delivery.isInstrumented();
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
    DeserialisingLanes others = spread;
    return isDeploying() || last != null || (others != null && others.isFull());
  }

  private boolean isDeploying() {
    DeployRetry retry = deploying;
    return retry != null && retry.isWaiting();
  }

  /** Whether all that was decoded has been delivered. */
  boolean isIdle() {
    DeserialisingLanes others = spread;
    return !isDeploying() && last == null && (others == null || others.isIdle());
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

  /** To be called when all was delivered and nothing more comes. */
  void close() {
    delivery.close();
    DeserialisingLanes others = spread;
    if (others != null) {
      others.close();
    }
  }

  /**
   * Whether decoding and delivering an envelope runs no code but Pekko's own and waits for nothing:
   * its serialiser is cheap, what it names was met before, and its recipient has a queue of Pekko's
   * without a bound, and threads of its own to run on.
   */
  boolean isSwift(ByteBuffer buffer, int from, int length) {
    header.read(buffer, from, from + length);
    PeerRefs known = refs;
    if (known == null
        || header.version > ArteryTransport.HighestVersion()
        || !tables.isSelected(header)
        || !lanes.engine.cheapSerialisers().read(header.serializer)
        || (header.senderIndex != EnvelopeHeader.LITERAL
            && tables.knownRef(header.senderIndex) == null)
        || (header.manifestIndex != EnvelopeHeader.LITERAL
            && tables.knownManifest(header.manifestIndex) == null)) {
      return false;
    }
    InternalActorRef recipient =
        header.recipientIndex == EnvelopeHeader.LITERAL
            ? known.knownRecipient(buffer, header.recipientFrom, header.recipientLength)
            : tables.knownRef(header.recipientIndex);
    return recipient != null && takesAtOnce(recipient);
  }

  private boolean takesAtOnce(InternalActorRef recipient) {
    return recipient instanceof ActorRefWithCell actor
        && actor.underlying() instanceof ActorCell cell
        && handsOver(cell.dispatcher())
        && UNBOUNDED.contains(cell.mailbox().messageQueue().getClass());
  }

  private boolean handsOver(MessageDispatcher dispatcher) {
    if (dispatcher != lastDispatcher) {
      lastDispatcher = dispatcher;
      handsOver = HandOver.isSure(dispatcher);
    }
    return handsOver;
  }

  /**
   * Decodes and delivers one envelope.
   *
   * @param buffer holds it from {@code from} on; its position and limit are free to use
   * @param whole the same if it begins at 0; needed only with instruments
   */
  Outcome decode(ByteBuffer buffer, int from, int length, @Nullable EnvelopeBuffer whole) {
    frameBytes = length;
    header.read(buffer, from, from + length);
    if (!lanes.handshakes.isLegible(header)) {
      return Outcome.HANDLED;
    }
    Association association = transport.association(header.uid);
    try {
      return association == null
          ? stranger(buffer, from + length)
          : decode(buffer, from + length, whole, association);
    } catch (BadFrameException e) {
      throw e;
    } catch (Throwable e) {
      if (!NonFatal.apply(e)) {
        throw e;
      }
      refusals.refused(
          Refusal.BAD_FRAME, "Dropping message from [" + connection.remote() + "] due to: " + e);
      return Outcome.HANDLED;
    }
  }

  /** A system that has not completed a handshake may ask for one, and nothing else. */
  private Outcome stranger(ByteBuffer buffer, int end) {
    if (!lanes.handshakes.isRequest(header, buffer)) {
      lanes.handshakes.drop(header, connection);
      return Outcome.HANDLED;
    }
    if (lanes.handshakes.isSecond(header.uid, connection)) {
      return Outcome.HANDLED;
    }
    String manifest =
        PeerRefs.text(EnvelopeHeader.copy(buffer, header.manifestFrom, header.manifestLength));
    delivery
        .envelope()
        .init(null, null, header.uid, header.serializer, manifest, header.flags, null, null, 0);
    buffer.limit(end).position(header.payloadFrom);
    Object message = delivery.deserialise(buffer, frameBytes, null);
    return message == null ? Outcome.HANDLED : delivery.deliver(message, null);
  }

  private Outcome decode(
      ByteBuffer buffer, int end, @Nullable EnvelopeBuffer whole, Association association) {
    PeerRefs known = refs;
    if (known == null) {
      known = begin();
    }
    tables.select(header);
    InternalActorRef recipient = recipient(known, buffer);
    InternalActorRef sender = sender(known, buffer);
    String manifest =
        header.manifestIndex == EnvelopeHeader.LITERAL
            ? known.manifest(buffer, header.manifestFrom, header.manifestLength)
            : tables.manifest(header.manifestIndex);
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
      return Outcome.HANDLED;
    }
    if (sampler.isDue()) {
      lanes.compressions.hit(header.uid, association.remoteAddress(), sender, recipient, manifest);
      sampler.adapt();
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
      return lookForRecipient(buffer, association);
    }
    return deliver(buffer, association);
  }

  /** The first frame of a known peer. */
  private PeerRefs begin() {
    PeerRefs known = new PeerRefs(lanes.engine.provider(), transport.localAddress());
    refs = known;
    deploying = new DeployRetry(known, log);
    int count = lanes.engine.artery().Advanced().InboundLanes();
    spread = count > 1 ? new DeserialisingLanes(lanes, count) : null;
    return known;
  }

  private @Nullable InternalActorRef recipient(PeerRefs known, ByteBuffer buffer) {
    if (header.recipientIndex != EnvelopeHeader.LITERAL) {
      return tables.ref(header.recipientIndex);
    }
    return header.recipientLength == 0
        ? null
        : known.recipient(buffer, header.recipientFrom, header.recipientLength);
  }

  private @Nullable InternalActorRef sender(PeerRefs known, ByteBuffer buffer) {
    if (header.senderIndex != EnvelopeHeader.LITERAL) {
      return tables.ref(header.senderIndex);
    }
    return header.senderLength == 0
        ? null
        : known.sender(buffer, header.senderFrom, header.senderLength);
  }

  private Outcome deliver(ByteBuffer buffer, Association association) {
    DeserialiserCosts.Cost cost = costs.of(header.serializer);
    DeserialisingLanes others = spread;
    boolean behindOthers = false;
    if (others != null && (cost.isHeavy() || !others.isIdle())) {
      delivery.dispatchHeld(); // which must not be overtaken
      if (delivery.envelope().recipient() == null) {
        behindOthers = true; // handshakes, flushes
      } else if (others.take(delivery.envelope(), buffer, frameBytes, cost)) {
        return others.isFull() ? Outcome.WAITING : Outcome.HANDLED;
      }
    }
    long begun = cost.isDue() ? System.nanoTime() : 0;
    Object message = delivery.deserialise(buffer, frameBytes, association);
    if (begun != 0) {
      cost.took(System.nanoTime() - begun);
    }
    if (message != null && behindOthers && others != null && !others.isIdle()) {
      last = message;
      return Outcome.WAITING;
    }
    return message == null ? Outcome.HANDLED : delivery.deliver(message, association);
  }

  /** The recipient is being deployed, or was looked for in vain. */
  private Outcome lookForRecipient(ByteBuffer buffer, Association association) {
    DeployRetry retry = deploying;
    if (retry == null) {
      throw new IllegalStateException("no peer");
    }
    String path =
        PeerRefs.text(EnvelopeHeader.copy(buffer, header.recipientFrom, header.recipientLength));
    InternalActorRef banned = retry.ofBanned(path);
    if (banned != null) {
      delivery.envelope().withRecipient(banned);
      return deliver(buffer, association);
    }
    Object message = delivery.deserialise(buffer, frameBytes, association);
    if (message == null) {
      return Outcome.HANDLED;
    }
    retry.begin(path, message);
    return Outcome.WAITING;
  }

  /** Takes up what the lane waited for. */
  Outcome goOn() {
    DeserialisingLanes others = spread;
    Object message = last;
    if (others != null && (message == null ? others.isFull() : !others.isIdle())) {
      return Outcome.WAITING;
    }
    if (message != null) {
      last = null;
      return deliverWaiting(message);
    }
    DeployRetry retry = deploying;
    if (retry == null || !retry.isWaiting()) {
      return Outcome.HANDLED;
    }
    InternalActorRef ref = retry.lookAgain();
    Object waiting = ref == null ? null : retry.takeMessage();
    if (waiting == null) {
      return Outcome.WAITING;
    }
    delivery.envelope().withRecipient(ref);
    return deliverWaiting(waiting);
  }

  private Outcome deliverWaiting(Object message) {
    return delivery.deliver(message, (Association) delivery.envelope().association());
  }

  /**
   * To be called when nothing else is left to do in this run: has {@code wake} run when it may go
   * on.
   */
  void wakeWhenReady() {
    CompletionStage<?> handshake = delivery.takeHandshake();
    DeserialisingLanes others = spread;
    if (handshake != null) {
      handshake.whenComplete((done, failure) -> wake.run());
    } else if (others != null && !isDeploying()) {
      others.whenReady(last != null, wake);
    } else {
      lanes.later(DeployRetry.PAUSE, wake);
    }
  }

  @Override
  public String toString() {
    return "EnvelopeDecoder(" + connection.remote() + ")";
  }
}
