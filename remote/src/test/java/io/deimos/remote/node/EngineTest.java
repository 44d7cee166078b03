// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.remote.Batches;
import io.deimos.remote.FlushReason;
import io.deimos.remote.MessageMeter;
import io.deimos.remote.RemoteStats;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.remote.RemoteTransportException;
import org.apache.pekko.remote.artery.RemoteInstrument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Switches, counters, instruments, and a dead event loop. */
class EngineTest {
  private static boolean runs(Node node) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().startsWith(node.system.name() + "-deimos-remote"));
  }

  @Test
  void settings_offOrAbsent_stockArteryRuns() {
    try (Node off = Node.start("off", Node.STOCK);
        Node absent = Node.start("absent");
        Node noMover = Node.start("nomover", Node.OURS, "deimos.remote.byte-mover = off");
        Node on = Node.start("on", Node.OURS)) {
      on.find(off, "/user/echo");
      assertThat(runs(off)).isFalse();
      assertThat(runs(absent)).isFalse();
      assertThat(runs(noMover)).isFalse();
      assertThat(runs(on)).isTrue();
    }
  }

  @Test
  void settings_withoutAnEffectHere_areNamedAtTheStart() {
    String keeping = "pekko.loggers = [\"" + ScalaVersionsTest.Said.class.getName() + "\"]";
    ScalaVersionsTest.Said.LINES.clear();
    try (Node a = Node.start("a", Node.OURS, keeping, "pekko.io.tcp.nr-of-selectors = 2")) {
      Node.await(
          "the line of " + a.address(),
          () ->
              ScalaVersionsTest.Said.LINES.stream()
                  .anyMatch(line -> line.endsWith("no effect: pekko.io.tcp.nr-of-selectors")));
    }
  }

  @ParameterizedTest
  @CsvSource({"control", "data"})
  void eventLoop_isKilled_anotherTakesOver(String kind) throws ReflectiveOperationException {
    String quick =
        """
        pekko.remote.artery.advanced {
          outbound-restart-backoff = 50 ms
          handshake-retry-interval = 200 ms
        }
        """;
    try (Node a = Node.start("a", Node.OURS, quick);
        Node b = Node.start("b", Node.OURS, quick)) {
      ActorRef echo = a.find(b, "/user/echo");
      echo.tell("before", a.receiver);
      Node.await("before", () -> a.received.contains("before"));
      kill(kind);
      Node.await(
          "after",
          () -> {
            echo.tell("after", a.receiver);
            return a.received.contains("after");
          });
    }
  }

  /** Stops the event loops of all running transports, which only a test would do. */
  private static void kill(String kind) throws ReflectiveOperationException {
    for (Object engine : engines()) {
      Object loops = field(engine, "loops");
      Object group = field(loops, kind);
      Method shutdown =
          group.getClass().getMethod("shutdownGracefully", long.class, long.class, TimeUnit.class);
      shutdown.invoke(group, 0L, 0L, TimeUnit.MILLISECONDS);
    }
  }

  /** With io_uring the kernel gives a port back a moment after its socket was closed. */
  private static Node startAt(int port) {
    AtomicReference<Node> started = new AtomicReference<>();
    Node.await(
        "port " + port,
        () -> {
          try {
            started.set(Node.start("b", Node.OURS, "pekko.remote.artery.canonical.port = " + port));
            return true;
          } catch (RemoteTransportException e) {
            return false;
          }
        });
    return started.get();
  }

  /** A thing that a machine or a container may do without is its own business. */
  private static List<String> possible(String io) {
    boolean linux = System.getProperty("os.name").equals("Linux");
    return linux && io.equals("epoll") ? List.of(io) : List.of(io, "nio");
  }

  private static List<Object> ios() throws ReflectiveOperationException {
    Field sources = RemoteStats.class.getDeclaredField("SOURCES");
    sources.setAccessible(true);
    List<Object> names = new ArrayList<>();
    for (Object engine : (List<?>) sources.get(null)) {
      names.add(field(field(engine, "io"), "name"));
    }
    return names;
  }

  /** The sum of all transports that run. */
  static List<?> engines() throws ReflectiveOperationException {
    Field sources = RemoteStats.class.getDeclaredField("SOURCES");
    sources.setAccessible(true);
    return (List<?>) sources.get(null);
  }

  static Object field(Object owner, String name) throws ReflectiveOperationException {
    Class<?> type = owner.getClass();
    while (Arrays.stream(type.getDeclaredFields()).noneMatch(f -> f.getName().equals(name))) {
      type = type.getSuperclass();
    }
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nio", "epoll", "io_uring"})
  void io_asAskedFor_movesMessagesAndRestartsAndStops(String io)
      throws ReflectiveOperationException {
    String wanted = "deimos.remote.io = " + io;
    String large =
        """
        pekko.remote.artery {
          large-message-destinations = ["/user/large"]
          advanced.maximum-large-frame-size = 4 MiB
        }
        """;
    try (Node a = Node.start("a", Node.OURS, wanted, large)) {
      assertThat(ios()).singleElement().isIn(possible(io));
      int port;
      try (Node b = Node.start("b", Node.OURS, wanted, large)) {
        port = b.port();
        ActorRef there = a.find(b, "/user/receiver");
        for (int i = 0; i < 2000; i++) {
          there.tell(i, ActorRef.noSender());
        }
        Node.await("all", () -> b.received.size() == 2000);
        FaultTest.assertInOrder(b.received);
        b.system.actorOf(
            Props.create(Node.Collector.class, new Node.Sink(b.received::add)), "large");
        a.find(b, "/user/large").tell(Node.text(1_000_000), ActorRef.noSender());
        Node.await("the large one", () -> b.received.size() == 2001);
      }
      try (Node again = startAt(port)) {
        Node.await(
            "the next",
            () -> {
              a.system
                  .actorSelection(again.address() + "/user/receiver")
                  .tell("next", ActorRef.noSender());
              return again.received.contains("next");
            });
      }
    }
  }

  @Test
  void batching_offOrWithAnInterval_messagesArriveInOrder() {
    for (String batching :
        List.of(
            "deimos.remote.batching.enabled = off",
            "deimos.remote.batching.flush-interval = 5 ms",
            "deimos.remote.batching { max-pending-writes = 3, max-pending-bytes = 1 KiB }",
            "deimos.remote.encode-on = dispatcher",
            "deimos.remote.encode-on = event-loop")) {
      try (Node a = Node.start("a", Node.OURS, batching);
          Node b = Node.start("b", Node.OURS, batching)) {
        ActorRef there = a.find(b, "/user/receiver");
        for (int i = 0; i < 1000; i++) {
          there.tell(i, ActorRef.noSender());
        }
        Node.await(batching, () -> b.received.size() == 1000);
        assertThat(b.received).first().isEqualTo(0);
        assertThat(b.received).last().isEqualTo(999);
      }
    }
  }

  @Test
  void stats_afterTraffic_countMessagesBytesAndFlushes() {
    try (Node a = Node.start("counted", Node.OURS);
        Node b = Node.start("b", Node.OURS)) {
      RemoteStats.detailed(true);
      ActorRef there = a.find(b, "/user/receiver");
      for (int i = 0; i < 1000; i++) {
        there.tell("x", ActorRef.noSender());
      }
      Node.await("all", () -> b.received.size() == 1000);
      Node.await(
          "counted",
          () ->
              RemoteStats.snapshot().stream()
                  .anyMatch(
                      peer ->
                          peer.system().equals("counted")
                              && peer.stream().equals("ordinary")
                              && peer.direction().equals("out")
                              && peer.counts().messages() >= 1000
                              && peer.counts().bytes() > 30_000
                              && peer.counts().flushes() > 0
                              && peer.counts().flushes() < peer.counts().messages()
                              && peer.counts().flushNanos() > 0
                              && peer.counts().codecNanos() > 0
                              && Objects.requireNonNull(peer.batches()).timed() > 0
                              && Objects.requireNonNull(peer.batches()).flushNanoSum() > 0
                              && peer.counts().dropped() == 0
                              && peer.counts().reconnects() == 0));
    } finally {
      RemoteStats.detailed(false);
    }
    assertThat(RemoteStats.snapshot()).noneMatch(peer -> peer.system().equals("counted"));
  }

  /** Messages that wait, and the reason for which each of these settings ends their batches. */
  @ParameterizedTest
  @CsvSource({
    "batching.max-pending-writes = 3, MESSAGES",
    "batching.max-pending-bytes = 1 KiB, BYTES",
    "batching.flush-interval = 20 ms, INTERVAL",
    "batching.enabled = off, MESSAGES",
    "encode-on = dispatcher, DRAINED"
  })
  void stats_ofBatches_tellWhyTheyEndedAndHowLongTheyWere(String setting, FlushReason reason) {
    try (Node a = Node.start("batches", Node.OURS, "deimos.remote." + setting);
        Node b = Node.start("b", Node.OURS)) {
      ActorRef there = a.find(b, "/user/receiver");
      int[] told = {0};
      Node.await(
          setting,
          () -> {
            for (int i = 0; i < 500; i++) {
              there.tell("some text that takes a few dozen bytes", ActorRef.noSender());
            }
            told[0] += 500;
            Node.await("all", () -> b.received.size() == told[0]);
            return ordinary("batches").count(reason) > 0;
          });
      Node.await("counted", () -> ordinary("batches").messageSum() >= told[0]);
      Batches batches = ordinary("batches");
      RemoteStats.Peer peer = peer("batches");
      assertThat(Arrays.stream(batches.messages()).sum()).isEqualTo(batches.count());
      assertThat(Arrays.stream(batches.bytes()).sum()).isEqualTo(batches.count());
      assertThat(peer.counts().flushes()).isEqualTo(batches.count());
      assertThat(batches.timed()).isZero();
      Node.await(
          "nothing lost and nothing twice",
          () -> {
            RemoteStats.Peer now = peer("batches");
            Batches all = ordinary("batches");
            return all.messageSum() == now.counts().messages()
                && all.byteSum() == now.counts().bytes();
          });
    }
  }

  private static RemoteStats.Peer peer(String system) {
    return RemoteStats.snapshot().stream()
        .filter(
            peer ->
                peer.system().equals(system)
                    && peer.stream().equals("ordinary")
                    && peer.direction().equals("out"))
        .findFirst()
        .orElseThrow();
  }

  private static Batches ordinary(String system) {
    return Objects.requireNonNull(peer(system).batches());
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true"})
  void meter_ofMessages_seesEachOneOnceWithItsSize(boolean first, boolean second) {
    Meter meter = new Meter();
    try (Node a = Node.start("a", first ? Node.OURS : Node.STOCK);
        Node b = Node.start("b", second ? Node.OURS : Node.STOCK)) {
      ActorRef there = a.find(b, "/user/receiver");
      meter.peer = b.address().toString();
      meter.uid = a.transport().localAddress().uid();
      RemoteStats.meter(meter);
      String text = Node.text(1000);
      for (int i = 0; i < 200; i++) {
        there.tell(text, a.receiver);
      }
      there.tell(new Object(), a.receiver); // cannot be serialised, and is not
      there.tell("end", a.receiver);
      Node.await("all", () -> b.received.contains("end"));
      assertThat(meter.sent).hasValue(first ? 200 : 0);
      assertThat(meter.came).hasValue(second ? 200 : 0);
    } finally {
      RemoteStats.meter(null);
    }
  }

  /** Counts what is about as long as the test's texts. */
  private static final class Meter implements MessageMeter {
    final AtomicInteger sent = new AtomicInteger();
    final AtomicInteger came = new AtomicInteger();
    volatile String peer = "";
    volatile long uid;

    @Override
    public long now() {
      return 4711;
    }

    @Override
    public void serialised(
        @Nullable Object to, @Nullable Object message, long begunNanos, int bytes) {
      if (message instanceof String
          && peer.equals(String.valueOf(to))
          && begunNanos == 4711
          && isText(bytes)) {
        sent.incrementAndGet();
      }
    }

    @Override
    public void deserialised(long from, long begunNanos, int bytes) {
      if (from == uid && begunNanos == 4711 && isText(bytes)) {
        came.incrementAndGet();
      }
    }

    private static boolean isText(int bytes) {
      return bytes > 1028 && bytes < 1300;
    }
  }

  @Test
  void instruments_peerConnectsAgainAndAgain_areTakenOver() throws IOException {
    String instrument =
        "pekko.remote.artery.advanced.instruments = [\"" + Counted.class.getName() + "\"]";
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("a", Node.STOCK, FaultTest.QUICK, FaultTest.UNTIRING);
        Node b = Node.start("b", Node.OURS, FaultTest.QUICK, FaultTest.behind(proxy), instrument)) {
      proxy.forwardTo(FaultTest.bindPort(b));
      ActorRef there = a.find(b, "/user/receiver");
      int made = 0;
      for (int connection = 0; connection < 12; connection++) {
        String message = "by connection " + connection;
        Node.await(
            message,
            () -> {
              there.tell(message, ActorRef.noSender());
              return b.received.contains(message);
            });
        if (connection == 1) { // the second may come before the first has ended
          made = Counted.MADE.get();
        }
        proxy.cutAll();
      }
      assertThat(made).isPositive();
      assertThat(Counted.MADE.get()).isLessThan(made + 5);
    }
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true"})
  void instruments_writeMetadata_isReadOnTheOtherSide(boolean first, boolean second) {
    String instrument =
        "pekko.remote.artery.advanced.instruments = [\"" + Instrument.class.getName() + "\"]";
    Instrument.READ.clear();
    Instrument.SENT.clear();
    try (Node a = Node.start("a", first ? Node.OURS : Node.STOCK, instrument);
        Node b = Node.start("b", second ? Node.OURS : Node.STOCK, instrument)) {
      ActorRef there = a.find(b, "/user/receiver");
      for (int i = 0; i < 200; i++) {
        there.tell("message" + i, ActorRef.noSender());
      }
      Node.await("all", () -> b.received.size() == 200);
      assertThat(Instrument.READ).contains("message0:8", "message199:10");
      assertThat(Instrument.SENT).isNotEmpty().allMatch(size -> size > 40);
    }
  }

  /** A tick that fails, here since somebody has put nonsense into the tables, is not the last. */
  @Test
  void advertisement_failsOnce_isTriedAgain() throws ReflectiveOperationException {
    String quick =
        "pekko.remote.artery.advanced.compression.actor-refs.advertisement-interval = 100 ms";
    try (Node a = Node.start("a", Node.OURS, quick)) {
      Object gate = field(a.transport(), "_inboundCompressionAccess");
      try (Node b = Node.start("b", Node.OURS)) {
        b.find(a, "/user/receiver").tell("x", ActorRef.noSender());
        Node.await("x", () -> a.received.contains("x"));
        @SuppressWarnings("unchecked") // that it is not of this type is the point
        Map<Long, Object> peers = (Map<Long, Object>) field(gate, "peers");
        peers.put(b.transport().localAddress().uid(), "nonsense");
        Node.await(
            "two ticks",
            () ->
                a.warnings.stream().filter(line -> line.contains("compression table")).count()
                    >= 2);
        peers.clear();
      }
    }
  }

  /** Says how many there are. */
  public static final class Counted extends RemoteInstrument {
    static final AtomicInteger MADE = new AtomicInteger();

    public Counted() {
      MADE.incrementAndGet();
    }

    @Override
    public byte identifier() {
      return 10;
    }

    @Override
    public void remoteWriteMetadata(
        ActorRef recipient, Object message, ActorRef sender, ByteBuffer buffer) {}

    @Override
    public void remoteReadMetadata(
        ActorRef recipient, Object message, ActorRef sender, ByteBuffer buffer) {}

    @Override
    public void remoteMessageSent(
        ActorRef recipient, Object message, ActorRef sender, int size, long time) {}

    @Override
    public void remoteMessageReceived(
        ActorRef recipient, Object message, ActorRef sender, int size, long time) {}
  }

  /** Writes the length of a text with it, and compares. */
  public static final class Instrument extends RemoteInstrument {
    static final List<String> READ = new CopyOnWriteArrayList<>();
    static final List<Integer> SENT = new CopyOnWriteArrayList<>();

    @Override
    public byte identifier() {
      return 9;
    }

    @Override
    public boolean serializationTimingEnabled() {
      return true;
    }

    @Override
    public void remoteWriteMetadata(
        ActorRef recipient, Object message, ActorRef sender, ByteBuffer buffer) {
      if (message instanceof String text) {
        buffer.putInt(text.length());
      }
    }

    @Override
    public void remoteReadMetadata(
        ActorRef recipient, Object message, ActorRef sender, ByteBuffer buffer) {
      READ.add(message + ":" + buffer.getInt());
    }

    @Override
    public void remoteMessageSent(
        ActorRef recipient, Object message, ActorRef sender, int size, long time) {
      SENT.add(size);
    }

    @Override
    public void remoteMessageReceived(
        ActorRef recipient, Object message, ActorRef sender, int size, long time) {}
  }
}
