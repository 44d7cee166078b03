// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.remote.RemoteStats;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Dropped;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cut connections, slow readers, strangers, restarted peers. */
class FaultTest {
  static final String QUICK =
      """
      pekko.remote.artery.advanced {
        handshake-retry-interval = 200 ms
        inject-handshake-interval = 200 ms
        outbound-restart-backoff = 50 ms
        system-message-resend-interval = 200 ms
      }
      """;

  /** Long enough for the event loop to have taken a message before the next one. */
  private static final long PAUSE_NANOS = 200_000;

  private static final Duration LONG_PATIENCE = Duration.ofMinutes(5);

  /** Buffers of a whole batch each would take several times as much. */
  private static final long FEW_BYTES = 32 << 20;

  /** Many cuts in a row are what some tests are about, not a reason to give the system up. */
  static final String UNTIRING = "pekko.remote.artery.advanced.outbound-max-restarts = 1000000";

  /** The node behind the proxy is known by the proxy's port. */
  static String behind(FaultProxy proxy) {
    return """
        pekko.remote.artery.canonical.port = %d
        pekko.remote.artery.bind { hostname = "127.0.0.1", port = 0 }
        """
        .formatted(proxy.port());
  }

  static int bindPort(Node node) {
    return (Integer) node.transport().bindAddress().address().port().get();
  }

