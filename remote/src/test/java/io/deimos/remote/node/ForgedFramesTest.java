// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.remote.RemoteStats;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.pekko.Done;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.protobufv3.internal.ByteString;
import org.apache.pekko.remote.ArteryControlFormats.CompressionTableAdvertisement;
import org.apache.pekko.remote.ArteryControlFormats.MessageWithAddress;
import org.apache.pekko.remote.ArteryControlFormats.SystemMessageEnvelope;
import org.apache.pekko.remote.UniqueAddress;
import org.apache.pekko.remote.artery.InboundControlJunction.ControlMessageObserver;
import org.apache.pekko.remote.artery.InboundEnvelope;
import org.apache.pekko.remote.artery.Quarantined;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.util.Try;

/** Single frames with which anyone who reaches the port ends the inbound streams of Pekko. */
class ForgedFramesTest {
  private static final int NULL_SERIALISER = 0;
  private static final Address OTHER = new Address("pekko", "other", "127.0.0.1", 9);

  private static final String MANY_RESTARTS =
      "pekko.remote.artery.advanced.inbound-max-restarts = 1000";

  private static byte[] response(UniqueAddress from) {
    return Frames.control(
        from.uid(),
        'e',
        MessageWithAddress.newBuilder().setAddress(Frames.unique(from)).build().toByteArray());
  }

  private static byte[] table(char manifest, UniqueAddress from, long ofUid) {
    return Frames.control(
        from.uid(),
        manifest,
        CompressionTableAdvertisement.newBuilder()
            .setFrom(Frames.unique(from))
            .setOriginUid(ofUid)
            .setTableVersion(1)
            .build()
            .toByteArray());
  }

  private static byte[] systemMessage(UniqueAddress from) {
    return Frames.control(
        from.uid(),
        'j',
        SystemMessageEnvelope.newBuilder()
            .setMessage(ByteString.copyFrom("text", US_ASCII))
            .setSerializerId(Frames.TEXT)
            .setSeqNo(1)
            .setAckReplyTo(Frames.unique(from))
            .build()
            .toByteArray());
  }

  /** By what is wrong with them; each by itself is enough. */
  static Map<String, byte[]> forged(Node node, Node peer) {
    long uid = peer.transport().localAddress().uid();
    long own = node.transport().localAddress().uid();
    UniqueAddress here = new UniqueAddress(node.address(), 7);
    UniqueAddress peerHere = new UniqueAddress(node.address(), uid);
    UniqueAddress collision = new UniqueAddress(OTHER, uid);
    String receiver = node.address() + "/user/receiver";
    UniqueAddress noPort = new UniqueAddress(new Address("pekko", "other", "127.0.0.1", 70_000), 7);
    Map<String, byte[]> all = new LinkedHashMap<>();
    all.put("a request from port 70000", Frames.handshake(noPort, node.address()));
    all.put("a request from our own address", Frames.handshake(here, node.address()));
    all.put("a request with a peer's UID", Frames.handshake(collision, node.address()));
    all.put("a response from our own address", response(here));
    all.put("a response with a peer's UID", response(collision));
    all.put("a table of references from our own address", table('f', peerHere, own));
    all.put("a table of manifests from our own address", table('h', peerHere, own));
    all.put("a system message to be acknowledged to us", systemMessage(peerHere));
    all.put("no recipient", Frames.literal(uid, Frames.TEXT, "", "", "", new byte[1]));
    all.put("null", Frames.literal(uid, NULL_SERIALISER, "", receiver, "", new byte[0]));
    return all;
  }

  private static void send(Node node, byte[] frame) throws IOException {
    send(node, Frames.CONTROL, frame);
  }

