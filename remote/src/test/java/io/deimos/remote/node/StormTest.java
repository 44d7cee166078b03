// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.remote.RemoteStats;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.Props;
import org.apache.pekko.event.Logging;
import org.apache.pekko.remote.ArteryControlFormats.CompressionTableAdvertisement;
import org.apache.pekko.remote.UniqueAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Forged frames of all kinds at a running node, which serves its peers all the while. The same seed
 * makes the same frames. {@code -Dstorm.connections=20000} makes it take minutes, {@code
 * -Dstorm.seed} makes other frames.
 */
class StormTest {
  private static final long SEED = Long.getLong("storm.seed", 4711);
  private static final int CONNECTIONS = Integer.getInteger("storm.connections", 400);
  private static final int MAX_FRAMES = 30;
  private static final int MAX_OPEN = 16;
  private static final int ROUND = 100;
  private static final int POOL = 4;
  private static final int FIXED_BYTES = 28;
  private static final int HOST_CHARS = 64 * 1024;
  private static final long LITTLE_BYTES = 48 << 20;

  /** Ten lines a minute of each reason, and one that says how many more there were. */
  private static final int LINES = 11;

  /** A node under attack, and whom it takes its attackers for. */
  private static final class Attacked implements AutoCloseable {
    final Random random = new Random(SEED);
    final Node node;
    final ServerSocket sink = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    final List<UniqueAddress> pool = new ArrayList<>();
    final List<byte[]> forged;
    final List<String> said = new Kept<>();
    private final Deque<Socket> open = new ArrayDeque<>();

    Attacked(Node node, Node peer) throws IOException {
      this.node = node;
      forged = List.copyOf(ForgedFramesTest.forged(node, peer).values());
      for (int i = 0; i < POOL; i++) {
        Address address = new Address("pekko", "pool" + i, "127.0.0.1", sink.getLocalPort());
        pool.add(new UniqueAddress(address, 100 + i));
      }
      Thread taking = new Thread(this::takeAll, "storm-sink");
      taking.setDaemon(true);
      taking.start();
      ActorRef logs =
          node.system.actorOf(Props.create(Node.Collector.class, new Node.Sink(this::log)), "said");
      node.system.eventStream().subscribe(logs, Logging.Warning.class);
      node.system.eventStream().subscribe(logs, Logging.Error.class);
    }

    private void log(Object event) {
      if (event instanceof Logging.LogEvent line
          && line.logSource().startsWith("ArteryTransport")
          && !String.valueOf(line.message()).matches("(?s)(Expected sender|.outbound conn).*")) {
        said.add(String.valueOf(line.message())); // the others are Pekko's, or one for each peer
      }
    }

    /** Where the node connects to when it answers; nothing that it says is read. */
    private void takeAll() {
      List<Socket> taken = new ArrayList<>();
      try {
        while (true) {
          taken.add(sink.accept());
        }
      } catch (IOException e) {
        taken.forEach(StormTest::end);
      }
    }

    /** One connection with some frames, which may stay open. */
    void connect() throws IOException {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.port());
      open.add(socket);
      int stream = random.nextInt(20) == 0 ? random.nextInt(256) : 1 + random.nextInt(3);
      UniqueAddress mine = pool.get(random.nextInt(POOL));
      int frames = random.nextInt(MAX_FRAMES);
      byte[][] all = new byte[frames][];
      for (int i = 0; i < frames; i++) {
        UniqueAddress as = random.nextInt(10) == 0 ? pool.get(random.nextInt(POOL)) : mine;
        all[i] = i == 0 && random.nextInt(4) > 0 ? handshake(mine) : frame(as);
      }
      boolean ends = random.nextBoolean();
      try {
        OutputStream out = socket.getOutputStream();
        out.write(Frames.header(stream));
        for (byte[] frame : all) {
          out.write(frame);
        }
      } catch (IOException e) {
        ends = true; // it was closed by the node
      }
      if (ends) {
        open.removeLast();
        end(socket);
      } else if (open.size() > MAX_OPEN) {
        end(open.removeFirst());
      }
    }

    private byte[] handshake(UniqueAddress from) {
      return Frames.handshake(from, node.address());
    }

    private byte[] frame(UniqueAddress from) {
      return switch (random.nextInt(12)) {
        case 0 -> handshake(from);
        case 1 -> forged.get(random.nextInt(forged.size()));
        case 2 -> handshake(new UniqueAddress(unusable(), from.uid()));
        case 3 -> Frames.handshake(from, new Address("pekko", "other", "127.0.0.1", 1));
        case 4 -> Frames.compressed(from.uid(), random.nextInt(40), bytes(100));
        case 5 -> table(from);
        case 6 -> Frames.control(from.uid(), (char) ('a' + random.nextInt(20)), bytes(200));
        case 7 -> lying(text(from));
        case 8 -> Arrays.copyOf(text(from), random.nextInt(40));
        case 9 ->
            random.nextBoolean()
                ? flipped(text(from), FIXED_BYTES) // a recipient elsewhere would be sent to
                : flipped(handshake(from), Integer.MAX_VALUE);
        case 10 -> Frames.nested(from.uid(), node.address());
        default -> text(from);
      };
    }

