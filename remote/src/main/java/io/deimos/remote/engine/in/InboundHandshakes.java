// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.in;

import io.deimos.remote.engine.core.TransportEngine;
import io.deimos.remote.engine.count.Refusal;
import io.deimos.remote.engine.pekko.Scala;
import io.deimos.remote.engine.wire.BadFrameException;
import io.deimos.remote.engine.wire.ControlSender;
import io.deimos.remote.engine.wire.EnvelopeHeader;
import java.nio.ByteBuffer;
import org.apache.pekko.actor.Address;
import org.apache.pekko.remote.UniqueAddress;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.ReusableInboundEnvelope;
import org.apache.pekko.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * The frames that a system may send before its handshake is complete: a request for one, and on the
 * control stream the answer to ours. All else is dropped by its header alone, unread. And whom a
 * control message may be from, whether the handshake is complete or not: Pekko's streams fail if
 * that is this system itself, or if its UID is another's.
 *
 * <p><b>Threads.</b> Any.
 */
public final class InboundHandshakes {
  private static final String SERIALISER = "ArteryMessageSerializer";
  private static final int UNREAD = Integer.MIN_VALUE;

  /** The length of a host name, as in DNS. */
  private static final int MAX_HOST_CHARS = 255;

  private static final int MAX_NAME_CHARS = 1024;
  private static final int MAX_PORT = 0xFFFF;

  private final TransportEngine engine;
  private volatile int serialiser = UNREAD;

  InboundHandshakes(TransportEngine engine) {
    this.engine = engine;
  }

  /** Whether it asks for a handshake. */
  public boolean isRequest(EnvelopeHeader header, ByteBuffer buffer) {
    return is(ControlSender.REQUEST, header, buffer);
  }

