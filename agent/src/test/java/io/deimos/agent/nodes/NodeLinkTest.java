// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class NodeLinkTest {
  private final TraceStore store = new TraceStore(StoreLimits.DEFAULT);

  @Test
  void ask_linkHasEnded_isRefusedWithoutAWait() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (SocketChannel joins = SocketChannel.open(server.getLocalAddress());
          SocketChannel serves = server.accept()) {
        Nodes nodes = new Nodes("0".repeat(16), NodeLinkTest::none, "token", store, 1, false, "");
        NodeLink link = new NodeLink(nodes, store, Wire.of(serves.socket()), proof -> true);
        link.close();
        LocalPage.Reply reply = link.ask("/api/state", false);
        assertThat(reply.status()).isEqualTo(503);
        assertThat(new String(reply.body(), StandardCharsets.UTF_8)).contains("is gone");
        assertThat(joins.isOpen()).isTrue();
      }
    }
  }

  private static NodeCard none() {
    throw new AssertionError("nobody asks for it");
  }
}
