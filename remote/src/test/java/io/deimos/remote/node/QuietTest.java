// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.deimos.remote.RemoteStats;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.dispatch.Dispatcher;
import org.apache.pekko.dispatch.UnboundedPriorityMailbox;
import org.apache.pekko.remote.artery.RemoteInstrument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Single messages on a quiet connection: written by their sender, read on the event loop. */
class QuietTest {
  private static final String WATCHED =
      "pekko.remote.artery.advanced.instruments = [\"io.deimos.remote.node.QuietTest$Threads\"]";
  private static final String BOUNDED =
      """
      bounded {
        mailbox-type = "org.apache.pekko.dispatch.BoundedMailbox"
        mailbox-capacity = 1
        mailbox-push-timeout-time = 30 s
      }
      """;
  private static final String SMALL_POOL =
      """
      small-pool {
        executor = thread-pool-executor
        thread-pool-executor { fixed-pool-size = 1, task-queue-size = 1 }
      }
      """;
  private static final String NO_REQUESTS =
      "pekko.remote.artery.advanced.inject-handshake-interval = 1 h";
  private static final String PRIORITY =
      "by-priority.mailbox-type = \"io.deimos.remote.node.QuietTest$ByPriority\"";
  private static final String LOOP = "-deimos-remote-data";

  private final AtomicInteger number = new AtomicInteger();

  @BeforeEach
  void forget() {
    Threads.WRITTEN.clear();
    Threads.READ.clear();
    ByPriority.COMPARING.clear();
  }

  /** Sends single messages until one was written, or read, on such a thread. */
  private void awaitOneOn(
      String thread, Map<String, String> threads, ActorRef there, List<Object> received) {
    Node.await(
        "a message on " + thread,
        () -> {
          String message = "message " + number.incrementAndGet();
          there.tell(message, ActorRef.noSender());
          Node.await(message, () -> received.contains(message));
          return threads.getOrDefault(message, "").contains(thread);
        });
  }

  @Test
  void message_onQuietConnection_isWrittenByItsSenderAndReadOnTheEventLoop() {
    try (Node a = Node.start("a", Node.OURS, WATCHED);
        Node b = Node.start("b", Node.OURS, WATCHED)) {
      ActorRef there = a.find(b, "/user/receiver");
      String sender = Thread.currentThread().getName();
      awaitOneOn(sender, Threads.WRITTEN, there, b.received);
      awaitOneOn("b" + LOOP, Threads.READ, there, b.received);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"event-loop", "dispatcher"})
  void message_threadIsPrescribed_isNeverWrittenByItsSender(String where) {
    try (Node a = Node.start("a", Node.OURS, WATCHED, "deimos.remote.encode-on = " + where);
        Node b = Node.start("b", Node.OURS)) {
      ActorRef there = a.find(b, "/user/receiver");
      awaitOneOn(
          where.equals("dispatcher") ? "dispatcher" : "a" + LOOP,
          Threads.WRITTEN,
          there,
          b.received);
      assertThat(Threads.WRITTEN.values()).doesNotContain(Thread.currentThread().getName());
    }
  }

  @Test
  void serialiser_isTheUsersOwn_runsNeitherOnTheSenderNorOnAnEventLoop() {
    String users =
        """
        pekko.actor {
          serializers.users = "io.deimos.remote.node.LanesTest$Slow"
          serialization-bindings { "io.deimos.remote.node.LanesTest$Heavy" = users }
        }
        """;
    try (Node a = Node.start("a", Node.OURS, WATCHED, users);
        Node b = Node.start("b", Node.OURS, WATCHED, users)) {
      ActorRef there = a.find(b, "/user/receiver");
      awaitOneOn(Thread.currentThread().getName(), Threads.WRITTEN, there, b.received);
      for (int i = 0; i < 20; i++) {
        LanesTest.Heavy message = new LanesTest.Heavy(i);
        there.tell(message, ActorRef.noSender());
        Node.await("the user's own", () -> b.received.contains(message));
        assertThat(Threads.WRITTEN.get(message.toString())).contains("dispatcher");
        assertThat(Threads.READ.get(message.toString())).contains("dispatcher");
      }
    }
  }

