// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.typesafe.config.ConfigFactory;
import java.nio.ByteBuffer;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.remote.UniqueAddress;
import org.apache.pekko.remote.artery.ActorSystemTerminating;
import org.apache.pekko.remote.artery.ActorSystemTerminatingAck;
import org.apache.pekko.remote.artery.OutboundHandshake.HandshakeReq;
import org.apache.pekko.remote.artery.OutboundHandshake.HandshakeRsp;
import org.apache.pekko.remote.artery.SystemMessageDelivery;
import org.apache.pekko.remote.artery.compress.CompressionProtocol;
import org.apache.pekko.remote.serialization.ArteryMessageSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The sender of a control message is what Pekko's own serialiser would make of it. */
class ControlSenderFuzzTest {
  private static final String MANIFESTS = "abcdefghijklmnop";
  private static final int SERIALISER = 17;

  @SuppressWarnings("NullAway.Init")
  private static ActorSystem system;

  @SuppressWarnings("NullAway.Init")
  private static ArteryMessageSerializer pekkos;

  @BeforeAll
  static void start() {
    system =
        ActorSystem.create(
            "fuzz",
            ConfigFactory.parseString("pekko.actor.provider = local, pekko.loglevel = OFF")
                .withFallback(ConfigFactory.load()));
    pekkos = new ArteryMessageSerializer((ExtendedActorSystem) system);
  }

  @AfterAll
  static void stop() {
    system.terminate();
  }

  /** The first byte says which message it is. */
  @FuzzTest
  void read_anyControlMessage_isFromWhomPekkoTakesItFor(byte[] bytes) {
    if (bytes.length == 0) {
      return;
    }
    char manifest = MANIFESTS.charAt((bytes[0] & 0xFF) % MANIFESTS.length());
    ByteBuffer payload = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
    byte[] rest = new byte[bytes.length - 1];
    payload.get(rest).position(1);
    ControlSender ours;
    try {
      ours = ControlSender.read((byte) manifest, payload, SERIALISER);
    } catch (BadFrameException e) {
      return; // dropped, whatever Pekko would say
    }
    Object message;
    try {
      message = pekkos.fromBinary(rest, String.valueOf(manifest));
    } catch (Exception e) {
      return; // Pekko drops it
    }
    assertThat(ours.from()).isEqualTo(sender(message));
    assertThat(ours.to()).isEqualTo(message instanceof HandshakeReq request ? request.to() : null);
  }

  private static @Nullable UniqueAddress sender(Object message) {
    if (message instanceof HandshakeReq request) {
      return request.from();
    } else if (message instanceof HandshakeRsp response) {
      return response.from();
    } else if (message instanceof ActorSystemTerminating terminating) {
      return terminating.from();
    } else if (message instanceof ActorSystemTerminatingAck ack) {
      return ack.from();
    } else if (message instanceof CompressionProtocol.CompressionAdvertisement<?> table) {
      return table.from();
    } else if (message instanceof CompressionProtocol.ActorRefCompressionAdvertisementAck ack) {
      return ack.from();
    } else if (message
        instanceof CompressionProtocol.ClassManifestCompressionAdvertisementAck ack) {
      return ack.from();
    } else if (message instanceof SystemMessageDelivery.SystemMessageEnvelope envelope) {
      return envelope.ackReplyTo();
    } else if (message instanceof SystemMessageDelivery.Ack ack) {
      return ack.from();
    } else if (message instanceof SystemMessageDelivery.Nack nack) {
      return nack.from();
    }
    return null;
  }
}
