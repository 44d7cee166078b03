// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.decode;

import io.deimos.remote.MessageMeter;
import io.deimos.remote.RemoteStats;
import io.deimos.remote.engine.count.Refusal;
import io.deimos.remote.engine.pekko.Scala;
import io.deimos.remote.engine.wire.ShortText;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSelectionMessage;
import org.apache.pekko.event.Logging;
import org.apache.pekko.event.LoggingAdapter;
import org.apache.pekko.remote.HeartbeatMessage;
import org.apache.pekko.remote.UniqueAddress;
import org.apache.pekko.remote.artery.ActorSystemTerminating;
import org.apache.pekko.remote.artery.ActorSystemTerminatingAck;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.Flush$;
import org.apache.pekko.remote.artery.FlushAck;
import org.apache.pekko.remote.artery.OutboundHandshake.HandshakeReq;
import org.apache.pekko.remote.artery.OutboundHandshake.HandshakeRsp;
import org.apache.pekko.remote.artery.Quarantined;
import org.apache.pekko.remote.artery.RemoteInstruments;
import org.apache.pekko.remote.artery.ReusableInboundEnvelope;
import org.jspecify.annotations.Nullable;
import scala.concurrent.Future;

/**
 * Makes a message of an envelope's bytes and brings it where it belongs: what Artery's
 * deserialiser, flush and termination repliers, handshake and quarantine check do.
 *
 * <p><b>Wake-ups.</b> Messages for actors are held until {@link #dispatchHeld}, or until there are
 * {@value #HELD} of them, and then dispatched in one go: an actor's dispatcher that is busy waking
 * its first thread takes what follows at once without waking more.
 *
 * <p><b>Order.</b> That of the envelopes: what is no message for an actor comes after those held.
 *
 * <p><b>Threads.</b> One at a time, in a happens-before order.
 */
final class EnvelopeDelivery {
  private static final int HELD = 256;

  /** The first ones hold messages; that behind them is under way. Made when they are needed. */
  private final @Nullable ReusableInboundEnvelope[] envelopes =
      new ReusableInboundEnvelope[HELD + 1];

  private final ShortText texts = new ShortText();
  private int held;

  private final InboundLanes lanes;
  private final ArteryTransport transport;
  private final LoggingAdapter log;
  private @Nullable RemoteInstruments instruments;
  private boolean instrumented;
  private final int flushAcks;
  private @Nullable CompletionStage<?> handshaking;

  EnvelopeDelivery(InboundLanes lanes) {
    this.lanes = lanes;
    transport = lanes.engine.transport;
    log = lanes.engine.log;
    flushAcks = lanes.engine.artery().Advanced().InboundLanes();
  }

  /** Whether instruments read the metadata of envelopes. */
  boolean isInstrumented() {
    return instruments == null ? instruments().nonEmpty() : instrumented;
  }

  /** The ones of this delivery, from the first message of a known peer on. */
  private RemoteInstruments instruments() {
    RemoteInstruments mine = instruments;
    if (mine == null) {
      mine = lanes.instruments.take();
      instruments = mine;
      instrumented = mine.nonEmpty();
    }
    return mine;
  }

  /** To be called when no more messages come. */
  void close() {
    RemoteInstruments mine = instruments;
    if (mine != null) {
      instruments = null;
      lanes.instruments.give(mine);
    }
  }

  /**
   * The message whose bytes are between the buffer's position and its limit; null if that fails,
   * which is logged.
   *
   * @param frameBytes the length of the whole envelope
   */
  @Nullable Object deserialise(
      ByteBuffer buffer, int frameBytes, @Nullable Association association) {
    try {
      if (association == null || !isInstrumented()) {
        Object message = metered(buffer, frameBytes, RemoteStats.meter());
        envelope().withMessage(message);
        return message;
      }
      return deserialise(buffer, frameBytes, instruments());
    } catch (Throwable e) {
      if (!InboundDeserialiser.isOfMessage(e)) {
        throw InboundDeserialiser.sneaky(e);
      }
      if (association == null) {
        lanes.engine.refusals.refused(
            Refusal.BAD_FRAME, "Failed to deserialize the handshake of an unknown system: " + e);
      } else {
        InboundDeserialiser.unreadable(lanes.engine, envelope(), association, e);
      }
      return null;
    } finally {
      envelope().releaseEnvelopeBuffer();
    }
  }

  private Object deserialise(ByteBuffer buffer, int frameBytes, RemoteInstruments told)
      throws Exception {
    long start = told.timeSerialization() ? System.nanoTime() : 0;
    Object message = metered(buffer, frameBytes, RemoteStats.meter());
    envelope().withMessage(message);
    told.deserialize(envelope());
    long nanos = told.timeSerialization() ? System.nanoTime() - start : 0;
    told.messageReceived(envelope(), frameBytes, nanos);
    return message;
  }

  private Object metered(ByteBuffer buffer, int frameBytes, @Nullable MessageMeter meter)
      throws Exception {
    if (meter == null) {
      return make(buffer);
    }
    long begun = meter.now();
    try {
      return make(buffer);
    } finally {
      meter.deserialised(envelope().originUid(), begun, frameBytes);
    }
  }

