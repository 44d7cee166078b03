// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.http.Reply;
import io.deimos.agent.http.Wire;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceKey;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.clock.Clock;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeLinkTest {
  private static final long AHEAD_NANOS = 120_000_000_000L;

  private final TraceStore store = new TraceStore(StoreLimits.DEFAULT);

  @Test
  void ask_linkHasEnded_isRefusedWithoutAWait() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (SocketChannel joins = SocketChannel.open(server.getLocalAddress());
          SocketChannel serves = server.accept()) {
        Nodes nodes = new Nodes("0".repeat(16), NodeLinkTest::none, store, 1, false, "");
        NodeLink link = new NodeLink(nodes, store, Wire.of(serves.socket()));
        link.close();
        Reply reply = link.ask("/api/state", 0);
        assertThat(reply.status()).isEqualTo(503);
        assertThat(new String(reply.body(), StandardCharsets.UTF_8)).contains("is gone");
        assertThat(joins.isOpen()).isTrue();
      }
    }
  }

  @Test
  void wanted_noRoomOnTheWay_isCounted() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (SocketChannel joins = SocketChannel.open(server.getLocalAddress());
          SocketChannel serves = server.accept()) {
        Nodes nodes = new Nodes("0".repeat(16), NodeLinkTest::none, store, 1, false, "");
        NodeLink link = new NodeLink(nodes, store, Wire.of(serves.socket()));
        List<TraceKey> kept = Collections.nCopies(8_192, new TraceKey(1, 2));
        for (int i = 0; i < 200; i++) { // 26 MB that nobody sends
          link.wanted(kept);
        }
        assertThat(store.tracesNotAskedFor())
            .isPositive()
            .isLessThan(200 * 8_192)
            .matches(traces -> traces % 8_192 == 0);
        assertThat(joins.isOpen()).isTrue();
        link.close();
      }
    }
  }

  /** With stamps of both ways, as NTP has them: it need not be known how long each way took. */
  @Test
  @SuppressWarnings("EnumOrdinal") // the order is the protocol
  void clock_ofAProcessTwoMinutesAhead_isKnownWithinItsError() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (SocketChannel joins = SocketChannel.open(server.getLocalAddress());
          SocketChannel serves = server.accept()) {
        Nodes nodes = new Nodes("0".repeat(16), NodeLinkTest::none, store, 1, false, "");
        NodeLink link = new NodeLink(nodes, store, Wire.of(serves.socket()));
        link.start();
        DataOutputStream out = new DataOutputStream(joins.socket().getOutputStream());
        DataInputStream in = new DataInputStream(joins.socket().getInputStream());
        send(out, FrameType.CARD, card().bytes());
        ClockOffset clock = null;
        while (clock == null) {
          byte[] content = new byte[in.readInt()];
          int type = in.readUnsignedByte();
          in.readFully(content);
          if (type == FrameType.CARD.ordinal()) {
            long now = Clock.epochNanos(Clock.now()) + AHEAD_NANOS;
            send(out, FrameType.CLOCK, stamps(1, now, now));
            send(out, FrameType.CLOCK, stamps(ByteBuffer.wrap(content).getLong(), now, now));
          }
          Node node = link.node(Node.State.JOINED, 0);
          clock = node == null ? null : node.clock();
        }
        assertThat(Math.abs(clock.nanos() - AHEAD_NANOS)).isLessThanOrEqualTo(clock.errorNanos());
        assertThat(clock.correction()).isEqualTo(clock.nanos());
        link.close();
      }
    }
  }

  @SuppressWarnings("EnumOrdinal") // the order is the protocol
  private static void send(DataOutputStream out, FrameType type, byte[] content)
      throws IOException {
    out.writeInt(content.length);
    out.writeByte(type.ordinal());
    out.write(content);
    out.flush();
  }

  private static byte[] stamps(long sent, long received, long answered) {
    return ByteBuffer.allocate(3 * Long.BYTES)
        .putLong(sent)
        .putLong(received)
        .putLong(answered)
        .array();
  }

  private static ProcessStatus card() {
    return ProcessStatus.sender("00000000000000aa", "shop", "17", 1, "");
  }

  private static ProcessStatus none() {
    throw new AssertionError("nobody asks for it");
  }
}
