// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.serialization.SerializationExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frames that are cut, split or spoilt on their way, byte by byte. */
class FrameTest {
  private static final int HEADER_BYTES = 5;
  private static final int STREAM_AT = 4;
  private static final int ORDINARY = 2;
  private static final int SERIALIZER_AT = 12;

  /** A connection's header, its handshake, and the frame of its last message. */
  private static byte[] lastOf(byte[] recording) {
    List<byte[]> frames = frames(recording);
    byte[] first = frames.get(0);
    byte[] last = frames.get(frames.size() - 1);
    return ByteBuffer.allocate(HEADER_BYTES + first.length + last.length)
        .put(recording, 0, HEADER_BYTES)
        .put(first)
        .put(last)
        .array();
  }

  @ParameterizedTest
  @CsvSource({"ours", "mover"})
  void inbound_cutOrSplitAtEveryByte_deliversWholeFramesAndNothingElse(String kind)
      throws IOException {
    String settings = kind.equals("ours") ? Node.OURS : Node.MOVER;
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("a", Node.OURS);
        Node b = Node.start("b", settings, FaultTest.behind(proxy))) {
      proxy.forwardTo(FaultTest.bindPort(b));
      ActorRef there = a.find(b, "/user/receiver");
      there.tell("probe", ActorRef.noSender());
      Node.await("probe", () -> b.received.contains("probe"));
      byte[] sent =
          proxy.recordings().stream()
              .filter(FrameTest::isOrdinary)
              .map(FrameTest::lastOf)
              .findFirst()
              .orElseThrow();
      int port = FaultTest.bindPort(b);
      for (int cut = 1; cut < sent.length; cut++) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
          socket.getOutputStream().write(sent, 0, cut);
        }
      }
      for (int cut = 1; cut < sent.length; cut++) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
          socket.setTcpNoDelay(true);
          OutputStream out = socket.getOutputStream();
          out.write(sent, 0, cut);
          out.flush();
          out.write(sent, cut, sent.length - cut);
        }
      }
      Node.await("all that were split", () -> b.received.size() >= sent.length);
      there.tell("after", ActorRef.noSender());
      Node.await("after", () -> b.received.contains("after"));
      assertThat(b.received).hasSize(sent.length + 1); // one, every split one, and after
      assertThat(b.warnings).noneMatch(line -> line.contains("is closed, because"));
    }
  }

  /** Nothing else is cut but the connections of ordinary messages, of which each is cut later. */
  @ParameterizedTest
  @CsvSource({"ours", "mover"})
  void outbound_cutAtEveryByteWhileItSends_deliversWhatGotThroughAndNothingElse(String kind)
      throws IOException {
    String untiring =
        """
        pekko.remote.artery.advanced {
          outbound-restart-backoff = 10 ms
          outbound-max-restarts = 1000000
        }
        """;
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("a", kind.equals("ours") ? Node.OURS : Node.MOVER, untiring);
        Node b = Node.start("b", Node.OURS, FaultTest.behind(proxy))) {
      proxy.forwardTo(FaultTest.bindPort(b));
      ActorRef there = a.find(b, "/user/receiver");
      int[] next = {0};
      there.tell(next[0]++, ActorRef.noSender());
      Node.await("the first", () -> b.received.size() == 1);
      int frameBytes =
          proxy.recordings().stream()
              .filter(FrameTest::isOrdinary)
              .mapToInt(bytes -> frames(bytes).get(frames(bytes).size() - 1).length)
              .findFirst()
              .orElseThrow();
      int last = HEADER_BYTES + 2 * frameBytes; // its first frame, and one behind another
      proxy.cutAfter(1);
      proxy.cutStream(ORDINARY);
      for (int cut = 1; cut <= last; cut++) {
        proxy.cutAfter(cut);
        long position = cut;
        Node.await(
            "a connection cut after byte " + cut,
            () -> {
              there.tell(next[0]++, ActorRef.noSender());
              return proxy.cuts.contains(position);
            });
      }
      proxy.cutAfter(-1);
      int marker = next[0];
      Node.await(
          "traffic again",
          () -> {
            there.tell(next[0]++, ActorRef.noSender());
            return b.received.stream().anyMatch(n -> n instanceof Integer i && i >= marker);
          });
      int serializer =
          SerializationExtension.get(a.system).serializerFor(Integer.class).identifier();
      Node.await(
          "all that got through", () -> b.received.size() == numbers(proxy, serializer).size());
      assertThat(b.received).isEqualTo(numbers(proxy, serializer));
      FaultTest.assertInOrder(b.received);
    }
  }

  private static boolean isOrdinary(byte[] recording) {
    return recording.length > STREAM_AT && recording[STREAM_AT] == ORDINARY;
  }

  /** The frames of a recording that are whole, with their lengths. */
  private static List<byte[]> frames(byte[] recording) {
    ByteBuffer bytes = ByteBuffer.wrap(recording).order(ByteOrder.LITTLE_ENDIAN);
    List<byte[]> frames = new ArrayList<>();
    for (int at = HEADER_BYTES; at + Integer.BYTES <= recording.length; ) {
      int next = at + Integer.BYTES + bytes.getInt(at);
      if (next > recording.length) {
        break;
      }
      frames.add(Arrays.copyOfRange(recording, at, next));
      at = next;
    }
    return frames;
  }

  /** The numbers in the whole frames that went through. */
  private static List<Object> numbers(FaultProxy proxy, int serializer) {
    List<Object> numbers = new ArrayList<>();
    for (byte[] recording : proxy.recordings()) {
      for (byte[] frame : isOrdinary(recording) ? frames(recording) : List.<byte[]>of()) {
        ByteBuffer bytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getInt(Integer.BYTES + SERIALIZER_AT) == serializer) {
          numbers.add(bytes.getInt(frame.length - Integer.BYTES));
        }
      }
    }
    return numbers;
  }

  @Test
  void inbound_spoiltLength_closesThatConnectionAndGoesOnWithTheNext() throws IOException {
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("a", Node.OURS, FaultTest.QUICK);
        Node b = Node.start("b", Node.OURS, FaultTest.QUICK, FaultTest.behind(proxy));
        Node c = Node.start("c", Node.OURS, FaultTest.QUICK)) {
      proxy.forwardTo(FaultTest.bindPort(b));
      ActorRef there = a.find(b, "/user/receiver");
      ActorRef other = c.find(a, "/user/receiver");
      proxy.corruptAt(HEADER_BYTES + 3); // the highest byte of the first frame's length
      proxy.cutAll();
      int[] sent = {0};
      Node.await(
          "a warning",
          () -> {
            there.tell(sent[0]++, ActorRef.noSender());
            other.tell(sent[0], ActorRef.noSender());
            return b.warnings.stream()
                .anyMatch(line -> line.contains("because it sent a frame of"));
          });
      proxy.corruptAt(-1);
      proxy.cutAll();
      int marker = sent[0];
      Node.await(
          "traffic again",
          () -> {
            there.tell(sent[0]++, ActorRef.noSender());
            return b.received.stream().anyMatch(n -> n instanceof Integer i && i >= marker);
          });
      FaultTest.assertInOrder(b.received);
      Node.await("nothing lost elsewhere", () -> a.received.contains(marker));
    }
  }

  @Test
  void strangers_sayNothingMore_hinderNobody() throws IOException {
    List<Socket> held = new ArrayList<>();
    try (Node a = Node.start("a", Node.OURS);
        Node b = Node.start("b", Node.OURS)) {
      byte[][] beginnings = {
        {},
        {'A'},
        {'A', 'K', 'K', 'A', 2},
        {'A', 'K', 'K', 'A', 2, 100, 0, 0, 0, 7},
        {'A', 'K', 'K', 'A', 1, 100, 0},
        {'A', 'K', 'K', 'A', 3, 0, 0, 3, 0, 7, 7}
      };
      for (byte[] beginning : beginnings) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), b.port());
        held.add(socket);
        socket.getOutputStream().write(beginning);
        socket.getOutputStream().flush();
      }
      ActorRef there = a.find(b, "/user/receiver");
      for (int i = 0; i < 1000; i++) {
        there.tell(i, ActorRef.noSender());
      }
      Node.await("all", () -> b.received.size() == 1000);
    } finally { // and both have stopped with them there
      for (Socket socket : held) {
        socket.close();
      }
    }
  }
}