  private static void send(Node node, int stream, byte[] frame) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.port())) {
      OutputStream out = socket.getOutputStream();
      out.write(Frames.header(stream));
      out.write(frame);
      socket.shutdownOutput();
      assertThat(socket.getInputStream().read()).isNegative(); // it was read to the end
    }
  }

  private static long failures(Node node) {
    return node.warnings.stream().filter(line -> line.contains("Inbound streams failed")).count();
  }

  private static long refused() {
    return RemoteStats.refused().stream()
        .filter(of -> of.system().equals("forged"))
        .mapToLong(RemoteStats.Refused::count)
        .sum();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ours", "mover"})
  void forgedFrame_onTheControlStream_isCountedAndEndsNothing(String kind) throws IOException {
    try (Node node = Node.start("forged", kind.equals("ours") ? Node.OURS : Node.MOVER);
        Node peer = Node.start("peer", Node.STOCK)) {
      ActorRef there = peer.find(node, "/user/receiver");
      for (Map.Entry<String, byte[]> forged : forged(node, peer).entrySet()) {
        long before = refused();
        send(node, forged.getValue());
        Node.await(forged.getKey(), () -> refused() > before);
      }
      there.tell("on the connection from before", ActorRef.noSender());
      Node.await("the peer", () -> node.received.contains("on the connection from before"));
      assertThat(failures(node)).isZero();
      assertThat(node.transport().remoteAddresses().size()).isEqualTo(1);
      try (Node restarted = Node.start("later", Node.OURS)) {
        restarted.find(node, "/user/receiver").tell("on a new one", ActorRef.noSender());
        Node.await("another peer", () -> node.received.contains("on a new one"));
      }
    }
  }

  /** Pekko takes this for the end of the JVM. */
  @ParameterizedTest
  @ValueSource(strings = {"ours", "mover"})
  void message_nestedTooDeepForTheStack_isCountedAndEndsNothing(String kind) throws IOException {
    String settings =
        """
        pekko.jvm-exit-on-fatal-error = off
        pekko.remote.artery.large-message-destinations = ["/user/large"]
        """;
    try (Node node = Node.start("forged", kind.equals("ours") ? Node.OURS : Node.MOVER, settings);
        Node peer = Node.start("peer", Node.STOCK)) {
      ActorRef there = peer.find(node, "/user/receiver");
      byte[] nested = Frames.nested(peer.transport().localAddress().uid(), node.address());
      for (int stream : new int[] {Frames.CONTROL, Frames.ORDINARY, Frames.LARGE}) {
        long before = refused();
        send(node, stream, nested);
        Node.await("stream " + stream, () -> refused() > before);
      }
      there.tell("on the connection from before", ActorRef.noSender());
      Node.await("the peer", () -> node.received.contains("on the connection from before"));
      assertThat(failures(node)).isZero();
    }
  }

  /** Holds up Pekko's control stream when it sees a message. */
  private static final class Holding implements ControlMessageObserver {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch end = new CountDownLatch(1);

    @Override
    public void notify(InboundEnvelope envelope) {
      begun.countDown();
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void controlSubjectCompleted(Try<Done> signal) {}
  }

  /** Both are there before Pekko's stream has seen either. */
  @Test
  void handshakes_ofOneUidOnTwoConnectionsAtOnce_areNotBothGranted() throws Exception {
    try (Node node = Node.start("forged", Node.OURS);
        Node peer = Node.start("peer", Node.STOCK)) {
      ActorRef there = peer.find(node, "/user/receiver");
      Holding holding = new Holding();
      RestartTest.controlStream(node).attach(holding);
      try {
        UniqueAddress whom = node.transport().localAddress();
        peer.transport()
            .association(node.address())
            .sendControl(new Quarantined(peer.transport().localAddress(), whom));
        holding.begun.await();
        long before = refused();
        send(node, Frames.handshake(new UniqueAddress(OTHER, 7), node.address()));
        Address another = new Address("pekko", "another", "127.0.0.1", 9);
        send(node, Frames.handshake(new UniqueAddress(another, 7), node.address()));
        Node.await("the second to be refused", () -> refused() > before);
      } finally {
        holding.end.countDown();
      }
      there.tell("on the connection from before", ActorRef.noSender());
      Node.await("the peer", () -> node.received.contains("on the connection from before"));
      assertThat(failures(node)).isZero();
    }
  }

  /** This shows that each of them would do. */
  @Test
  void forgedFrame_onTheControlStreamOfStock_endsItsInboundStreams() throws IOException {
    try (Node node = Node.start("stock", Node.STOCK, MANY_RESTARTS);
        Node peer = Node.start("peer", Node.STOCK)) {
      peer.find(node, "/user/receiver");
      for (Map.Entry<String, byte[]> forged : forged(node, peer).entrySet()) {
        long before = failures(node);
        Node.await(
            forged.getKey(),
            () -> {
              sendAgain(node, forged.getValue());
              return failures(node) > before;
            });
      }
    }
  }

  /** Anyone can have a node connect there, as the sender of a message that is answered. */
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost"})
  void peer_atAPortThatIsNone_isAFailedConnectionLikeOthers(String host) {
    try (Node node = Node.start("forged", Node.OURS)) {
      ((ExtendedActorSystem) node.system)
          .provider()
          .resolveActorRef("pekko://none@" + host + ":70000/user/nobody")
          .tell("lost", ActorRef.noSender());
      Node.await(
          "what is wrong",
          () ->
              node.warnings.stream()
                  .anyMatch(
                      line ->
                          line.startsWith("[outbound connection to [pekko://none@" + host)
                              && line.contains("port out of range:70000")));
    }
  }

  /** While streams start again, a connection may be closed before its frame is read. */
  private static void sendAgain(Node node, byte[] frame) {
    try {
      send(node, frame);
    } catch (IOException e) {
      Thread.onSpinWait();
    }
  }
}
