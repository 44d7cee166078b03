// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.pekko.actor.Address;
import org.apache.pekko.remote.ArteryControlFormats;
import org.apache.pekko.remote.ArteryControlFormats.CompressionTableAdvertisement;
import org.apache.pekko.remote.ArteryControlFormats.CompressionTableAdvertisementAck;
import org.apache.pekko.remote.ArteryControlFormats.HandshakeReq;
import org.apache.pekko.remote.ArteryControlFormats.MessageWithAddress;
import org.apache.pekko.remote.ArteryControlFormats.SystemMessageDeliveryAck;
import org.apache.pekko.remote.ArteryControlFormats.SystemMessageEnvelope;
import org.apache.pekko.remote.UniqueAddress;
import org.jspecify.annotations.Nullable;

/**
 * The system that a message of Artery's own serialiser says it is from, if Pekko looks that up, and
 * for a request for a handshake the address that it is for. Both are read with Pekko's own parser,
 * so that Pekko cannot find another one in the same bytes.
 *
 * @param from null if such a message names none
 * @param to null unless it is a request for a handshake
 */
public record ControlSender(@Nullable UniqueAddress from, @Nullable Address to) {
  public static final byte REQUEST = 'd';
  public static final byte RESPONSE = 'e';
  private static final ControlSender NONE = new ControlSender(null, null);

  /**
   * Reads it.
   *
   * @param payload what follows the header, between position and limit
   * @param serialiser Artery's own, which must not be inside of its own messages
   * @throws BadFrameException if it is no such message
   */
  public static ControlSender read(byte manifest, ByteBuffer payload, int serialiser) {
    try {
      return switch (manifest) {
        case 'b', 'c', RESPONSE -> of(MessageWithAddress.parseFrom(payload).getAddress());
        case REQUEST -> request(HandshakeReq.parseFrom(payload));
        case 'f', 'h' -> of(CompressionTableAdvertisement.parseFrom(payload).getFrom());
        case 'g', 'i' -> of(CompressionTableAdvertisementAck.parseFrom(payload).getFrom());
        case 'j' -> envelope(SystemMessageEnvelope.parseFrom(payload), serialiser);
        case 'k', 'l' -> of(SystemMessageDeliveryAck.parseFrom(payload).getFrom());
        default -> NONE;
      };
    } catch (IOException e) {
      throw new BadFrameException(
          "a control message [" + (char) manifest + "] that is none: " + e.getMessage());
    }
  }

  /** None of Artery's own messages is sent in a system message; nested ones exhaust the stack. */
  private static ControlSender envelope(SystemMessageEnvelope envelope, int serialiser) {
    if (envelope.getSerializerId() == serialiser) {
      throw new BadFrameException("a control message inside of a system message");
    }
    return of(envelope.getAckReplyTo());
  }

  private static ControlSender request(HandshakeReq request) {
    return new ControlSender(unique(request.getFrom()), address(request.getTo()));
  }

  private static ControlSender of(ArteryControlFormats.UniqueAddress from) {
    return new ControlSender(unique(from), null);
  }

  private static UniqueAddress unique(ArteryControlFormats.UniqueAddress from) {
    return new UniqueAddress(address(from.getAddress()), from.getUid());
  }

  private static Address address(ArteryControlFormats.Address of) {
    return new Address(of.getProtocol(), of.getSystem(), of.getHostname(), of.getPort());
  }
}
