// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.remote.RemoteStats;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.Deploy;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.remote.RemoteScope;
import org.apache.pekko.remote.UniqueAddress;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.OutboundHandshake;
import org.apache.pekko.remote.artery.Quarantined;
import org.apache.pekko.remote.artery.ThisActorSystemQuarantinedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that end, do not come about or are slow, seen from the sending side. */
class OutboundTest {
  private static final int LANES = 3;
  private static final String SEVERAL = "pekko.remote.artery.advanced.outbound-lanes = " + LANES;
  private static final String IDLE =
      """
      pekko.remote.artery.advanced {
        stop-idle-outbound-after = 1 s
        quarantine-idle-outbound-after = 60 s
        tcp.connection-timeout = 1 s
      }
      """;

  /** Peers are known by this name, and names are looked up on a thread that may wait. */
  private static final String BY_NAME =
      "pekko.remote.artery.canonical.hostname = localhost\n"
          + "pekko.remote.artery.bind.hostname = \"127.0.0.1\"";

  private static final String AT_ONCE =
      "pekko.remote.artery.advanced { outbound-restart-backoff = 2 ms, outbound-max-restarts = 1000000 }";

  private static final int SENDERS = 8;
  private static final int STALLS = 150;
  private static final long STALL_NANOS = 8_000_000;
  private static final long PAUSE_NANOS = 300_000;
  private static final int MAX_UNDER_WAY = 100;
  private static final int PEERS = 20;
  private static final int MORE_THAN_A_SOCKET_TAKES = 150;
  private static final int REFUSALS = 60;

  private static final String SHELL = "org.apache.pekko.stream.impl.fusing.GraphInterpreterShell";

  /** A stream may be about to end, and another about to begin. */
  private static final int FEW_STREAMS = 4;

  /** A recipient's lane depends on a number that its name does not tell. */
  private static final int RECIPIENTS = 24;

  @Test
  void lanes_stoppedWhenIdle_everyRecipientIsReachedAgain() {
    try (Node a = Node.start("a", Node.OURS, SEVERAL, IDLE);
        Node b = Node.start("b", Node.OURS)) {
      List<ActorRef> recipients = new ArrayList<>();
      for (int i = 0; i < RECIPIENTS; i++) {
        b.system.actorOf(
            Props.create(Node.Collector.class, new Node.Sink(b.received::add)), "r" + i);
        recipients.add(a.find(b, "/user/r" + i));
      }
      Association association = a.transport().association(b.address());
      for (int first = 1;
          first < LANES;
          first++) { // and so not the one that Artery itself restarts
        Node.await("idle", () -> !association.isOrdinaryMessageStreamActive());
        int lane = first;
        List<Object> sent = new ArrayList<>();
        recipients.stream()
            .sorted(Comparator.comparing(recipient -> lane(recipient) != lane))
            .forEach(
                recipient -> {
                  String message = lane + " first, to " + recipient.path();
                  sent.add(message);
                  recipient.tell(message, ActorRef.noSender());
                });
        Node.await("all, lost " + a.lost, () -> b.received.containsAll(sent));
      }
      assertThat(a.lost).isEmpty();
    }
  }

  /** As Artery chooses it. */
  private static int lane(ActorRef recipient) {
    return Math.abs(recipient.path().uid() % LANES);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void control_portIsClosed_streamsDoNotGrowAndTheSystemLives(boolean ours) throws Exception {
    try (Node a = Node.start("a", ours ? Node.OURS : Node.STOCK)) {
      Address address;
      try (Node b = Node.start("b", Node.OURS)) {
        address = b.address();
        ActorRef there = a.find(b, "/user/receiver");
        there.tell("known", ActorRef.noSender());
        Node.await("known", () -> b.received.contains("known"));
      }
      Association association = a.transport().association(address);
      long[] streams = new long[3];
      for (int i = 0; i < streams.length; i++) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(4);
        while (System.nanoTime() - until < 0) {
          association.sendControl(
              new OutboundHandshake.HandshakeReq(a.transport().localAddress(), address));
          LockSupport.parkNanos(1_000_000);
        }
        streams[i] = instances(SHELL);
      }
      assertThat(a.system.getWhenTerminated().toCompletableFuture().isDone()).isFalse();
      assertThat(streams[2]).isLessThanOrEqualTo(streams[0] + FEW_STREAMS);
    }
  }

  /** Live objects of a class. */
  private static long instances(String type) throws Exception {
    String histogram =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcClassHistogram",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
    return histogram
        .lines()
        .map(String::trim)
        .filter(line -> line.endsWith(" " + type))
        .mapToLong(line -> Long.parseLong(line.split("\\s+", -1)[1]))
        .sum();
  }

