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
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Dropped;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.serialization.JSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that reach the port without ever having shaken hands. */
class StrangersTest {
  private static final long SEED = 4711;

  /** The memory that a connection may well take: */
  private static final long LITTLE_BYTES = 24 << 20;

  private static final String COUNTING =
      """
      pekko.actor {
        serializers.counting = "io.deimos.remote.node.StrangersTest$Counting"
        serialization-bindings { "io.deimos.remote.node.StrangersTest$Counted" = counting }
      }
      pekko.remote.artery.large-message-destinations = ["/user/large"]
      """;

  /** A node, the strangers that hold connections to it, and the messages it dropped. */
  private static final class Attacked implements AutoCloseable {
    final Node node;
    final AtomicInteger dropped = new AtomicInteger();
    final List<Socket> strangers = new ArrayList<>();

    Attacked(String... settings) {
      node = Node.start("attacked", settings);
      ActorRef count =
          node.system.actorOf(
              Props.create(Node.Collector.class, new Node.Sink(event -> dropped())), "dropped");
      node.system.eventStream().subscribe(count, Dropped.class);
    }

    /** Counts an event, and keeps nothing of what has to do with it. */
    private void dropped() {
      dropped.incrementAndGet();
      node.lost.clear();
    }

    OutputStream connect(int stream) throws IOException {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.port());
      strangers.add(socket);
      socket.getOutputStream().write(Frames.header(stream));
      return socket.getOutputStream();
    }

    long heapBytes() {
      node.lost.clear();
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      return runtime.totalMemory() - runtime.freeMemory();
    }

