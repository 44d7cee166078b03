// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.Terminated;
import org.apache.pekko.pattern.Patterns;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every combination of layers and stock Artery TCP, in both directions. */
class InteropTest {
  private static final int MANY = 30_000;

  private static String settings(String kind) {
    return switch (kind) {
      case "ours" -> Node.OURS;
      case "mover" -> Node.MOVER;
      case "out" -> Node.OUT_ONLY;
      case "in" -> Node.IN_ONLY;
      default -> Node.STOCK;
    };
  }

  private static final String QUEUE =
      "pekko.remote.artery.advanced.outbound-message-queue-size = 60000";

  @ParameterizedTest
  @CsvSource({
    "ours,ours",
    "ours,stock",
    "stock,ours",
    "mover,stock",
    "stock,mover",
    "mover,ours",
    "out,in",
    "in,out",
    "stock,stock"
  })
  void tell_manyMessages_arriveInOrder(String first, String second) {
    try (Node a = Node.start("a", settings(first), QUEUE);
        Node b = Node.start("b", settings(second), QUEUE)) {
      ActorRef there = a.find(b, "/user/receiver");
      ActorRef back = b.find(a, "/user/receiver");
      for (int i = 0; i < MANY; i++) {
        there.tell(i, ActorRef.noSender());
        back.tell(i, a.receiver);
      }
      List<Integer> all = IntStream.range(0, MANY).boxed().toList();
      Node.await("all in b", () -> b.received.size() >= MANY);
      Node.await("all in a", () -> a.received.size() >= MANY);
      assertThat(b.received).isEqualTo(all);
      assertThat(a.received).isEqualTo(all);
    }
  }

  @ParameterizedTest
  @CsvSource({"ours,ours", "ours,stock", "stock,ours"})
  void tell_withCompressionTables_arriveInOrder(String first, String second) {
    String tables =
        """
        pekko.remote.artery.advanced.compression {
          actor-refs.advertisement-interval = 100 ms
          manifests.advertisement-interval = 100 ms
        }
        """;
    try (Node a = Node.start("a", settings(first), QUEUE, tables);
        Node b = Node.start("b", settings(second), QUEUE, tables)) {
      ActorRef there = a.find(b, "/user/echo");
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
      int sent = 0;
      while (System.nanoTime() - until < 0) {
        int target = sent + 50;
        while (sent < target) {
          there.tell(sent++, a.receiver);
        }
        int expected = sent;
        Node.await("echo of " + expected, () -> a.received.size() >= expected);
      }
      assertThat(a.received).isEqualTo(IntStream.range(0, sent).boxed().toList());
    }
  }

  @ParameterizedTest
  @CsvSource({"ours,ours", "ours,stock", "stock,ours", "mover,stock", "stock,mover"})
  void ask_smallAndLargeMessages_areAnswered(String first, String second) {
    String large =
        """
        pekko.remote.artery.large-message-destinations = ["/user/large"]
        pekko.remote.artery.advanced.maximum-large-frame-size = 4 MiB
        """;
    try (Node a = Node.start("a", settings(first), large);
        Node b = Node.start("b", settings(second), large)) {
      b.system.actorOf(Props.create(Node.Echo.class), "large");
      a.system.actorOf(Props.create(Node.Echo.class), "large");
      ActorRef small = a.find(b, "/user/echo");
      ActorRef big = a.find(b, "/user/large");
      for (int bytes : new int[] {0, 1, 100, 10_000, 200_000}) {
        String text = Node.text(bytes);
        assertThat(Patterns.ask(small, text, Node.PATIENCE).toCompletableFuture().join())
            .isEqualTo(text);
      }
      for (int i = 0; i < 10; i++) {
        big.tell(Node.text(3_000_000 + i), b.find(a, "/user/large"));
        small.tell(i, a.receiver);
      }
      Node.await("small ones", () -> a.received.size() == 10);
      assertThat(a.warnings).noneMatch(line -> line.contains("failed"));
    }
  }

  @ParameterizedTest
  @CsvSource({"ours,ours", "ours,stock", "stock,ours", "mover,stock"})
  void watch_remoteActorStops_isTerminated(String first, String second) {
    try (Node a = Node.start("a", settings(first));
        Node b = Node.start("b", settings(second))) {
      ActorRef echo = a.find(b, "/user/echo");
      ActorRef watcher = a.system.actorOf(Props.create(Watcher.class, echo, a.receiver), "watcher");
      watcher.tell("watch", ActorRef.noSender());
      Node.await("watching", () -> a.received.contains("watching"));
      for (int i = 0; i < 500; i++) {
        echo.tell(i, a.receiver);
      }
      echo.tell("stop", ActorRef.noSender());
      Node.await("terminated", () -> a.received.contains("terminated"));
      Node.await(
          "all answers",
          () -> a.received.stream().filter(Integer.class::isInstance).count() == 500);
    }
  }

  @ParameterizedTest
  @CsvSource({"ours,stock", "stock,ours", "ours,ours"})
  void outboundLanes_several_keepOrderPerPair(String first, String second) {
    String lanes = "pekko.remote.artery.advanced.outbound-lanes = 3";
    try (Node a = Node.start("a", settings(first), QUEUE, lanes);
        Node b = Node.start("b", settings(second), QUEUE, lanes)) {
      ActorRef there = a.find(b, "/user/receiver");
      for (int i = 0; i < MANY; i++) {
        there.tell(i, a.receiver);
      }
      Node.await("all in b", () -> b.received.size() >= MANY);
      assertThat(b.received).isEqualTo(IntStream.range(0, MANY).boxed().toList());
    }
  }

  /** Watches one actor and says what happens. */
  static final class Watcher extends AbstractActor {
    private final ActorRef watched;
    private final ActorRef report;

    Watcher(ActorRef watched, ActorRef report) {
      this.watched = watched;
      this.report = report;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchEquals(
              "watch",
              watch -> {
                getContext().watch(watched);
                report.tell("watching", getSelf());
              })
          .match(Terminated.class, terminated -> report.tell("terminated", getSelf()))
          .build();
    }
  }
}
