// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.remote.RemoteStats;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.remote.artery.RemoteInstrument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    Field sources = RemoteStats.class.getDeclaredField("SOURCES");
    sources.setAccessible(true);
    for (Object engine : (List<?>) sources.get(null)) {
      Object loops = field(engine, "loops");
      Object group = field(loops, kind);
      Method shutdown =
          group.getClass().getMethod("shutdownGracefully", long.class, long.class, TimeUnit.class);
      shutdown.invoke(group, 0L, 0L, TimeUnit.MILLISECONDS);
    }
  }

  private static Object field(Object owner, String name) throws ReflectiveOperationException {
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
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
                              && peer.messages() >= 1000
                              && peer.bytes() > 30_000
                              && peer.flushes() > 0
                              && peer.flushes() < peer.messages()
                              && peer.flushNanos() > 0
                              && peer.codecNanos() > 0
                              && peer.dropped() == 0
                              && peer.reconnects() == 0));
    } finally {
      RemoteStats.detailed(false);
    }
    assertThat(RemoteStats.snapshot()).noneMatch(peer -> peer.system().equals("counted"));
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
