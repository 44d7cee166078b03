// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import java.nio.ByteBuffer;
import org.apache.pekko.remote.artery.OutboundHandshake.HandshakeReq;
import org.apache.pekko.remote.artery.ReusableInboundEnvelope;
import org.apache.pekko.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * What a system may send before its handshake is complete: a request for one, and on the control
 * stream the answer to ours. All else is dropped by its header alone, unread.
 *
 * <p><b>Threads.</b> Any.
 */
final class InboundHandshakes {
  private static final String SERIALISER = "ArteryMessageSerializer";
  private static final byte REQUEST = 'd';
  private static final byte RESPONSE = 'e';
  private static final int UNREAD = Integer.MIN_VALUE;

  private final TransportEngine engine;
  private volatile int serialiser = UNREAD;

  InboundHandshakes(TransportEngine engine) {
    this.engine = engine;
  }

  /** Whether it asks for a handshake. */
  boolean isRequest(EnvelopeHeader header, ByteBuffer buffer) {
    return is(REQUEST, header, buffer);
  }

  /** Whether it answers our request for one. */
  boolean isResponse(EnvelopeHeader header, ByteBuffer buffer) {
    return is(RESPONSE, header, buffer);
  }

  private boolean is(byte manifest, EnvelopeHeader header, ByteBuffer buffer) {
    return header.manifestIndex == EnvelopeHeader.LITERAL
        && header.manifestLength == 1
        && buffer.get(header.manifestFrom) == manifest
        && header.serializer == serialiser();
  }

  /** The one that reads handshakes; not before it is needed, as it may need the transport. */
  private int serialiser() {
    int known = serialiser;
    if (known == UNREAD) {
      known =
          Scala.map(engine.serialization().serializerByIdentity()).values().stream()
              .filter(one -> one.getClass().getSimpleName().equals(SERIALISER))
              .mapToInt(Serializer::identifier)
              .findFirst()
              .orElse(0);
      serialiser = known;
    }
    return known;
  }

  /**
   * Whether a request is meant for this system, so that the handshake will be completed. If not,
   * that is logged.
   *
   * @param payload what follows the header, between position and limit
   */
  boolean isForUs(ByteBuffer payload, InboundConnection connection) {
    try {
      Object message =
          engine
              .serialization()
              .deserializeByteBuffer(payload, serialiser(), String.valueOf((char) REQUEST));
      return message instanceof HandshakeReq request && isForUs(request);
    } catch (Exception e) {
      engine.refusals.refused(
          Refusal.BAD_FRAME,
          "Dropping handshake request from [" + connection.remote() + "] due to: " + e);
      return false;
    }
  }

  /** The same for one that was read. */
  boolean isForUs(HandshakeReq request) {
    var here = engine.transport.localAddress().address();
    if (request.to().equals(here)) {
      return true;
    }
    engine.refusals.refused(
        Refusal.WRONG_ADDRESS,
        "Dropping Handshake Request from ["
            + request.from()
            + "] addressed to unknown local address ["
            + request.to()
            + "]. Local address is ["
            + here
            + "]. Check that the sending system uses the same address to contact recipient system as"
            + " defined in the 'pekko.remote.artery.canonical.hostname' of the recipient system. The"
            + " name of the ActorSystem must also match.");
    return false;
  }

  /** Counts a message that is dropped, and publishes that it was, as Artery does. */
  void drop(EnvelopeHeader header, InboundConnection connection) {
    drop(header.uid, header.serializer, connection);
  }

  private void drop(long uid, @Nullable Integer serialiser, InboundConnection connection) {
    String reason =
        "Unknown system with UID ["
            + uid
            + "]. This system with UID ["
            + engine.transport.localAddress().uid()
            + "] was probably restarted. Messages will be accepted when new handshake has been"
            + " completed.";
    String message = "a message that was not read, of serialiser " + serialiser;
    engine.transport.publishDropped(
        new ReusableInboundEnvelope()
            .init(null, null, uid, 0, "", (byte) 0, null, null, 0)
            .withMessage(message),
        reason);
    engine.refusals.refused(
        Refusal.UNKNOWN_SYSTEM, "Dropping message from [" + connection.remote() + "]: " + reason);
  }

  /** Counts a long message that is dropped before its serialiser is known. */
  void dropLong(long uid, InboundConnection connection) {
    drop(uid, null, connection);
  }
}