  @Test
  void peer_knownByNameAndResetsConnections_isReachedWhenItAccepts() throws IOException {
    List<FaultProxy> proxies = new ArrayList<>();
    List<Node> peers = new ArrayList<>();
    Handler log = new Errors();
    Logger.getLogger("").addHandler(log);
    Errors.SEEN.clear();
    Burners burners = new Burners();
    try (Node a = Node.start("a", Node.OURS, FaultTest.QUICK, AT_ONCE)) {
      for (int i = 0; i < PEERS; i++) {
        FaultProxy proxy = new FaultProxy();
        proxies.add(proxy);
        proxy.refuse(true);
        Node b = Node.start("b" + i, Node.OURS, FaultTest.QUICK, FaultTest.behind(proxy), BY_NAME);
        peers.add(b);
        proxy.forwardTo(FaultTest.bindPort(b));
      }
      List<ActorRef> there = new ArrayList<>();
      for (Node b : peers) {
        there.add(
            ((ExtendedActorSystem) a.system)
                .provider()
                .resolveActorRef(b.address() + "/user/receiver"));
      }
      Node.await(
          "refusals",
          () -> {
            there.forEach(peer -> peer.tell("refused", ActorRef.noSender()));
            return proxies.stream().allMatch(proxy -> proxy.refused.get() > REFUSALS);
          });
      burners.stop();
      proxies.forEach(proxy -> proxy.refuse(false));
      Node.await(
          "all peers",
          () -> {
            there.forEach(peer -> peer.tell("accepted", ActorRef.noSender()));
            return peers.stream().allMatch(peer -> peer.received.contains("accepted"));
          });
      assertThat(Errors.SEEN).isEmpty();
    } finally {
      burners.stop();
      Logger.getLogger("").removeHandler(log);
      peers.forEach(Node::close);
      for (FaultProxy proxy : proxies) {
        proxy.close();
      }
    }
  }

  /**
   * Take the processors for a moment again and again, so that threads are stopped in the middle of
   * things: a thread that wakes takes the place of one that runs.
   */
  private static final class Burners {
    private static final long BURST_NANOS = 200_000;
    private volatile boolean burning = true;

    Burners() {
      for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
        Thread thread = new Thread(this::burn, "burner " + i);
        thread.setDaemon(true);
        thread.start();
      }
    }

    private void burn() {
      while (burning) {
        long until = System.nanoTime() + BURST_NANOS;
        while (System.nanoTime() - until < 0) {
          Thread.onSpinWait();
        }
        LockSupport.parkNanos(BURST_NANOS);
      }
    }

