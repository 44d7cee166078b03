// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.metrics.ScrapedText;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Clients that keep their places for as long as they may keep nobody else from the page. */
class CrowdTest {
  private static final int REQUESTS = 60;

  /** Several times as many as there are places. */
  private static final int MANY = 300;

  private static final PageAccess OPEN =
      new PageAccess(PageAccessMode.OPEN, PageControl.OFF, PageAccessMode.OPEN, "secret");

  private final List<String> said = new CopyOnWriteArrayList<>();

  private PageServer start(int port, @Nullable ScrapedText metrics) throws InterruptedException {
    PageServer server =
        PageServer.start(
            PagePlace.on(port),
            OPEN,
            new Asked(null, List.of()),
            new TraceStore(StoreLimits.DEFAULT),
            metrics,
            new PageLines() {
              @Override
              public void bound(String url, PageAccess now) {
                said.add("serves");
              }

              @Override
              public void joined(String url, String who) {
                said.add("joined");
              }

              @Override
              public void failed(String reason) {
                said.add(reason);
              }
            },
            () -> {});
    server.awaitStart(60_000);
    return server;
  }

  @Test
  void clients_thatNeitherReadNorLeave_keepNobodyFromThePageItsMetricsAndJoiningIt()
      throws Exception {
    String series = "pekko_mailbox_size{pekko_actor_class=\"shop.Cart\"} 1.0\n".repeat(1 << 16);
    try (PageServer page = start(0, new FixedScrape(series))) {
      String url = Objects.requireNonNull(page.url());
      int port = Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
      Http http = new Http(port);
      assertThat(http.get("/").status()).isEqualTo(200);
      try (Crowd crowd = new Crowd(port)) {
        while (crowd.came.get() < MANY) {
          Thread.onSpinWait();
        }
        for (int i = 0; i < REQUESTS || crowd.came.get() < 2 * MANY; i++) {
          assertThat(http.get("/", "Accept-Encoding: gzip").status()).isEqualTo(200);
          assertThat(http.get("/metrics", "Accept-Encoding: gzip").status()).isEqualTo(200);
        }
        try (PageServer joining = start(port, null)) {
          assertThat(said).containsExactly("serves", "joined");
          assertThat(joining.isJoined()).isTrue();
        }
      }
    }
  }

  /** Hundreds a second, who say something and then do nothing more. */
  private static final class Crowd implements AutoCloseable {
    private static final int OPEN_AT_ONCE = 500;
    private static final List<String> SAY =
        List.of(
            "GET /api/v1/about HTTP/1.1\r\nHost: HERE\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: HERE\r\n\r\n",
            "GET /api/v1/about HTTP/1.1\r\n",
            "GET /metrics HTTP/1.1\r\nHost: HERE\r\n\r\n",
            "GET /api/v1/link HTTP/1.1\r\nHost: HERE\r\nUpgrade: deimos-link\r\nDeimos-Number: "
                + "0".repeat(64)
                + "\r\n\r\n");

    private final AtomicInteger came = new AtomicInteger();
    private final Queue<Socket> sockets = new ArrayDeque<>();
    private final ScheduledExecutorService each = Executors.newSingleThreadScheduledExecutor();
    private final int port;

    Crowd(int port) {
      this.port = port;
      ScheduledFuture<?> unused =
          each.scheduleAtFixedRate(this::come, 0, 2_500, TimeUnit.MICROSECONDS);
    }

    private void come() {
      try {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4 * 1024);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        sockets.add(socket);
        String say = SAY.get(came.getAndIncrement() % SAY.size());
        socket
            .getOutputStream()
            .write(say.replace("HERE", "127.0.0.1:" + port).getBytes(StandardCharsets.US_ASCII));
        if (sockets.size() > OPEN_AT_ONCE) {
          sockets.remove().close();
        }
      } catch (IOException e) {
        // Sent away: the next one comes all the same.
      }
    }

    @Override
    public void close() throws IOException {
      each.shutdown();
      try {
        assertThat(each.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }
}