  /** Whether it answers our request for one. */
  boolean isResponse(EnvelopeHeader header, ByteBuffer buffer) {
    return is(ControlSender.RESPONSE, header, buffer);
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

  /** Whether the envelope is laid out as this node reads it. */
  public boolean isLegible(EnvelopeHeader header) {
    if (header.version <= ArteryTransport.HighestVersion()) {
      return true;
    }
    engine.refusals.refused(
        Refusal.BAD_FRAME,
        "Dropping message due to: Incompatible protocol version ["
            + header.version
            + "], highest known version for this node is ["
            + ArteryTransport.HighestVersion()
            + "]");
    return false;
  }

  /**
   * Whether a whole frame, if it is a control message, is from whom it says, as far as that can be
   * told. If it is a stranger's handshake, that is completed. If not, that is counted and logged.
   */
  boolean isHonest(EnvelopeHeader header, ByteBuffer frame, InboundConnection connection) {
    if (header.serializer != serialiser()) {
      return true;
    }
    ByteBuffer payload = frame.duplicate().order(frame.order()).position(header.payloadFrom);
    ControlSender sender;
    try {
      sender = ControlSender.read(manifest(header, frame), payload, serialiser());
    } catch (BadFrameException e) {
      if (header.manifestIndex != EnvelopeHeader.LITERAL) {
        return true; // some other message, whose manifest is an entry of a table
      }
      engine.refusals.refused(
          Refusal.BAD_FRAME, "Dropping message from [" + connection.remote() + "]: " + e);
      return false;
    }
    UniqueAddress from = sender.from();
    if (from == null) {
      return true;
    }
    Address to = sender.to();
    boolean handshake =
        isRequest(header, frame) || (connection.isControl() && isResponse(header, frame));
    return isSender(from, header.uid)
        && (to == null || isHere(from, to))
        && (!handshake || complete(from, connection));
  }

  /**
   * Completes a handshake before Pekko's stream does, which would fail with it: two connections may
   * say at the same time that theirs is a system with one UID.
   */
  private boolean complete(UniqueAddress from, InboundConnection connection) {
    if (engine.transport.association(from.uid()) != null) {
      return true;
    }
    if (isSecond(from.uid(), connection)) {
      return false;
    }
    try {
      var unused = engine.transport.completeHandshake(from);
      return true;
    } catch (RuntimeException e) {
      engine.refusals.refused(
          Refusal.FORGED_SENDER,
          "Dropping handshake of [" + from + "] from [" + connection.remote() + "]: " + e);
      return false;
    }
  }

  /** All are one character; of an entry of a table only a request matters, and is tried. */
  private static byte manifest(EnvelopeHeader header, ByteBuffer frame) {
    if (header.manifestIndex != EnvelopeHeader.LITERAL) {
      return ControlSender.REQUEST;
    }
    if (header.manifestLength != 1) {
      throw new BadFrameException("a control message with a long manifest");
    }
    return frame.get(header.manifestFrom);
  }

  /** Whether a request for a handshake is to be granted. If not, that is counted and logged. */
  public boolean isGranted(UniqueAddress from, Address to, long uid) {
    return isSender(from, uid) && isHere(from, to);
  }

  private boolean isSender(UniqueAddress from, long uid) {
    String objection = objection(from, uid);
    if (objection == null) {
      return true;
    }
    engine.refusals.refused(
        Refusal.FORGED_SENDER,
        "Dropping control message of the system with UID ["
            + uid
            + "], which says that it is from ["
            + from
            + "]: "
            + objection);
    return false;
  }

  private @Nullable String objection(UniqueAddress from, long uid) {
    if (from.uid() != uid) {
      return "that is another system";
    }
    Address address = from.address();
    if (!isUsable(address)) {
      return "nobody can be reached there";
    }
    if (address.equals(engine.transport.localAddress().address())) {
      return "that is the address of this system";
    }
    Association owner = engine.transport.association(uid);
    if (owner != null && !owner.remoteAddress().equals(address)) {
      return "the system with this UID is [" + owner.remoteAddress() + "]";
    }
    return null;
  }

  /** Whether a connection can be opened to it; the names must not be endless either. */
  private static boolean isUsable(Address address) {
    String host = address.host().isDefined() ? address.host().get() : "";
    int port = address.port().isDefined() ? (Integer) address.port().get() : 0;
    return port > 0
        && port <= MAX_PORT
        && host.length() <= MAX_HOST_CHARS
        && address.protocol().length() + address.system().length() <= MAX_NAME_CHARS
        && isPlain(host)
        && isPlain(address.system());
  }

  private static boolean isPlain(String name) {
    return !name.isEmpty()
        && name.chars().noneMatch(c -> Character.isISOControl(c) || Character.isWhitespace(c));
  }

  private boolean isHere(@Nullable UniqueAddress from, Address to) {
    Address here = engine.transport.localAddress().address();
    if (to.equals(here)) {
      return true;
    }
    engine.refusals.refused(
        Refusal.WRONG_ADDRESS,
        "Dropping Handshake Request from ["
            + from
            + "] addressed to unknown local address ["
            + to
            + "]. Local address is ["
            + here
            + "]. Check that the sending system uses the same address to contact recipient system as"
            + " defined in the 'pekko.remote.artery.canonical.hostname' of the recipient system. The"
            + " name of the ActorSystem must also match.");
    return false;
  }

  /**
   * Whether a connection that was said to be of one system asks for a handshake for another: each
   * makes an association, and a connection is good for one.
   */
  public boolean isSecond(long uid, InboundConnection connection) {
    if (connection.isOf(uid)) {
      return false;
    }
    engine.refusals.refused(
        Refusal.FORGED_SENDER,
        "Dropping handshake of the system with UID ["
            + uid
            + "] from ["
            + connection.remote()
            + "]: the connection is of another system");
    return true;
  }

  /** Counts a message that is dropped, and publishes that it was, as Artery does. */
  public void drop(EnvelopeHeader header, InboundConnection connection) {
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