  private Object make(ByteBuffer buffer) throws Exception {
    int serialiser = envelope().serializer();
    if (ShortText.isShort(buffer) && lanes.engine.cheapSerialisers().isText(serialiser)) {
      return texts.read(buffer);
    }
    return lanes
        .engine
        .serialization()
        .deserializeByteBuffer(buffer, serialiser, envelope().classManifest());
  }

  /** Delivers it; the next message may have to wait for {@link #takeHandshake}. */
  EnvelopeDecoder.Outcome deliver(Object message, @Nullable Association association) {
    if (message instanceof HandshakeReq request) {
      dispatchHeld();
      return handshake(request);
    }
    if (message == Flush$.MODULE$) {
      dispatchHeld();
      ackFlush();
      return EnvelopeDecoder.Outcome.HANDLED;
    }
    if (message instanceof ActorSystemTerminating) {
      dispatchHeld();
      ActorRef replyTo = envelope().sender();
      if (replyTo != null) {
        replyTo.tell(new ActorSystemTerminatingAck(transport.localAddress()), ActorRef.noSender());
      } else {
        noSender("ActorSystemTerminating");
      }
      return EnvelopeDecoder.Outcome.HANDLED;
    }
    if (association == null) {
      if (transport.association(envelope().originUid()) == null) {
        transport.publishDropped(
            envelope(),
            "Unknown system with UID ["
                + envelope().originUid()
                + "]. This system with UID ["
                + transport.localAddress().uid()
                + "] was probably restarted. Messages will be accepted when new handshake has been"
                + " completed.");
        return EnvelopeDecoder.Outcome.HANDLED;
      }
    } else if (association.associationState().isQuarantined(envelope().originUid())) {
      refuse(message, association);
      return EnvelopeDecoder.Outcome.HANDLED;
    }
    if (++held == HELD) {
      dispatchHeld();
    }
    return EnvelopeDecoder.Outcome.HANDLED;
  }

  /** The envelope under way; whoever uses this fills it in first. */
  ReusableInboundEnvelope envelope() {
    ReusableInboundEnvelope underWay = envelopes[held];
    if (underWay == null) {
      underWay = new ReusableInboundEnvelope();
      envelopes[held] = underWay;
    }
    return underWay;
  }

  /** Brings what is held to its actors. */
  void dispatchHeld() {
    int count = held;
    if (count == 0) {
      return;
    }
    held = 0;
    // the one under way goes to the front, where the next use looks for it
    ReusableInboundEnvelope first = envelopes[0];
    envelopes[0] = envelopes[count];
    envelopes[count] = first;
    dispatch(first);
    for (int i = 1; i < count; i++) {
      dispatch(envelopes[i]);
    }
  }

  private void dispatch(ReusableInboundEnvelope next) {
    try {
      lanes.dispatcher.dispatch(next);
    } finally {
      next.clear();
    }
  }

  private void noSender(String message) {
    lanes.engine.refusals.refused(
        Refusal.BAD_FRAME,
        "Expected sender for " + message + " message from [" + envelope().association() + "]");
  }

  private void ackFlush() {
    ActorRef replyTo = envelope().sender();
    if (replyTo == null) {
      noSender("Flush");
      return;
    }
    // the peer counts one for each of Artery's lanes; all of them are empty here
    for (int i = 0; i < flushAcks; i++) {
      replyTo.tell(new FlushAck(flushAcks), ActorRef.noSender());
    }
  }

  private EnvelopeDecoder.Outcome handshake(HandshakeReq request) {
    UniqueAddress from = request.from();
    if (!lanes.handshakes.isGranted(from, request.to(), envelope().originUid())) {
      return EnvelopeDecoder.Outcome.HANDLED;
    }
    Future<?> completed = transport.completeHandshake(from);
    if (completed.isCompleted()) {
      answer(from);
      return EnvelopeDecoder.Outcome.HANDLED;
    }
    handshaking = Scala.stage(completed).whenComplete((done, failure) -> answer(from));
    return EnvelopeDecoder.Outcome.WAITING;
  }

  /** The thing that the next message has to wait for, once; null if there is nothing. */
  @Nullable CompletionStage<?> takeHandshake() {
    CompletionStage<?> taken = handshaking;
    handshaking = null;
    return taken;
  }

  private void answer(UniqueAddress from) {
    transport.sendControl(from.address(), new HandshakeRsp(transport.localAddress()));
  }

  private void refuse(Object message, Association association) {
    long uid = envelope().originUid();
    String type = Logging.messageClassName(message);
    if (!lanes.propagateHarmless
        && lanes.engine.members.quarantinedButHarmless(association.associationState(), uid)) {
      log.info(
          "Message [{}] from [{}#{}] was dropped. The system is quarantined but the UID is known to be"
              + " harmless.",
          type,
          association.remoteAddress(),
          uid);
      return;
    }
    log.debug(
        "Dropping message [{}] from [{}#{}] because the system is quarantined",
        type,
        association.remoteAddress(),
        uid);
    boolean heartbeat =
        message instanceof HeartbeatMessage
            || (message instanceof ActorSelectionMessage selection
                && selection.msg() instanceof HeartbeatMessage);
    if (!(message instanceof Quarantined) && !heartbeat) {
      transport.sendControl(
          association.remoteAddress(),
          new Quarantined(
              transport.localAddress(), new UniqueAddress(association.remoteAddress(), uid)));
    }
  }
}