    void stop() {
      burning = false;
    }
  }

  /** Keeps what Netty logs of exceptions that nobody expected. */
  private static final class Errors extends Handler {
    static final List<String> SEEN = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord line) {
      if (line.getThrown() != null) {
        SEEN.add(line.getMessage() + ": " + line.getThrown());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /**
   * The stream has asked for the next frame when its connection breaks, and that comes in the
   * pause. Nothing here is sent a second time by itself.
   */
  @Test
  void control_sentInThePauseAfterACut_arrives() throws IOException {
    String once =
        """
        pekko.remote.artery.advanced {
          outbound-restart-backoff = 300 ms
          system-message-resend-interval = 1 h
          inject-handshake-interval = 1 h
          death-watch-notification-flush-timeout = 1 h
        }
        """;
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("a", Node.OURS, once);
        Node b = Node.start("b", Node.OURS, once, FaultTest.behind(proxy))) {
      proxy.forwardTo(FaultTest.bindPort(b));
      int control = ArteryTransport.ControlStreamId();
      ActorRef events =
          b.system.actorOf(
              Props.create(Node.Collector.class, new Node.Sink(b.received::add)), "events");
      b.system.eventStream().subscribe(events, ThisActorSystemQuarantinedEvent.class);
      b.system.actorOf(Props.create(Node.Echo.class), "watched");
      ActorRef watched = a.find(b, "/user/watched");
      watch(a, watched);
      tellQuarantined(a, b, 1); // and so the watching has arrived

      pause(a, proxy, control);
      tellQuarantined(a, b, 2);

      pause(a, proxy, control);
      ActorRef deployed =
          a.system.actorOf(
              Props.create(Node.Echo.class).withDeploy(new Deploy(new RemoteScope(b.address()))));
      deployed.tell("deployed", a.receiver);
      Node.await("an answer of the deployed actor", () -> a.received.contains("deployed"));

      pause(a, proxy, control);
      watched.tell("stop", ActorRef.noSender()); // b asks whether all has arrived, and a says so
      Node.await("terminated", () -> a.received.contains("terminated"));
      a.received.clear();

      pause(a, proxy, control);
      ActorRef echo = a.find(b, "/user/echo");
      watch(a, echo);
      echo.tell("stop", ActorRef.noSender());
      Node.await("terminated", () -> a.received.contains("terminated"));
    }
  }

  private static void watch(Node node, ActorRef watched) {
    node.system
        .actorOf(Props.create(InteropTest.Watcher.class, watched, node.receiver))
        .tell("watch", ActorRef.noSender());
    Node.await("watching", () -> node.received.contains("watching"));
  }

  /** Has one node tell the other that some system has quarantined it. */
  private static void tellQuarantined(Node from, Node to, long uid) {
    UniqueAddress some = new UniqueAddress(from.address(), uid);
    UniqueAddress whom = to.transport().localAddress();
    from.transport().association(to.address()).sendControl(new Quarantined(some, whom));
    ThisActorSystemQuarantinedEvent event = new ThisActorSystemQuarantinedEvent(whom, some);
    Node.await("quarantine told by " + uid, () -> to.received.contains(event));
  }

  @Test
  void large_sentInThePauseAfterACut_arrives() throws IOException {
    String large =
        """
        pekko.remote.artery {
          large-message-destinations = ["/user/receiver"]
          advanced.outbound-restart-backoff = 300 ms
        }
        """;
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("a", Node.OURS, large);
        Node b = Node.start("b", Node.OURS, large, FaultTest.behind(proxy))) {
      proxy.forwardTo(FaultTest.bindPort(b));
      ActorRef there = a.find(b, "/user/receiver");
      there.tell(0, ActorRef.noSender());
      Node.await("the first", () -> b.received.contains(0));
      for (int cut = 1; cut < 3; cut++) {
        int message = cut;
        pause(a, proxy, ArteryTransport.LargeStreamId());
        there.tell(message, ActorRef.noSender());
        Node.await("the one after cut " + cut, () -> b.received.contains(message));
      }
    }
  }

  /** Cuts a stream's connection and waits until its node knows. */
  private static void pause(Node node, FaultProxy proxy, int stream) {
    String name = stream == ArteryTransport.LargeStreamId() ? "large" : "control";
    Node.await("a connection", () -> connected(node, name));
    Node.await(
        "the end of the connection",
        () -> {
          proxy.cutStream(stream); // again, as its header may be on the way still
          return !connected(node, name);
        });
  }

  private static boolean connected(Node node, String stream) {
    return RemoteStats.snapshot().stream()
        .filter(peer -> peer.system().equals(node.system.name()))
        .filter(peer -> peer.direction().equals("out") && peer.stream().equals(stream))
        .anyMatch(RemoteStats.Peer::connected);
  }

  /** Messages for a peer that takes nothing cannot be sent, and must not be waited for. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void streams_stoppedWhileThePeerTakesNothing_leaveNoConnection(boolean quarantine)
      throws Exception {
    String stops =
        quarantine
            ? """
              pekko.remote.artery.advanced {
                stop-quarantined-after-idle = 500 ms
                tcp.connection-timeout = 1 h
              }
              """
            : IDLE;
    String large = "pekko.remote.artery.large-message-destinations = [\"/user/large\"]";
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("a", Node.OURS, stops, large);
        Node b = Node.start("b", Node.OURS, FaultTest.behind(proxy))) {
      proxy.forwardTo(FaultTest.bindPort(b));
      List<ActorRef> there =
          List.of(
              a.find(b, "/user/receiver"),
              ((ExtendedActorSystem) a.system)
                  .provider()
                  .resolveActorRef(b.address() + "/user/large"));
      Node.await("ordinary and large to b, ordinary from b", () -> dataConnections() == 3);
      proxy.stall(true);
      String text = Node.text(100_000);
      for (int i = 0; i < MORE_THAN_A_SOCKET_TAKES; i++) {
        there.forEach(recipient -> recipient.tell(text, ActorRef.noSender()));
      }
      Node.await("messages that wait", () -> FaultTest.queued() > 0);
      Association association = a.transport().association(b.address());
      if (quarantine) {
        association.quarantine("test");
      }
      Node.await("the end of the connections", () -> dataConnections() == 1);
    }
  }

  /** The sum of the first system's ordinary and large streams, in either direction. */
  private static int dataConnections() {
    try {
      Object data =
          EngineTest.field(EngineTest.field(EngineTest.engines().get(0), "loops"), "data");
      int connections = 0;
      for (Object loop : (Iterable<?>) data) {
        connections += ((AtomicInteger) EngineTest.field(loop, "numRegistrations")).get();
      }
      return connections;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Alerts read them. */
  @Test
  void linesOfFailures_refusedAndBroken_areThoseOfStock() throws IOException {
    assertThat(linesOfFailures(Node.OURS)).isEqualTo(linesOfFailures(Node.STOCK));
  }

  private static Set<String> linesOfFailures(String kind) throws IOException {
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("a", kind);
        Node b = Node.start("b", Node.OURS, FaultTest.behind(proxy))) {
      proxy.forwardTo(FaultTest.bindPort(b));
      a.find(b, "/user/receiver").tell("known", ActorRef.noSender());
      Node.await("known", () -> b.received.contains("known"));
      proxy.cutAll();
      int closed;
      try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        closed = port.getLocalPort();
      }
      a.system
          .actorSelection("pekko://none@127.0.0.1:" + closed + "/user/nobody")
          .tell("refused", ActorRef.noSender());
      Node.await("a line for each", () -> failures(a).size() == 2);
      return failures(a);
    }
  }

  /** The log lines of a node on failures on ordinary streams, without the ports. */
  private static Set<String> failures(Node node) {
    return node.warnings.stream()
        .filter(line -> line.startsWith("[outbound") && line.contains("message stream]"))
        .map(line -> line.replaceAll(":\\d+(?=[\\],])", ":PORT"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** A name that only the name server of {@code pekko.io.dns} knows. */
  @Test
  void peer_nameIsKnownToPekkosNameServer_isReachedAlsoAfterItWasSilent() throws IOException {
    String byName =
        """
        pekko.remote.artery.canonical.hostname = "peer.test"
        pekko.remote.artery.bind.hostname = "127.0.0.1"
        """;
    String impatient = "pekko.remote.artery.advanced.tcp.connection-timeout = 500 ms";
    try (NameServer names = new NameServer();
        FaultProxy proxy = new FaultProxy();
        Node a = Node.start("a", Node.OURS, FaultTest.QUICK, impatient, names.settings());
        Node b = Node.start("b", Node.OURS, FaultTest.QUICK, FaultTest.behind(proxy), byName)) {
      proxy.forwardTo(FaultTest.bindPort(b));
      names.silent = true;
      ActorRef there =
          ((ExtendedActorSystem) a.system)
              .provider()
              .resolveActorRef(b.address() + "/user/receiver");
      there.tell("first", ActorRef.noSender());
      Node.await("a request for the name", () -> names.asked.get() > 0);
      Node.await(
          "the end of the attempt",
          () -> a.warnings.stream().anyMatch(line -> line.contains("outbound connection to")));
      assertThat(b.received).isEmpty();
      names.silent = false;
      Node.await(
          "a message",
          () -> {
            there.tell("later", ActorRef.noSender());
            return b.received.contains("later");
          });
    }
  }

  /** A large message that the socket takes in part must not be torn apart by another lane's. */
  @Test
  void lanes_socketTakesAPart_noFrameIsTornApart() throws IOException {
    String large =
        "pekko.remote.artery.advanced { outbound-lanes = 4, maximum-frame-size = 512 KiB }";
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("a", Node.OURS, FaultTest.QUICK, large);
        Node b = Node.start("b", Node.OURS, FaultTest.QUICK, large, FaultTest.behind(proxy))) {
      proxy.forwardTo(FaultTest.bindPort(b));
      AtomicInteger got = new AtomicInteger();
      AtomicInteger sent = new AtomicInteger();
      AtomicBoolean enough = new AtomicBoolean();
      Node.Sink count = new Node.Sink(message -> got.incrementAndGet());
      List<Thread> senders = new ArrayList<>();
      for (int i = 0; i < SENDERS; i++) {
        b.system.actorOf(Props.create(Node.Collector.class, count), "r" + i);
        ActorRef recipient = a.find(b, "/user/r" + i);
        senders.add(new Thread(() -> sendLarge(recipient, sent, got, enough), "sender " + i));
      }
      senders.forEach(Thread::start);
      Burners burners = new Burners();
      for (int i = 0; i < STALLS; i++) {
        proxy.stall(true);
        LockSupport.parkNanos(STALL_NANOS);
        proxy.stall(false);
        LockSupport.parkNanos(STALL_NANOS);
      }
      burners.stop();
      enough.set(true);
      Node.await("senders", () -> senders.stream().noneMatch(Thread::isAlive));
      Node.await(
          "all, " + b.warnings,
          () -> got.get() >= sent.get() || b.warnings.stream().anyMatch(OutboundTest::isTorn));
      assertThat(b.warnings).noneMatch(OutboundTest::isTorn);
      assertThat(got).hasValue(sent.get());
    }
  }

  private static boolean isTorn(String warning) {
    return warning.contains("it sent") || warning.contains("decoding failed");
  }

  /** Each after a pause, and so by the sender itself whenever the socket is not full. */
  private static void sendLarge(
      ActorRef recipient, AtomicInteger sent, AtomicInteger got, AtomicBoolean enough) {
    byte[] bytes = new byte[200_000];
    while (!enough.get()) {
      if (sent.get() - got.get() < MAX_UNDER_WAY) {
        sent.incrementAndGet();
        recipient.tell(bytes, ActorRef.noSender());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