    private byte[] text(UniqueAddress from) {
      String receiver = node.address() + "/user/receiver";
      return Frames.literal(from.uid(), Frames.TEXT, "", receiver, "", bytes(100));
    }

    private byte[] bytes(int most) {
      byte[] bytes = new byte[random.nextInt(most)];
      random.nextBytes(bytes);
      return bytes;
    }

    private Address unusable() {
      int[] ports = {0, 65_536, 70_000, -1, Integer.MIN_VALUE};
      String[] hosts = {"", "x".repeat(HOST_CHARS), "a\nb", " "};
      return random.nextBoolean()
          ? new Address("pekko", "pool", "127.0.0.1", ports[random.nextInt(ports.length)])
          : new Address("pekko", "pool", hosts[random.nextInt(hosts.length)], 1);
    }

    private byte[] table(UniqueAddress from) {
      CompressionTableAdvertisement.Builder table =
          CompressionTableAdvertisement.newBuilder()
              .setFrom(Frames.unique(from))
              .setOriginUid(
                  random.nextInt(4) > 0 ? node.transport().localAddress().uid() : random.nextLong())
              .setTableVersion(random.nextInt(256));
      int entries = random.nextInt(50);
      for (int i = 0; i < entries; i++) {
        table.addKeys(node.address() + "/user/" + random.nextInt()).addValues(random.nextInt());
      }
      char manifest = random.nextBoolean() ? 'f' : 'h';
      return Frames.control(from.uid(), manifest, table.build().toByteArray());
    }

    private byte[] lying(byte[] frame) {
      int[] lengths = {0, -1, 27, 28, 1 << 18, Integer.MAX_VALUE, Integer.MIN_VALUE};
      int length =
          random.nextBoolean() ? lengths[random.nextInt(lengths.length)] : random.nextInt();
      ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(length);
      return frame;
    }

    private byte[] flipped(byte[] frame, int most) {
      for (int i = random.nextInt(4); i >= 0; i--) {
        int at = Integer.BYTES + random.nextInt(Math.min(most, frame.length - Integer.BYTES));
        frame[at] ^= (byte) (1 << random.nextInt(8));
      }
      return frame;
    }

    @Override
    public void close() throws IOException {
      open.forEach(StormTest::end);
      sink.close();
    }
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      Thread.onSpinWait(); // it is closed
    }
  }

  private static Set<String> ourThreads() {
    Set<String> names = new TreeSet<>();
    Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("storm-deimos-remote"))
        .forEach(names::add);
    return names;
  }

  private static long heapBytes(Node node) {
    node.received.clear();
    node.lost.clear();
    node.warnings.clear();
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static void assertArrives(ActorRef there, Node node, String text) {
    there.tell(text, ActorRef.noSender());
    Node.await(text, () -> node.received.contains(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ours", "mover"})
  void forgedFrames_ofAllKinds_leaveTheNodeToItsPeers(String kind) throws IOException {
    System.out.println("storm: seed " + SEED + ", " + CONNECTIONS + " connections");
    long begun = System.nanoTime();
    String large = "pekko.remote.artery.large-message-destinations = [\"/user/large\"]";
    try (Node node = Node.start("storm", kind.equals("ours") ? Node.OURS : Node.MOVER, large);
        Node ours = Node.start("ours", Node.OURS);
        Node stock = Node.start("other", Node.STOCK);
        Attacked attacked = new Attacked(node, ours)) {
      ActorRef fromOurs = ours.find(node, "/user/receiver");
      ActorRef fromStock = stock.find(node, "/user/receiver");
      Set<String> threads = ourThreads();
      long before = heapBytes(node);
      for (int i = 1; i <= CONNECTIONS; i++) {
        attacked.connect();
        if (i % ROUND == 0) {
          assertArrives(fromOurs, node, "ours after " + i);
          assertArrives(fromStock, node, "stock after " + i);
          Node.await(
              "what " + i + " connections took to be given back",
              () -> heapBytes(node) - before < LITTLE_BYTES);
        }
      }
      try (Node later = Node.start("later", Node.OURS)) {
        assertArrives(later.find(node, "/user/receiver"), node, "on a new connection");
      }
      long minutes = TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - begun);
      assertThat(attacked.said)
          .noneMatch(line -> line.contains("Inbound streams failed"))
          .hasSizeLessThan((int) (LINES * reasons() * (minutes + 1)));
      assertThat(ourThreads()).isSubsetOf(threads);
      RemoteStats.refused().stream()
          .filter(of -> of.system().equals("storm") && of.count() > 0)
          .forEach(of -> System.out.println("storm: " + of.reason() + " " + of.count()));
    }
  }

  private static long reasons() {
    return RemoteStats.refused().stream().filter(of -> of.system().equals("storm")).count();
  }
}
