// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.hooks.Probe;
import io.deimos.recorder.hooks.RemoteHooks;
import io.deimos.recorder.woven.ContextFields;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.NoSuchElementException;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.event.Logging;
import org.apache.pekko.event.LoggingAdapter;
import org.apache.pekko.remote.RemoteActorRefProvider;
import org.apache.pekko.remote.artery.EnvelopeBuffer;
import org.apache.pekko.remote.artery.InboundEnvelope;
import org.apache.pekko.remote.artery.MessageDispatcher;
import org.apache.pekko.remote.artery.OutboundEnvelope;
import org.apache.pekko.remote.artery.RemoteInstruments;
import org.apache.pekko.remote.artery.ReusableInboundEnvelope;
import org.apache.pekko.remote.artery.ReusableOutboundEnvelope;
import org.jspecify.annotations.Nullable;

/**
 * A message's way to another node and in from one, through Artery's own envelopes and codec but
 * without a wire: remoting need not be on.
 */
final class RemoteSteps {
  /** Where Artery puts metadata, behind the fixed part of an envelope. */
  private static final int METADATA = 28;

  private static final int BUFFER_BYTES = 512;

  private final Steps steps;
  private final RemoteInstruments instruments;
  private final ByteBuffer bytes =
      ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  private RemoteSteps(Steps steps, ExtendedActorSystem system) {
    this.steps = steps;
    LoggingAdapter log = Logging.getLogger(system, RemoteSteps.class);
    instruments =
        new RemoteInstruments(system, log, scala.collection.immutable.Vector$.MODULE$.empty());
  }

  static void run(Steps steps, ExtendedActorSystem system) {
    RemoteSteps remote = new RemoteSteps(steps, system);
    remote.leaving();
    remote.arriving();
    remote.leftBehind();
  }

  private void leaving() {
    steps.check(
        "ReusableOutboundEnvelope.init", () -> steps.inActor(c -> trace(outbound()) != null));
    steps.check(
        "ReusableOutboundEnvelope.copy",
        () ->
            steps.inActor(
                c -> {
                  OutboundEnvelope[] copy = new OutboundEnvelope[1];
                  OutboundEnvelope from = sent();
                  Steps.onPlainThread(() -> copy[0] = from.copy());
                  return trace(copy[0]) != null;
                }));
    steps.check(
        "ReusableOutboundEnvelope.clear",
        () ->
            steps.inActor(
                c -> {
                  ReusableOutboundEnvelope envelope = sent();
                  envelope.clear();
                  return trace(envelope) == null;
                }));
    steps.check("RemoteInstruments.nonEmpty", instruments::nonEmpty);
    steps.check("RemoteInstruments.serialize", () -> written() > METADATA);
  }

  private void arriving() {
    steps.check(
        "RemoteInstruments.deserialize",
        () -> {
          if (writeByHand() == METADATA) {
            return false; // without a context of actors there is nothing to read
          }
          ReusableInboundEnvelope envelope = received();
          instruments.deserialize(envelope);
          return trace(envelope) != null;
        });
    steps.check(
        "ReusableInboundEnvelope.clear",
        () ->
            steps.inActor(
                c -> {
                  ReusableInboundEnvelope envelope = received();
                  carry(envelope);
                  envelope.clear();
                  return trace(envelope) == null;
                }));
    steps.check(
        "ReusableInboundEnvelope.init",
        () ->
            steps.inActor(
                c -> {
                  ReusableInboundEnvelope envelope = received();
                  carry(envelope);
                  init(envelope);
                  return trace(envelope) == null;
                }));
    steps.fires("artery.MessageDispatcher.dispatch", () -> steps.inActor(c -> dispatched()));
  }

  private void leftBehind() {
    steps.fires(
        "RemoteActorRefProvider$RemoteDeadLetterActorRef.bang",
        () ->
            steps.inActor(
                c -> {
                  Class<?> nobody =
                      Class.forName(
                          RemoteActorRefProvider.class.getName() + "$RemoteDeadLetterActorRef");
                  ActorRef unmade = (ActorRef) Unmade.of(nobody);
                  try {
                    unmade.tell(sent(), ActorRef.noSender());
                  } catch (NullPointerException e) {
                    // it has no provider
                  }
                  return true;
                }));
  }

  /** An envelope as its hook makes it. */
  private static ReusableOutboundEnvelope outbound() {
    ReusableOutboundEnvelope envelope = new ReusableOutboundEnvelope();
    envelope.init(null, "self-test", ActorRef.noSender());
    return envelope;
  }

  /** The same, also where that hook is missing. */
  private static ReusableOutboundEnvelope sent() {
    ReusableOutboundEnvelope envelope = outbound();
    carry(envelope);
    return envelope;
  }

  /** Writes the context of an actor; returns where the buffer then stands. */
  private int written() throws Exception {
    bytes.clear().position(METADATA);
    steps.inActor(
        c -> {
          instruments.serialize(sent(), bytes);
          return true;
        });
    int end = bytes.position();
    bytes.flip();
    return end;
  }

  /**
   * Does what the hook that writes does, so that the one that reads shows its own.
   *
   * @return where the buffer then stands
   */
  private int writeByHand() throws Exception {
    bytes.clear().position(METADATA);
    steps.inActor(
        c -> {
          RemoteHooks.write(null, sent(), bytes, METADATA);
          return true;
        });
    int end = bytes.position();
    bytes.flip();
    return end;
  }

  private ReusableInboundEnvelope received() {
    ReusableInboundEnvelope envelope = new ReusableInboundEnvelope();
    init(envelope);
    return envelope;
  }

  private void init(ReusableInboundEnvelope envelope) {
    envelope.init(null, null, 0, 0, "", (byte) 1, new EnvelopeBuffer(bytes), null, 0);
  }

  /** Dispatches what has no recipient, so that nothing comes of it. */
  private boolean dispatched() throws ReflectiveOperationException {
    MessageDispatcher dispatcher = Unmade.of(MessageDispatcher.class);
    InboundEnvelope envelope = received();
    carry(envelope);
    try {
      dispatcher.dispatch(envelope);
    } catch (NullPointerException | NoSuchElementException e) {
      // no recipient
    }
    return true;
  }

  /** Gives an envelope the context of the actor at work here. */
  private static void carry(Object envelope) {
    Probe.giveContext((ContextFields) envelope);
  }

  private static @Nullable Object trace(@Nullable Object envelope) {
    return envelope == null ? null : ((ContextFields) envelope).deimos$trace();
  }
}
