// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.deimos.remote.engine.wire.BadFrameException;
import io.deimos.remote.engine.wire.EnvelopeEncoder;
import io.deimos.remote.engine.wire.EnvelopeHeader;
import io.deimos.remote.engine.wire.PartialFrame;
import io.deimos.remote.engine.wire.ShortText;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.remote.MessageSerializer;
import org.apache.pekko.remote.RemoteActorRef;
import org.apache.pekko.remote.UniqueAddress;
import org.apache.pekko.remote.artery.ArteryMessage;
import org.apache.pekko.remote.artery.EnvelopeBuffer;
import org.apache.pekko.remote.artery.HeaderBuilder;
import org.apache.pekko.remote.artery.OutboundEnvelope;
import org.apache.pekko.remote.artery.OutboundHandshake.HandshakeReq;
import org.apache.pekko.remote.artery.RemoteInstruments;
import org.apache.pekko.remote.artery.compress.CompressionTable;
import org.apache.pekko.remote.artery.compress.NoInboundCompressions$;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.Serialization$;
import org.apache.pekko.serialization.SerializationExtension;
import org.apache.pekko.serialization.StringSerializer;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/**
 * Frames must be those of Artery's own encoder, to the bit, and read as its own decoder reads them.
 */
class EnvelopeCodecTest {
  private static ActorSystem system;
  private static Serialization serialization;

  @BeforeAll
  static void start() {
    system =
        ActorSystem.create(
            "codec",
            ConfigFactory.parseString(
                    """
                    pekko {
                      loglevel = OFF
                      stdout-loglevel = OFF
                      actor.provider = remote
                      remote.use-unsafe-remote-features-outside-cluster = on
                      remote.artery { transport = tcp, canonical { hostname = "127.0.0.1", port = 0 } }
                    }
                    """)
                .withFallback(ConfigFactory.load()));
    serialization = SerializationExtension.get(system);
    Serialization$.MODULE$
        .currentTransportInformation()
        .value_$eq(serialization.serializationInformation());
  }

  @AfterAll
  static void stop() {
    Serialization$.MODULE$.currentTransportInformation().value_$eq(null);
    system.terminate();
  }

  private static RemoteActorRef remote(int number) {
    return (RemoteActorRef)
        ((ExtendedActorSystem) system)
            .provider()
            .resolveActorRef(
                "pekko://other@127.0.0.1:4711/user/actor" + number + "#" + (number + 7));
  }

  private static Object message(Random random) {
    return switch (random.nextInt(7)) {
      case 0 -> random.nextInt();
      case 1 -> random.nextLong();
      case 2 -> text(random);
      case 3 -> ByteString.fromString("bytes" + random.nextInt());
      case 4 -> PoisonPill.getInstance();
      case 5 -> random.nextBoolean();
      default ->
          new HandshakeReq(
              new UniqueAddress(
                  ((ExtendedActorSystem) system).provider().getDefaultAddress(), random.nextLong()),
              remote(1).path().address());
    };
  }

  /** Short and long ones, some with more than ASCII, half a character at worst. */
  private static String text(Random random) {
    String text = "t".repeat(random.nextInt(200));
    return switch (random.nextInt(8)) {
      case 0 -> text + "\u00e9" + text;
      case 1 -> text + "\u20ac\ud83d\ude00";
      case 2 -> text + "\ud83d";
      default -> text + random.nextInt();
    };
  }

