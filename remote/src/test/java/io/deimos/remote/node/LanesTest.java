// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.serialization.JSerializer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages that take long to deserialise. */
class LanesTest {
  private static final int RECIPIENTS = 16;
  private static final int WARM = 200;
  private static final int MANY = 4000;

  /** As many as a peer has by default, each of which acknowledges a flush. */
  private static final int LANES = 4;

  static final String HEAVY =
      """
      pekko.actor {
        serializers.heavy = "io.deimos.remote.node.LanesTest$Slow"
        serialization-bindings { "io.deimos.remote.node.LanesTest$Heavy" = heavy }
      }
      pekko.remote.artery.advanced.outbound-message-queue-size = 60000
      """;

  @ParameterizedTest
  @CsvSource({"true,true", "false,true", "true,false"})
  void deserialiser_isHeavy_worksForSeveralRecipientsAtOnceAndKeepsTheirOrder(
      boolean first, boolean second) {
    Slow.meeting = false;
    try (Node a = Node.start("a", first ? Node.OURS : Node.STOCK, HEAVY);
        Node b = Node.start("b", second ? Node.OURS : Node.STOCK, HEAVY)) {
      List<List<Object>> received = new ArrayList<>();
      List<ActorRef> there = new ArrayList<>();
      for (int i = 0; i < RECIPIENTS; i++) {
        List<Object> list = new CopyOnWriteArrayList<>();
        received.add(list);
        b.system.actorOf(Props.create(Node.Collector.class, new Node.Sink(list::add)), "r" + i);
        there.add(a.find(b, "/user/r" + i));
      }
      send(there, 0, WARM);
      await(received, WARM);
      Slow.meet();
      send(there, WARM, WARM + MANY); // more bytes than may wait for a lane
      await(received, WARM + MANY);
      assertThat(Slow.MOST).hasValueGreaterThan(1);
      for (List<Object> one : received) {
        List<Integer> numbers = one.stream().map(LanesTest::number).toList();
        assertThat(numbers).isSorted().doesNotHaveDuplicates();
      }
    } finally {
      Slow.meeting = false;
    }
  }

  /** Every third is quick to make, and must not overtake the others. */
  private static void send(List<ActorRef> there, int from, int to) {
    for (int i = from; i < to; i++) {
      there.get(i % RECIPIENTS).tell(i % 3 == 0 ? i : new Heavy(i), ActorRef.noSender());
    }
  }

  private static void await(List<List<Object>> received, int count) {
    Node.await(count + " messages", () -> received.stream().mapToInt(List::size).sum() == count);
  }

  private static int number(Object message) {
    return message instanceof Heavy heavy ? heavy.number() : (Integer) message;
  }

  /** As Artery does before it says that an actor has stopped. */
  @ParameterizedTest
  @CsvSource({"true,true", "false,true", "true,false"})
  void flush_behindHeavyMessages_isAcknowledgedAfterThey(boolean first, boolean second) {
    Slow.meeting = false;
    try (Node a = Node.start("a", first ? Node.OURS : Node.STOCK, HEAVY);
        Node b = Node.start("b", second ? Node.OURS : Node.STOCK, HEAVY)) {
      ActorRef receiver = a.find(b, "/user/receiver");
      for (int i = 0; i < WARM; i++) {
        receiver.tell(new Heavy(i), ActorRef.noSender());
      }
      Node.await("the first", () -> b.received.size() == WARM);
      for (int round = 0; round < 10; round++) {
        int before = b.received.size();
        int acknowledged = a.received.size();
        for (int i = 0; i < 50; i++) {
          receiver.tell(i < 25 ? new Heavy(i) : i, ActorRef.noSender());
        }
        a.transport().association(b.address()).sendFlush(a.receiver, true);
        Node.await("all lanes", () -> a.received.size() == acknowledged + LANES);
        b.receiver.tell("flushed", ActorRef.noSender());
        Node.await("the end", () -> b.received.size() == before + 51);
        assertThat(b.received).last().isEqualTo("flushed");
      }
    }
  }

  /** A message of a kilobyte on the wire. */
  record Heavy(int number) {}

  /** Takes its time; and, when it is to meet, until it has been called twice at once. */
  public static final class Slow extends JSerializer {
    static final AtomicInteger MOST = new AtomicInteger();
    static volatile boolean meeting;
    private static final AtomicInteger INSIDE = new AtomicInteger();
    private static final int BYTES = 1024;
    private static final long PAUSE_NANOS = 100_000;
    private static final long PATIENCE_NANOS = 10_000_000_000L;
    private static volatile long patienceEndNanos;

    static void meet() {
      MOST.set(0);
      patienceEndNanos = System.nanoTime() + PATIENCE_NANOS;
      meeting = true;
    }

    @Override
    public int identifier() {
      return 4712;
    }

    @Override
    public boolean includeManifest() {
      return false;
    }

    @Override
    public byte[] toBinary(Object message) {
      return ByteBuffer.allocate(BYTES).putInt(((Heavy) message).number()).array();
    }

    @Override
    public Object fromBinaryJava(byte[] bytes, Class<?> manifest) {
      int inside = INSIDE.incrementAndGet();
      try {
        if (meeting) {
          MOST.accumulateAndGet(inside, Math::max);
          while (MOST.get() < 2 && System.nanoTime() - patienceEndNanos < 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
          }
        }
        LockSupport.parkNanos(PAUSE_NANOS);
        return new Heavy(ByteBuffer.wrap(bytes).getInt());
      } finally {
        INSIDE.decrementAndGet();
      }
    }
  }
}