  @Test
  void recipient_hasMailboxWithAUsersComparator_isNotFilledByTheEventLoop() {
    try (Node a = Node.start("a", Node.OURS, WATCHED);
        Node b = Node.start("b", Node.OURS, WATCHED, PRIORITY)) {
      CountDownLatch open = Latched.shut();
      b.system.actorOf(Props.create(Latched.class).withMailbox("by-priority"), "latched");
      ActorRef latched = a.find(b, "/user/latched");
      ActorRef there = a.find(b, "/user/receiver");
      try {
        awaitOneOn("b" + LOOP, Threads.READ, there, b.received);
        for (int i = 0; i < 20; i++) { // of which the first is being processed
          int compared = ByPriority.COMPARING.size();
          latched.tell("waits " + i, ActorRef.noSender());
          if (i > 1) {
            Node.await("comparing", () -> ByPriority.COMPARING.size() > compared);
          }
        }
        assertThat(ByPriority.COMPARING).isNotEmpty().noneMatch(thread -> thread.contains(LOOP));
      } finally {
        open.countDown();
      }
    }
  }

  /** Putting a message into a bounded mailbox can wait for half a minute. */
  @Test
  void recipient_hasFullBoundedMailbox_keepsNobodyElseWaiting() {
    try (Node a = Node.start("a", Node.OURS);
        Node b = Node.start("b", Node.OURS, BOUNDED);
        Node c = Node.start("c", Node.OURS)) {
      CountDownLatch open = Latched.shut();
      b.system.actorOf(Props.create(Latched.class).withMailbox("bounded"), "latched");
      ActorRef latched = a.find(b, "/user/latched");
      ActorRef fromC = c.find(b, "/user/receiver");
      try {
        for (int i = 0; i < 8; i++) {
          latched.tell("to the full one", ActorRef.noSender());
          String other = "from another peer " + i;
          fromC.tell(other, ActorRef.noSender());
          Node.await(other, () -> b.received.contains(other));
        }
      } finally {
        open.countDown();
      }
    }
  }

  /** A pool whose queue is full runs what it is given on the thread that gives it. */
  @Test
  void recipient_hasFullPool_isNotRunByTheEventLoop() {
    CountDownLatch end = new CountDownLatch(1);
    try (Node a = Node.start("a", Node.OURS, WATCHED);
        Node b = Node.start("b", Node.OURS, WATCHED, SMALL_POOL)) {
      try {
        fill(b.system, end);
        Runs.ON.clear();
        b.system.actorOf(Props.create(Runs.class).withDispatcher("small-pool"), "runs");
        ActorRef runs =
            ((ExtendedActorSystem) a.system).provider().resolveActorRef(b.address() + "/user/runs");
        ActorRef there = a.find(b, "/user/receiver");
        awaitOneOn("b" + LOOP, Threads.READ, there, b.received); // and so may be the next ones
        for (int i = 0; i < 20; i++) {
          int before = Runs.ON.size();
          runs.tell("run " + i, ActorRef.noSender());
          Node.await("a run", () -> Runs.ON.size() > before);
        }
        assertThat(Runs.ON).noneMatch(thread -> thread.contains(LOOP));
      } finally {
        end.countDown();
      }
    }
  }

  /** The same pool may be the one for the work of connections. */
  @Test
  void poolOfConnections_isFull_theirWorkIsNotRunByTheEventLoop() {
    String pool = SMALL_POOL + "pekko.remote.artery.advanced.use-dispatcher = small-pool";
    CountDownLatch end = new CountDownLatch(1);
    try (Node a = Node.start("a", Node.OURS, WATCHED, LanesTest.HEAVY);
        Node b = Node.start("b", Node.OURS, WATCHED, LanesTest.HEAVY, pool)) {
      try {
        fill(b.system, end);
        ActorRef there = a.find(b, "/user/receiver");
        for (int i = 0; i < 20; i++) {
          LanesTest.Heavy message = new LanesTest.Heavy(i);
          there.tell(message, ActorRef.noSender());
          Node.await("a heavy one", () -> b.received.contains(message));
          assertThat(Threads.READ.get(message.toString())).isNotNull().doesNotContain(LOOP);
        }
      } finally {
        end.countDown();
      }
    }
  }