  @Test
  void shortText_ofAnyBytes_isWhatPekkosSerialiserReads() {
    long seed = 4711;
    Random random = new Random(seed);
    ShortText ours = new ShortText();
    StringSerializer pekkos = new StringSerializer((ExtendedActorSystem) system);
    int read = 0;
    for (int i = 0; i < 4000; i++) {
      byte[] bytes =
          random.nextBoolean()
              ? text(random).getBytes(StandardCharsets.UTF_8)
              : new byte[random.nextInt(160)];
      if (i % 4 == 0) {
        random.nextBytes(bytes); // no text at all
      }
      ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length + 20);
      buffer.position(10);
      buffer.put(bytes).flip().position(10);
      if (ShortText.isShort(buffer)) {
        read++;
        assertThat(ours.read(buffer.duplicate()))
            .as("text %d, seed %d", i, seed)
            .isEqualTo(pekkos.fromBinary(buffer.duplicate(), ""));
      }
    }
    assertThat(read).isBetween(1000, 3900);
  }

  private static byte[] bytes(EnvelopeBuffer buffer) {
    byte[] bytes = new byte[buffer.byteBuffer().remaining()];
    buffer.byteBuffer().get(bytes);
    return bytes;
  }

  private static EnvelopeBuffer newBuffer() {
    return new EnvelopeBuffer(ByteBuffer.allocateDirect(256 * 1024).order(ByteOrder.LITTLE_ENDIAN));
  }

  @SuppressWarnings("unchecked") // as Scala maps look from here
  private static <T> CompressionTable<T> table(List<T> values, int version) {
    scala.collection.immutable.Map<T, Object> map = scala.collection.immutable.Map$.MODULE$.empty();
    for (int i = 0; i < values.size(); i++) {
      map = map.$plus(new Tuple2<>(values.get(i), (Object) i));
    }
    return CompressionTable.apply(11L, (byte) version, map);
  }

  @Test
  void encode_manyMessagesWithAndWithoutTables_equalsArterysBytes() {
    long seed = 4711;
    Random random = new Random(seed);
    RemoteInstruments none = new RemoteInstruments((ExtendedActorSystem) system);
    EnvelopeEncoder ours = new EnvelopeEncoder(99L, (byte) 0, none);
    HeaderBuilder arterys = HeaderBuilder.out();
    arterys.setVersion((byte) 0);
    arterys.setUid(99L);
    EnvelopeBuffer ourBuffer = newBuffer();
    EnvelopeBuffer arterysBuffer = newBuffer();
    List<ActorRef> locals = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      locals.add(system.actorOf(Props.empty(), "local" + i));
    }
    List<RemoteActorRef> remotes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      remotes.add(remote(i));
    }
    for (int i = 0; i < 4000; i++) {
      if (i == 1000 || i == 3000) {
        List<ActorRef> refs = new ArrayList<>(remotes.subList(0, 10));
        refs.addAll(locals.subList(0, 5));
        CompressionTable<ActorRef> refTable = i == 1000 ? table(refs, 3) : CompressionTable.empty();
        CompressionTable<String> manifestTable =
            i == 1000 ? table(List.of("P", "d"), 5) : CompressionTable.empty();
        ours.setRefTable(refTable);
        ours.setManifestTable(manifestTable);
        arterys.setOutboundActorRefCompression(refTable);
        arterys.setOutboundClassManifestCompression(manifestTable);
      }
      Object message = message(random);
      RemoteActorRef recipient = random.nextInt(10) == 0 ? null : remotes.get(random.nextInt(20));
      ActorRef sender = random.nextInt(5) == 0 ? null : locals.get(random.nextInt(20));
      OutboundEnvelope envelope = OutboundEnvelope.apply(recipient, message, sender);
      ours.encode(envelope, serialization.findSerializerFor(message), ourBuffer, null);
      arterys.resetMessageFields();
      arterys.useOutboundCompression(!(message instanceof ArteryMessage));
      if (recipient == null) {
        arterys.setNoRecipient();
      } else {
        arterys.setRecipientActorRef(recipient);
      }
      if (sender == null) {
        arterys.setNoSender();
      } else {
        arterys.setSenderActorRef(sender);
      }
      MessageSerializer.serializeForArtery(serialization, envelope, arterys, arterysBuffer);
      arterysBuffer.byteBuffer().flip();
      assertThat(bytes(ourBuffer))
          .as("message %d, seed %d", i, seed)
          .isEqualTo(bytes(arterysBuffer));
      assertReadsTheSame(ourBuffer, arterysBuffer);
    }
  }

  private static void assertReadsTheSame(EnvelopeBuffer ourBuffer, EnvelopeBuffer arterysBuffer) {
    HeaderBuilder expected = HeaderBuilder.in(NoInboundCompressions$.MODULE$);
    expected.resetMessageFields();
    arterysBuffer.byteBuffer().position(0);
    arterysBuffer.parseHeader(expected);
    EnvelopeHeader header = new EnvelopeHeader();
    ByteBuffer bytes = ourBuffer.byteBuffer();
    header.read(bytes, 0, bytes.limit());
    assertThat(header.uid).isEqualTo(expected.uid());
    assertThat(header.serializer).isEqualTo(expected.serializer());
    assertThat(header.flags).isEqualTo(expected.flags());
    assertThat(header.refTable).isEqualTo(expected.inboundActorRefCompressionTableVersion());
    assertThat(header.manifestTable)
        .isEqualTo(expected.inboundClassManifestCompressionTableVersion());
    assertThat(header.payloadFrom).isEqualTo(arterysBuffer.byteBuffer().position());
    assertThat(header.hasNoSender()).isEqualTo(expected.isNoSender());
    assertThat(header.hasNoRecipient()).isEqualTo(expected.isNoRecipient());
    if (header.recipientIndex == EnvelopeHeader.LITERAL && header.recipientLength > 0) {
      assertThat(
              new String(
                  EnvelopeHeader.copy(bytes, header.recipientFrom, header.recipientLength),
                  StandardCharsets.US_ASCII))
          .isEqualTo(expected.recipientActorRefPath());
    }
  }

  @Test
  void read_cutOrRandomBytes_isABadFrameAndNothingElse() {
    Random random = new Random(5);
    EnvelopeHeader header = new EnvelopeHeader();
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(128)];
      if (random.nextBoolean()) {
        random.nextBytes(bytes);
      }
      ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      try {
        header.read(buffer, 0, bytes.length);
        assertThat(header.payloadFrom).isBetween(28, bytes.length);
      } catch (BadFrameException e) {
        assertThat(e).hasMessageContaining("longer than it is");
      }
    }
  }

  @Test
  void checkLength_outsideOfWhatIsPossible_throws() {
    assertThat(PartialFrame.checkLength(28, 100)).isEqualTo(28);
    for (int length : new int[] {-1, 0, 27, 101, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> PartialFrame.checkLength(length, 100))
          .isInstanceOf(BadFrameException.class)
          .hasMessageContaining(String.valueOf(length));
    }
  }
}