  static void assertInOrder(List<Object> received) {
    List<Integer> numbers =
        received.stream().filter(Integer.class::isInstance).map(Integer.class::cast).toList();
    assertThat(numbers).isSorted().doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true"})
  void connection_cutAtManyPositions_losesOnlyWhatWasUnderWay(boolean first, boolean second)
      throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("a", first ? Node.OURS : Node.STOCK, QUICK, UNTIRING);
        Node b = Node.start("b", second ? Node.OURS : Node.STOCK, QUICK, UNTIRING, behind(proxy))) {
      proxy.forwardTo(bindPort(b));
      ActorRef there = a.find(b, "/user/receiver");
      int[] sent = {0};
      for (int cut = 0; cut < 25; cut++) {
        proxy.cutAfter(5 + random.nextInt(cut < 10 ? 150 : 3000));
        proxy.cutAll();
        int connections = proxy.connections.get();
        Node.await(
            "reconnect, seed " + seed,
            () -> {
              there.tell(sent[0]++, ActorRef.noSender());
              return proxy.connections.get() > connections;
            });
      }
      proxy.cutAfter(-1);
      proxy.cutAll();
      int marker = sent[0] + 1_000_000;
      int[] next = {marker};
      Node.await(
          "traffic again, seed " + seed,
          () -> {
            there.tell(next[0]++, ActorRef.noSender());
            return b.received.stream()
                .anyMatch(message -> message instanceof Integer number && number >= marker);
          });
      if (second) {
        assertInOrder(b.received);
        assertThat(b.warnings).noneMatch(warning -> warning.contains("may overtake"));
      } else {
        // the hub that joins Pekko's own inbound connections keeps no order among them
        assertThat(b.received.stream().filter(Integer.class::isInstance))
            .doesNotHaveDuplicates()
            .isNotEmpty();
      }
    }
  }

  @Test
  void peer_doesNotRead_queueDropsAndMemoryStaysBounded() throws IOException {
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("a", Node.OURS, QUICK);
        Node b = Node.start("b", Node.OURS, QUICK, behind(proxy))) {
      proxy.forwardTo(bindPort(b));
      ActorRef there = a.find(b, "/user/receiver");
      proxy.stall(true);
      String text = Node.text(2000);
      int[] sent = {0};
      Node.await(
          "overflow of a queue that nothing leaves any more",
          () -> {
            for (int i = 0; i < 2000; i++) {
              there.tell(sent[0]++, ActorRef.noSender());
              there.tell(text, ActorRef.noSender());
            }
            return queued() >= 3072
                && a.lost.stream()
                    .anyMatch(
                        event ->
                            event instanceof Dropped dropped
                                && dropped.reason().contains("overflow of send queue"));
          });
      assertThat(queued()).isLessThanOrEqualTo(4096);
      proxy.stall(false);
      int[] next = {10_000_000};
      Node.await(
          "traffic again",
          () -> {
            there.tell(next[0]++, ActorRef.noSender());
            return b.received.stream()
                .anyMatch(message -> message instanceof Integer number && number >= 10_000_000);
          });
      assertInOrder(b.received);
    }
  }

  /** Each of them is sent alone, and so what it waits in is its own. */
  @Test
  void peer_doesNotRead_singleMessagesTakeLittleMoreThanTheirBytes()
      throws IOException, ReflectiveOperationException {
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("a", Node.OURS, QUICK);
        Node b = Node.start("b", Node.OURS, QUICK, behind(proxy))) {
      proxy.forwardTo(bindPort(b));
      ActorRef there = a.find(b, "/user/receiver");
      String text = Node.text(200);
      long before = directBytes();
      proxy.stall(true);
      Node.await(
          "as many bytes waiting as may be",
          LONG_PATIENCE, // thousands of pauses, each as long as the machine makes it
          () -> {
            for (int i = 0; i < 20; i++) {
              there.tell(text, ActorRef.noSender());
              LockSupport.parkNanos(PAUSE_NANOS);
            }
            return queued() > 100;
          });
      assertThat(directBytes() - before).isLessThan(FEW_BYTES);
    }
  }

  /** The bytes of the buffers of the transports' Netty. */
  private static long directBytes() throws ReflectiveOperationException {
    Object allocator = EngineTest.field(EngineTest.engines().get(0), "buffers");
    long bytes = 0;
    for (Object arena : (List<?>) call(call(allocator, "metric"), "directArenas")) {
      bytes += (Long) call(arena, "numActiveBytes");
    }
    return bytes;
  }

  private static Object call(Object of, String name) throws ReflectiveOperationException {
    Method method = of.getClass().getMethod(name);
    method.setAccessible(true);
    return method.invoke(of);
  }

  /** Messages in the fullest of Artery's send queues for ordinary ones. */
  static long queued() {
    return RemoteStats.snapshot().stream()
        .filter(peer -> peer.direction().equals("out") && peer.stream().equals("ordinary"))
        .mapToLong(RemoteStats.Peer::queued)
        .max()
        .orElse(0);
  }

  @Test
  void strangers_sendGarbage_areClosedWithAWarningAndNobodyElseIs() throws IOException {
    Random random = new Random(42);
    try (Node a = Node.start("a", Node.OURS, QUICK);
        Node b = Node.start("b", Node.OURS, QUICK)) {
      ActorRef there = a.find(b, "/user/receiver");
      byte[] noise = new byte[500];
      random.nextBytes(noise);
      noise[0] = 0;
      byte[] http = "GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
      byte[] magic = "AKKA".getBytes(StandardCharsets.US_ASCII);
      List<byte[]> attacks =
          List.of(
              noise,
              http,
              join(magic, new byte[] {9}),
              join(magic, new byte[] {2, -1, -1, -1, 127}), // 2 GiB
              join(magic, new byte[] {2, -1, -1, -1, -1}), // negative
              join(magic, new byte[] {1, 0, 0, 0, 0}), // empty, on the control stream
              join(magic, new byte[] {3, 27, 0, 0, 0}), // too short, on the large stream
              join(magic, new byte[] {2, 40, 0, 0, 0}, wrongLiteral()));
      int done = 0;
      for (byte[] attack : attacks) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), b.port())) {
          OutputStream out = socket.getOutputStream();
          out.write(attack);
          out.flush();
          socket.setSoTimeout(10_000);
          assertThat(readToEnd(socket)).as("attack %d", done).isTrue();
        }
        done++;
        there.tell(done, ActorRef.noSender());
      }
      try (Socket scan = new Socket(InetAddress.getLoopbackAddress(), b.port())) {
        assertThat(scan.isConnected()).isTrue();
      }
      int all = done;
      Node.await("all messages", () -> b.received.size() == all);
      assertThat(b.received).isEqualTo(IntStream.rangeClosed(1, all).boxed().toList());
      Node.await(
          "a warning each",
          () ->
              b.warnings.stream().filter(line -> line.startsWith("Inbound connection from")).count()
                  >= all);
    }
  }

  private static byte[] wrongLiteral() {
    byte[] frame = new byte[40];
    frame[28] = (byte) 0xFF; // a sender's path longer than the frame
    frame[29] = (byte) 0x7F;
    return frame;
  }

  private static byte[] join(byte[]... parts) {
    java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static boolean readToEnd(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (IOException e) {
      return e.getMessage().contains("reset");
    }
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true"})
  void peer_isRestartedOnTheSamePort_isReachedAgain(boolean first, boolean second) {
    try (Node a = Node.start("a", first ? Node.OURS : Node.STOCK, QUICK)) {
      Node b = Node.start("b", second ? Node.OURS : Node.STOCK, QUICK);
      int port = b.port();
      ActorRef there = a.find(b, "/user/receiver");
      there.tell("first", ActorRef.noSender());
      Node.await("first", () -> b.received.contains("first"));
      b.stop();
      try (Node again =
          Node.start(
              "b",
              second ? Node.OURS : Node.STOCK,
              QUICK,
              "pekko.remote.artery.canonical.port = " + port)) {
        Node.await(
            "second",
            () -> {
              a.system
                  .actorSelection(again.address() + "/user/receiver")
                  .tell("second", ActorRef.noSender());
              return again.received.contains("second");
            });
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true"})
  void quarantine_messagesOfTheOldIncarnation_areNotDelivered(boolean first, boolean second) {
    try (Node a = Node.start("a", first ? Node.OURS : Node.STOCK, QUICK);
        Node b = Node.start("b", second ? Node.OURS : Node.STOCK, QUICK)) {
      ActorRef there = a.find(b, "/user/receiver");
      ActorRef back = b.find(a, "/user/receiver");
      there.tell("before", ActorRef.noSender());
      back.tell("before", ActorRef.noSender());
      Node.await("before", () -> b.received.contains("before") && a.received.contains("before"));
      long uid = b.transport().localAddress().uid();
      a.transport().quarantine(b.address(), scala.Option.apply((Object) uid), "test");
      there.tell("after", ActorRef.noSender());
      back.tell("after", ActorRef.noSender());
      Node.await(
          "b is told",
          () -> b.warnings.stream().anyMatch(line -> line.contains("quarantined this node")));
      assertThat(b.received).doesNotContain("after");
      assertThat(a.received).doesNotContain("after");
    }
  }

  @Test
  void stream_idle_isStoppedAndStartsAgainWithTheNextMessage() {
    String idle =
        """
        pekko.remote.artery.advanced {
          stop-idle-outbound-after = 1 s
          quarantine-idle-outbound-after = 60 s
          tcp.connection-timeout = 1 s
        }
        """;
    try (Node a = Node.start("a", Node.OURS, QUICK, idle);
        Node b = Node.start("b", Node.OURS, QUICK, idle)) {
      ActorRef there = a.find(b, "/user/receiver");
      there.tell(1, ActorRef.noSender());
      Node.await("one", () -> b.received.contains(1));
      Node.await(
          "stop", () -> !a.transport().association(b.address()).isOrdinaryMessageStreamActive());
      there.tell(2, ActorRef.noSender());
      there.tell(3, ActorRef.noSender());
      Node.await("three", () -> b.received.contains(3));
      assertThat(b.received).isEqualTo(List.of(1, 2, 3));
    }
  }

  @Test
  void message_unserialisableOrOversized_isDroppedAndOthersArrive() {
    try (Node a = Node.start("a", Node.OURS);
        Node b = Node.start("b", Node.OURS)) {
      ActorRef there = a.find(b, "/user/receiver");
      there.tell(1, ActorRef.noSender());
      there.tell(new Object(), ActorRef.noSender());
      there.tell(Node.text(300_000), ActorRef.noSender());
      there.tell(2, ActorRef.noSender());
      Node.await("two", () -> b.received.contains(2));
      assertThat(b.received).isEqualTo(List.of(1, 2));
      Node.await(
          "dropped",
          () ->
              a.lost.stream()
                  .anyMatch(
                      event ->
                          event instanceof Dropped dropped
                              && dropped.reason().startsWith("Discarding oversized payload")));
      Node.await(
          "a warning",
          () ->
              a.warnings.stream().anyMatch(line -> line.startsWith("Failed to serialize message")));
    }
  }

  @Test
  void peer_isNotThere_messagesGoToDeadLettersAndNothingGrows() {
    try (Node a = Node.start("a", Node.OURS, QUICK);
        Node b = Node.start("b", Node.OURS)) {
      ActorRef there = a.find(b, "/user/receiver");
      b.stop();
      Node.await(
          "overflow",
          () -> {
            for (int i = 0; i < 1000; i++) {
              there.tell(i, ActorRef.noSender());
            }
            return a.lost.size() > 1000;
          });
    }
  }
}
