// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.Done;
import org.apache.pekko.actor.Address;
import org.apache.pekko.remote.UniqueAddress;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.InboundControlJunction.ControlMessageObserver;
import org.apache.pekko.remote.artery.InboundControlJunction.ControlMessageSubject;
import org.apache.pekko.remote.artery.InboundEnvelope;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.util.Try;

/** A node whose inbound streams fail, and its peers in another JVM. */
class RestartTest {
  private static final String FEW_RESTARTS =
      "pekko.remote.artery.advanced { inbound-max-restarts = 2, inbound-restart-timeout = 1 h }";

  private static final UniqueAddress PEER =
      new UniqueAddress(new Address("pekko", "peer", "127.0.0.1", 1), 7);

  @SuppressWarnings("NullAway.Init")
  private static PeerJvm peers;

  @BeforeAll
  static void startPeers() throws IOException {
    peers = new PeerJvm();
  }

  @AfterAll
  static void stopPeers() {
    peers.close();
  }

  /** Ends Pekko's control stream with an exception, which comes from a look at this observer. */
  private static final class Failing implements ControlMessageObserver {
    @Override
    public void notify(InboundEnvelope envelope) {}

    @Override
    public void controlSubjectCompleted(Try<Done> signal) {}

    @Override
    public boolean equals(Object other) {
      throw new IllegalStateException("fails the stream");
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  static ControlMessageSubject controlStream(Node node) {
    try {
      Field field = ArteryTransport.class.getDeclaredField("controlSubject");
      field.setAccessible(true);
      return (ControlMessageSubject) field.get(node.transport());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static void failControlStream(Node node) {
    Failing failing = new Failing();
    ControlMessageSubject running = controlStream(node);
    running.attach(failing);
    running.detach(failing);
  }

  private static long restarts(Node node) {
    return node.warnings.stream()
        .filter(line -> line.contains("Inbound streams failed. Restarting it"))
        .count();
  }

  static void failAndRestart(Node node) {
    ControlMessageSubject before = controlStream(node);
    failControlStream(node);
    Node.await("the streams to run again", () -> controlStream(node) != before);
  }

  /** Sends a text until it arrives, as messages may be lost while connections are closed. */
  private static void assertArrives(String peer, Node node, String text) {
    Node.await(
        text,
        () -> {
          peers.does("tell " + peer + " " + node.address() + "/user/receiver " + text);
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
          return node.received.contains(text);
        });
  }

  @ParameterizedTest
  @CsvSource({"ours,ours", "ours,stock", "mover,ours", "stock,ours"})
  void inboundStreams_thatFailed_servePeersFromBeforeAndNewOnes(String kind, String peer)
      throws IOException {
    try (Node node = Node.start("failing", settings(kind))) {
      peers.does("start old " + peer);
      assertArrives("old", node, "before");
      for (int i = 1; i <= 2; i++) {
        failAndRestart(node);
        peers.does("start new" + i + " " + peer);
        assertArrives("old", node, "old" + i);
        assertArrives("new" + i, node, "new" + i);
      }
      Node.await("two restarts", () -> restarts(node) == 2);
      assertThat(node.system.whenTerminated().isCompleted()).isFalse();
    } finally {
      peers.does("stop");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ours", "stock"})
  void inboundStreams_thatFailMoreOftenThanConfigured_endTheSystem(String kind) {
    try (Node node = Node.start("failing", settings(kind), FEW_RESTARTS)) {
      failAndRestart(node);
      failAndRestart(node);
      Node.await("two restarts", () -> restarts(node) == 2);
      assertThat(node.system.whenTerminated().isCompleted()).isFalse();
      failControlStream(node);
      Node.await("the end", () -> node.system.whenTerminated().isCompleted());
    }
  }

  /** It is made as soon as the port is bound, which is before the streams run. */
  @ParameterizedTest
  @ValueSource(strings = {"ours", "mover", "stock"})
  void connection_acceptedBeforeTheStreamsRun_isServedWhenTheyDo(String kind) throws Exception {
    int port = freePort();
    byte[] request = Frames.handshake(PEER, new Address("pekko", "early", "127.0.0.1", port));
    CompletableFuture<Socket> early = CompletableFuture.supplyAsync(() -> connect(port, request));
    try (Node node =
        Node.start("early", settings(kind), "pekko.remote.artery.canonical.port = " + port)) {
      try (Socket socket = early.get()) {
        Node.await("the handshake", () -> node.transport().association(PEER.uid()) != null);
        assertThat(socket.isConnected()).isTrue();
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static Socket connect(int port, byte[] request) {
    while (true) {
      try {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream().write(Frames.header(Frames.CONTROL));
        socket.getOutputStream().write(request);
        return socket;
      } catch (IOException e) {
        Thread.onSpinWait(); // nobody listens yet
      }
    }
  }

  private static String settings(String kind) {
    return switch (kind) {
      case "ours" -> Node.OURS;
      case "mover" -> Node.MOVER;
      default -> Node.STOCK;
    };
  }
}