  /** Gives the small pool so much to do that it takes no more. */
  private static void fill(ActorSystem system, CountDownLatch end) {
    Dispatcher dispatcher = (Dispatcher) system.dispatchers().lookup("small-pool");
    ThreadPoolExecutor pool = (ThreadPoolExecutor) dispatcher.executorService().executor();
    AtomicBoolean begun = new AtomicBoolean();
    pool.prestartCoreThread();
    Node.await(
        "a full pool",
        () -> {
          boolean full =
              !pool.getQueue()
                  .offer(
                      () -> {
                        begun.set(true);
                        awaitQuietly(end);
                      });
          return full && begun.get();
        });
  }

  private static void awaitQuietly(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Beyond the high-water mark messages wait in Artery's queue, however slowly they come. */
  @Test
  void socket_takesAPart_restFollowsInOrderAndTheQueueFills() throws IOException {
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("a", Node.OURS, FaultTest.QUICK, NO_REQUESTS, WATCHED);
        Node b = Node.start("b", Node.OURS, FaultTest.QUICK, FaultTest.behind(proxy))) {
      proxy.forwardTo(FaultTest.bindPort(b));
      ActorRef there = a.find(b, "/user/receiver");
      awaitOneOn(Thread.currentThread().getName(), Threads.WRITTEN, there, b.received);
      b.received.clear();
      proxy.stall(true);
      String text = Node.text(100_000);
      List<Object> sent = new ArrayList<>();
      Node.await(
          "a full socket",
          () -> { // each after a pause, and so by the sender until the socket is full
            String message = sent.size() + text;
            sent.add(message);
            there.tell(message, ActorRef.noSender());
            return FaultTest.queued() > 0 && sent.size() > 3;
          });
      for (int i = 0; i < 3; i++) {
        sent.add("after " + i);
        there.tell("after " + i, ActorRef.noSender());
      }
      proxy.stall(false);
      Node.await("all", () -> b.received.size() >= sent.size());
      assertThat(b.received).isEqualTo(sent);
    }
  }

