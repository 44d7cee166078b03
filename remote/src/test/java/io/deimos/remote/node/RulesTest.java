// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.remote.RemoteStats;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Dropped;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.remote.RemoteActorRef;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.OutboundEnvelope$;
import org.apache.pekko.serialization.JSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules of Artery that must hold whoever moves the bytes. */
class RulesTest {
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void untrustedMode_possiblyHarmful_isNotDelivered(boolean ours) {
    String untrusted =
        """
        pekko.remote.artery.untrusted-mode = on
        pekko.remote.artery.trusted-selection-paths = ["/user/receiver", "/user/echo"]
        """;
    try (Node a = Node.start("a", Node.OURS);
        Node b = Node.start("b", ours ? Node.OURS : Node.STOCK, untrusted)) {
      ActorRef echo = a.find(b, "/user/echo");
      echo.tell(PoisonPill.getInstance(), ActorRef.noSender());
      a.system
          .actorSelection(b.address() + "/user/logs")
          .tell("by a path that is not trusted", ActorRef.noSender());
      echo.tell("still there", a.receiver);
      Node.await("an answer", () -> a.received.contains("still there"));
      assertThat(b.warnings).noneMatch(line -> line.contains("by a path"));
    }
  }

  @Test
  void handshakeTimeout_peerIsSilent_isSaidAndTriedAgain() throws IOException {
    String impatient =
        """
        pekko.remote.artery.advanced {
          handshake-timeout = 2 s
          handshake-retry-interval = 200 ms
        }
        """;
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("a", Node.OURS, impatient);
        Node b = Node.start("b", Node.OURS, FaultTest.behind(proxy))) {
      proxy.forwardTo(FaultTest.bindPort(b));
      proxy.stall(true);
      var selection = a.system.actorSelection(b.address() + "/user/receiver");
      Node.await(
          "a timeout",
          () -> {
            selection.tell("early", ActorRef.noSender());
            return a.warnings.stream()
                .anyMatch(line -> line.contains("did not complete within 2000 ms"));
          });
      proxy.stall(false);
      Node.await(
          "delivery",
          () -> {
            selection.tell("late", ActorRef.noSender());
            return b.received.contains("late");
          });
    }
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true"})
  void systemMessages_underRepeatedCuts_allArrive(boolean first, boolean second)
      throws IOException {
    int watched = 60;
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("a", first ? Node.OURS : Node.STOCK, FaultTest.QUICK);
        Node b =
            Node.start(
                "b", second ? Node.OURS : Node.STOCK, FaultTest.QUICK, FaultTest.behind(proxy))) {
      proxy.forwardTo(FaultTest.bindPort(b));
      for (int i = 0; i < watched; i++) {
        b.system.actorOf(Props.create(Node.Echo.class), "watched" + i);
      }
      for (int i = 0; i < watched; i++) {
        ActorRef one = a.find(b, "/user/watched" + i);
        a.system
            .actorOf(Props.create(InteropTest.Watcher.class, one, a.receiver))
            .tell("watch", ActorRef.noSender());
      }
      Node.await("watching", () -> a.received.size() == watched);
      for (int i = 0; i < watched; i++) {
        int number = i;
        b.system.actorSelection("/user/watched" + i).tell("stop", ActorRef.noSender());
        if (i % 6 == 0) {
          int before = proxy.connections.get();
          proxy.cutAll();
          Node.await(
              "a connection after cut " + number,
              () -> {
                a.system.actorSelection(b.address() + "/user/none").tell(1, ActorRef.noSender());
                return proxy.connections.get() > before;
              });
        }
      }
      Node.await(
          "every Terminated",
          () -> a.received.stream().filter("terminated"::equals).count() == watched);
    }
  }

  @Test
  void deserialiser_isStuck_controlStreamAndOtherPeersGoOn() {
    String slow =
        """
        pekko.actor {
          serializers.stuck = "io.deimos.remote.node.RulesTest$Stuck"
          serialization-bindings { "io.deimos.remote.node.RulesTest$Heavy" = stuck }
        }
        """;
    try (Node a = Node.start("a", Node.OURS, slow);
        Node b = Node.start("b", Node.OURS, slow);
        Node c = Node.start("c", Node.OURS)) {
      ActorRef there = a.find(b, "/user/receiver");
      ActorRef echo = a.find(b, "/user/echo");
      ActorRef fromC = c.find(b, "/user/receiver");
      a.system
          .actorOf(Props.create(InteropTest.Watcher.class, echo, a.receiver))
          .tell("watch", ActorRef.noSender());
      Node.await("watching", () -> a.received.contains("watching"));
      there.tell(new Heavy(1), ActorRef.noSender());
      try {
        Stuck.awaitEntered();
        b.system.actorSelection("/user/echo").tell("stop", ActorRef.noSender());
        Node.await("terminated", () -> a.received.contains("terminated"));
        fromC.tell("from another peer", ActorRef.noSender());
        Node.await("another peer", () -> b.received.contains("from another peer"));
      } finally {
        Stuck.LEAVE.countDown();
      }
      Node.await("the heavy one", () -> b.received.contains(new Heavy(1)));
    }
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true"})
  void stream_refusedUntilItGivesUp_isStartedAgainAndKeepsOrder(boolean first, boolean second)
      throws IOException {
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("a", first ? Node.OURS : Node.STOCK, FaultTest.QUICK);
        Node b =
            Node.start(
                "b", second ? Node.OURS : Node.STOCK, FaultTest.QUICK, FaultTest.behind(proxy))) {
      proxy.forwardTo(FaultTest.bindPort(b));
      ActorRef there = a.find(b, "/user/receiver");
      proxy.refuse(true); // often enough for the stream to give up and to be started again
      int[] sent = {0};
      Node.await(
          "attempts",
          () -> {
            there.tell(sent[0]++, ActorRef.noSender());
            return proxy.refused.get() > 12;
          });
      proxy.refuse(false);
      int marker = sent[0];
      Node.await(
          "traffic again",
          () -> {
            there.tell(sent[0]++, ActorRef.noSender());
            return b.received.stream().anyMatch(n -> n instanceof Integer i && i >= marker);
          });
      FaultTest.assertInOrder(b.received);
    }
  }

  /** Nothing leaves the queue before the handshake, so what it takes can be counted. */
  @ParameterizedTest
  @CsvSource({"true,1", "false,1", "true,3", "false,3"})
  void queue_isFull_takesAndDropsAsManyAsStockArteryDoes(boolean ours, int lanes)
      throws IOException {
    int sent = 2000;
    int room = 512; // Artery's queue rounds 300 up
    String small =
        """
        pekko.remote.artery.advanced { outbound-message-queue-size = 300, outbound-lanes = %d }
        """
            .formatted(lanes);
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("full", ours ? Node.OURS : Node.STOCK, small);
        Node b = Node.start("b", Node.OURS, FaultTest.behind(proxy))) {
      proxy.forwardTo(FaultTest.bindPort(b));
      proxy.stall(true);
      ActorRef there =
          ((ExtendedActorSystem) a.system)
              .provider()
              .resolveActorRef(b.address() + "/user/receiver");
      for (int i = 0; i < sent; i++) {
        there.tell(i, ActorRef.noSender());
      }
      Node.await("all that is dropped", () -> overflows(a) >= sent - room);
      proxy.stall(false);
      Node.await("all that is delivered", () -> b.received.size() >= room);
      there.tell("end", ActorRef.noSender());
      Node.await("the end", () -> b.received.contains("end"));
      assertThat(overflows(a)).isEqualTo(sent - room);
      assertThat(List.copyOf(b.received).subList(0, room))
          .isEqualTo(IntStream.range(0, room).boxed().toList());
      assertThat(b.received).hasSize(room + 1);
      if (ours) {
        assertThat(dropped("full")).isEqualTo(sent - room);
      }
    }
  }

  /** Under way, too, each message is delivered or said to be dropped. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void peer_stopsReadingForAWhile_everyMessageIsDeliveredOrSaidToBeDropped(boolean ours)
      throws IOException {
    int sent = 20_000;
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("stopped", ours ? Node.OURS : Node.STOCK);
        Node b = Node.start("b", Node.OURS, FaultTest.behind(proxy))) {
      proxy.forwardTo(FaultTest.bindPort(b));
      ActorRef there = a.find(b, "/user/receiver");
      proxy.stall(true);
      String text = Node.text(1500);
      for (int i = 0; i < sent; i++) {
        there.tell(text, ActorRef.noSender());
      }
      Node.await("an overflow", () -> overflows(a) > 0);
      proxy.stall(false);
      Node.await("all", () -> b.received.size() + overflows(a) >= sent);
      there.tell("end", ActorRef.noSender());
      Node.await("the end", () -> b.received.contains("end"));
      assertThat(b.received.size() - 1 + overflows(a)).isEqualTo(sent);
      if (ours) {
        assertThat(dropped("stopped")).isEqualTo(overflows(a));
      }
    }
  }

  private static long overflows(Node node) {
    return node.lost.stream()
        .filter(event -> event instanceof Dropped)
        .filter(event -> ((Dropped) event).reason().contains("overflow of send queue"))
        .count();
  }

  private static long dropped(String system) {
    return RemoteStats.snapshot().stream()
        .filter(peer -> peer.system().equals(system) && peer.stream().equals("ordinary"))
        .mapToLong(peer -> peer.counts().dropped())
        .sum();
  }

  /** As a sender does that read the association's queues just before the lane was put there. */
  @Test
  void queue_isFilledBehindTheLanesBack_messageIsStillSent() throws ReflectiveOperationException {
    String idle =
        """
        pekko.remote.artery.advanced {
          stop-idle-outbound-after = 1 s
          quarantine-idle-outbound-after = 60 s
          tcp.connection-timeout = 1 s
        }
        """;
    try (Node a = Node.start("a", Node.OURS, idle);
        Node b = Node.start("b", Node.OURS)) {
      ActorRef there = a.find(b, "/user/receiver");
      Association association = a.transport().association(b.address());
      Field field = Association.class.getDeclaredField("queues");
      field.setAccessible(true);
      Object[] queues = (Object[]) field.get(association);
      int ordinary = Association.OrdinaryQueueIndex();
      Node.await("idle", () -> !association.isOrdinaryMessageStreamActive());
      Association.LazyQueueWrapper lazy = (Association.LazyQueueWrapper) queues[ordinary];
      long before = sent(b);
      lazy.runMaterialize();
      Node.await("the lane's handshake", () -> sent(b) > before);
      lazy.queue()
          .offer(OutboundEnvelope$.MODULE$.apply((RemoteActorRef) there, "behind its back", null));
      Node.await("the message", () -> b.received.contains("behind its back"));
    }
  }

  private static long sent(Node to) {
    return RemoteStats.snapshot().stream()
        .filter(peer -> peer.peer().equals(to.address().toString()))
        .filter(peer -> peer.direction().equals("out") && peer.stream().equals("ordinary"))
        .mapToLong(peer -> peer.counts().messages())
        .sum();
  }

  /** Something whose deserialiser waits. */
  record Heavy(int number) {}

  /** Waits in the middle of deserialising until it is let go. */
  public static final class Stuck extends JSerializer {
    static final CountDownLatch LEAVE = new CountDownLatch(1);
    private static final CountDownLatch ENTERED = new CountDownLatch(1);

    static void awaitEntered() {
      Node.await("the deserialiser", () -> ENTERED.getCount() == 0);
    }

    @Override
    public int identifier() {
      return 4711;
    }

    @Override
    public boolean includeManifest() {
      return false;
    }

    @Override
    public byte[] toBinary(Object message) {
      return new byte[] {(byte) ((Heavy) message).number()};
    }

    @Override
    public Object fromBinaryJava(byte[] bytes, Class<?> manifest) {
      ENTERED.countDown();
      try {
        LEAVE.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return new Heavy(bytes[0]);
    }
  }
}