    @Override
    public void close() throws IOException {
      for (Socket socket : strangers) {
        socket.close();
      }
      node.close();
    }
  }

  /** A sender's path that is like no other, and as long as stock Artery reads it. */
  private static byte[] longLiteral(Random random, long uid) {
    String pad = "p".repeat(30_000) + random.nextLong();
    return Frames.literal(
        uid,
        Frames.TEXT,
        "pekko://other@127.0.0.1:1/user/" + pad,
        "/user/none",
        "",
        "x".getBytes(US_ASCII));
  }

  private static long heldAfterLongLiterals(String settings) throws IOException {
    int connections = 10;
    int frames = 1500;
    Random random = new Random(SEED);
    try (Attacked attacked = new Attacked(settings)) {
      attacked.node.findAt(attacked.node.address().toString(), "/user/echo");
      long before = attacked.heapBytes();
      for (int i = 0; i < connections; i++) {
        OutputStream out = attacked.connect(Frames.ORDINARY);
        for (int j = 0; j < frames; j++) {
          out.write(longLiteral(random, i + 1));
        }
      }
      Node.await("all dropped", () -> attacked.dropped.get() >= connections * frames);
      return attacked.heapBytes() - before;
    }
  }

  @Test
  void longLiterals_ofManyConnections_takeNoMoreThanInStock() throws IOException {
    long stock = heldAfterLongLiterals(Node.STOCK);
    long ours = heldAfterLongLiterals(Node.OURS);
    System.out.println("long literals: held in stock " + stock + " B, here " + ours + " B");
    assertThat(ours).isLessThan(Math.max(stock, 0) + LITTLE_BYTES);
  }

  @Test
  void compressedTags_ofRandomSystems_makeNoTables() throws IOException {
    int frames = 1500;
    Random random = new Random(SEED);
    try (Attacked attacked = new Attacked(Node.OURS)) {
      long before = attacked.heapBytes();
      OutputStream out = attacked.connect(Frames.ORDINARY);
      for (int i = 0; i < frames; i++) {
        out.write(Frames.compressed(random.nextLong(), Frames.TEXT, new byte[0]));
      }
      byte[] last = Frames.literal(1, Frames.TEXT, "", "/user/none", "", "x".getBytes(US_ASCII));
      out.write(last);
      Node.await("the last one dropped", () -> attacked.dropped.get() > 0);
      long held = attacked.heapBytes() - before;
      System.out.println("random systems: held " + held + " B");
      assertThat(held).isLessThan(LITTLE_BYTES);
    }
  }

  @ParameterizedTest
  @CsvSource({"ours,2", "mover,2", "ours,1", "ours,3"})
  void messages_ofAnUnknownSystem_areNotDeserialised(String kind, int stream) throws IOException {
    Counting.READ.set(0);
    String settings = kind.equals("ours") ? Node.OURS : Node.MOVER;
    try (Attacked attacked = new Attacked(settings, COUNTING)) {
      OutputStream out = attacked.connect(stream);
      String recipient = attacked.node.address() + "/user/receiver";
      for (int i = 0; i < 10; i++) {
        out.write(Frames.literal(7, Counting.ID, "", recipient, "", new byte[3]));
      }
      Node.await("all dropped", () -> attacked.dropped.get() >= 10);
      assertThat(Counting.READ).hasValue(0);
      assertThat(attacked.node.received).isEmpty();
    }
  }

  /** Waits until the other side closes a connection. */
  private static void awaitClosed(Socket socket) throws IOException {
    socket.setSoTimeout((int) Node.PATIENCE.toMillis());
    try {
      assertThat(socket.getInputStream().read()).isNegative();
    } catch (SocketException e) {
      assertThat(e).hasMessageContaining("reset");
    }
  }

  private static long refused(String reason) {
    return RemoteStats.refused().stream()
        .filter(of -> of.system().equals("attacked") && of.reason().equals(reason))
        .mapToLong(RemoteStats.Refused::count)
        .sum();
  }

  /** A frame's first 28 bytes, of a length that a known peer might send. */
  @ParameterizedTest
  @CsvSource({"1, 262145", "2, 262145", "3, 2097153"})
  void frame_longerThanItsStreamsLimit_endsTheConnectionOfAStranger(int stream, int length)
      throws IOException {
    try (Attacked attacked = new Attacked(Node.OURS, COUNTING)) {
      byte[] frame = Frames.literal(7, Frames.TEXT, "", "", "", new byte[0]);
      ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(length);
      attacked.connect(stream).write(frame);
      awaitClosed(attacked.strangers.get(0));
      assertThat(refused("bad_frame")).isEqualTo(1);
    }
  }

  @Test
  void connections_withoutAHandshake_areLimitedInNumberAndTime() throws IOException {
    String few = "deimos.remote.strangers { max-connections = 16, timeout = 2 s }";
    try (Attacked attacked = new Attacked(Node.OURS, few);
        Node peer = Node.start("peer", Node.OURS)) {
      ActorRef there = peer.find(attacked.node, "/user/receiver");
      long before = refused("no_handshake"); // the peer's own, if the machine is slow
      int tried = 40;
      for (int i = 0; i < tried; i++) {
        attacked.connect(Frames.ORDINARY);
      }
      for (Socket socket : attacked.strangers) {
        awaitClosed(socket);
      }
      assertThat(refused("too_many_connections")).isPositive();
      assertThat(refused("no_handshake") - before).isPositive();
      assertThat(refused("too_many_connections") + refused("no_handshake") - before)
          .isEqualTo(tried);
      there.tell("still there", ActorRef.noSender()); // on the connection from before
      Node.await("the peer", () -> attacked.node.received.contains("still there"));
    }
  }

  /** The peers of this one send so little that the handshake is nearly all of it. */
  @ParameterizedTest
  @CsvSource({"ours,false", "mover,false", "ours,true"})
  void connections_ofPeers_areNoStrangersHoweverLittleTheySay(String kind, boolean large)
      throws IOException {
    String soon = "deimos.remote.strangers.timeout = 1 s";
    String toLarge = "pekko.remote.artery.large-message-destinations = [\"/user/receiver\"]";
    try (Attacked attacked = new Attacked(kind.equals("ours") ? Node.OURS : Node.MOVER, soon);
        Node peer = Node.start("peer", Node.STOCK, large ? toLarge : "")) {
      peer.find(attacked.node, "/user/echo").tell("hello", peer.receiver);
      Node.await("the answer", () -> peer.received.contains("hello"));
      if (large) {
        ((ExtendedActorSystem) peer.system)
            .provider()
            .resolveActorRef(attacked.node.address() + "/user/receiver")
            .tell("not taken", ActorRef.noSender());
        Node.await("what is not taken", () -> refused("large_not_configured") > 0);
      }
      long before = refused("no_handshake"); // the peer's own, if the machine is slow
      attacked.connect(Frames.ORDINARY);
      awaitClosed(attacked.strangers.get(0)); // the others have had as long before
      assertThat(refused("no_handshake") - before).isEqualTo(1);
    }
  }

  @Test
  void garbage_onManyConnections_fillsNoLog() throws IOException {
    try (Attacked attacked = new Attacked(Node.OURS)) {
      for (int i = 0; i < 100; i++) {
        attacked.connect(9);
        awaitClosed(attacked.strangers.get(i));
      }
      assertThat(refused("bad_frame")).isEqualTo(100);
      Node.await("lines", () -> lines(attacked) >= 10);
      assertThat(lines(attacked)).isEqualTo(10);
    }
  }

  private static long lines(Attacked attacked) {
    return attacked.node.warnings.stream().filter(line -> line.contains("is closed")).count();
  }

  /** A message of the user's. */
  record Counted() {}

  /** Counts what is read. */
  public static final class Counting extends JSerializer {
    static final int ID = 4715;
    static final AtomicInteger READ = new AtomicInteger();

    @Override
    public int identifier() {
      return ID;
    }

    @Override
    public boolean includeManifest() {
      return false;
    }

    @Override
    public byte[] toBinary(Object message) {
      return new byte[0];
    }

    @Override
    public Object fromBinaryJava(byte[] bytes, Class<?> manifest) {
      READ.incrementAndGet();
      return new Counted();
    }
  }
}