  /** Its event loop has yet to see the end: a sender's first write is refused, its second fails. */
  @Test
  void peer_hasEndedTheConnection_sendersWriteFails_isSaidToBeNoFailure() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("ended", Node.OURS, FaultTest.QUICK, NO_REQUESTS, WATCHED);
        Node b = Node.start("b", Node.OURS, FaultTest.QUICK, FaultTest.behind(proxy))) {
      proxy.forwardTo(FaultTest.bindPort(b));
      ActorRef there = a.find(b, "/user/receiver");
      awaitOneOn(Thread.currentThread().getName(), Threads.WRITTEN, there, b.received);
      Object loops = EngineTest.field(EngineTest.engines().get(0), "loops");
      CountDownLatch held = new CountDownLatch(1);
      for (Object loop : (Iterable<?>) EngineTest.field(loops, "data")) {
        ((Executor) loop)
            .execute(
                () -> {
                  held.countDown();
                  awaitQuietly(end);
                });
      }
      held.await();
      proxy.endAll();
      try {
        Node.await(
            "a write that fails",
            () -> {
              there.tell("lost", ActorRef.noSender());
              return droppedBy("ended") > 0;
            });
      } finally {
        end.countDown();
      }
      Node.await(
          "a message on the next connection",
          () -> {
            there.tell("next", ActorRef.noSender());
            return b.received.contains("next");
          });
      assertThat(a.warnings).noneMatch(line -> line.startsWith("[outbound connection"));
    }
  }

  private static long droppedBy(String system) {
    return RemoteStats.snapshot().stream()
        .filter(peer -> peer.system().equals(system) && peer.stream().equals("ordinary"))
        .mapToLong(peer -> peer.counts().dropped())
        .sum();
  }

  /** As where the sender's stack is nearly used up. */
  @Test
  void error_onTheSendersThread_leavesTheMessageToTheEventLoop() {
    String failing =
        "pekko.remote.artery.advanced.instruments = [\"io.deimos.remote.node.QuietTest$Failing\"]";
    try (Node a = Node.start("a", Node.OURS, failing, NO_REQUESTS);
        Node b = Node.start("b", Node.OURS)) {
      ActorRef there = a.find(b, "/user/receiver");
      Failing.FAILED.clear();
      Failing.sender = Thread.currentThread();
      List<Object> sent = new ArrayList<>();
      Node.await(
          "some errors",
          () -> {
            String message = "message " + number.incrementAndGet();
            sent.add(message);
            there.tell(message, ActorRef.noSender());
            Node.await(message, () -> b.received.contains(message));
            return Failing.FAILED.size() >= 3;
          });
      assertThat(b.received).isEqualTo(sent);
      assertThat(a.warnings).noneMatch(line -> line.contains("Restarting"));
      assertThat(a.lost).isEmpty();
    } finally {
      Failing.sender = null;
    }
  }

  /** A mailbox whose order is the user's own code, which notes where it runs. */
  public static final class ByPriority extends UnboundedPriorityMailbox {
    static final List<String> COMPARING = new CopyOnWriteArrayList<>();

    public ByPriority(ActorSystem.Settings settings, Config config) {
      super(
          (one, other) -> {
            COMPARING.add(Thread.currentThread().getName());
            return one.message().toString().compareTo(other.message().toString());
          });
    }
  }

  /** Takes its messages when it is let. */
  static final class Latched extends AbstractActor {
    private static volatile CountDownLatch open = new CountDownLatch(0);

    /** Has those that are made from now on wait until it is counted down. */
    static CountDownLatch shut() {
      open = new CountDownLatch(1);
      return open;
    }

    @Override
    public Receive createReceive() {
      CountDownLatch mine = open;
      return receiveBuilder().matchAny(message -> awaitQuietly(mine)).build();
    }
  }

  /** Notes on which threads it runs. */
  static final class Runs extends AbstractActor {
    static final List<String> ON = new CopyOnWriteArrayList<>();

    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(message -> ON.add(Thread.currentThread().getName())).build();
    }
  }

  /** Notes on which threads messages are written and read. */
  public static final class Threads extends RemoteInstrument {
    static final Map<String, String> WRITTEN = new ConcurrentHashMap<>();
    static final Map<String, String> READ = new ConcurrentHashMap<>();

    @Override
    public byte identifier() {
      return 11;
    }

    @Override
    public void remoteWriteMetadata(
        ActorRef recipient, Object message, ActorRef sender, ByteBuffer buffer) {
      WRITTEN.put(message.toString(), Thread.currentThread().getName());
      buffer.putInt(1);
    }

    @Override
    public void remoteMessageSent(
        ActorRef recipient, Object message, ActorRef sender, int size, long time) {}

    @Override
    public void remoteReadMetadata(
        ActorRef recipient, Object message, ActorRef sender, ByteBuffer buffer) {
      READ.put(message.toString(), Thread.currentThread().getName());
      buffer.getInt();
    }

    @Override
    public void remoteMessageReceived(
        ActorRef recipient, Object message, ActorRef sender, int size, long time) {}
  }

  /** Throws an error whenever a message is written on the thread of the test. */
  public static final class Failing extends RemoteInstrument {
    static final List<Object> FAILED = new CopyOnWriteArrayList<>();
    static volatile @Nullable Thread sender;

    @Override
    public byte identifier() {
      return 12;
    }

    @Override
    public void remoteWriteMetadata(
        ActorRef recipient, Object message, ActorRef from, ByteBuffer buffer) {
      if (Thread.currentThread() == sender) {
        FAILED.add(message);
        throw new StackOverflowError("the sender's");
      }
    }

    @Override
    public void remoteMessageSent(
        ActorRef recipient, Object message, ActorRef from, int size, long time) {}

    @Override
    public void remoteReadMetadata(
        ActorRef recipient, Object message, ActorRef from, ByteBuffer buffer) {}

    @Override
    public void remoteMessageReceived(
        ActorRef recipient, Object message, ActorRef from, int size, long time) {}
  }
}
