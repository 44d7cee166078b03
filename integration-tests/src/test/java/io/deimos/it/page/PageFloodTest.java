// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnOneJdk;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.Scrape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code deimos.page.memory} holds while more comes than the page can keep. */
@OnOneJdk
class PageFloodTest {
  private static final long MEMORY = 8L << 20;

  /** Seven spans each, one of them failed, with a stack trace. */
  private static final int TRACES = 20_000;

  /** More than there may be connections. */
  private static final int REQUESTS = 1_000;

  private final Jdk jdk;

  PageFloodTest(Jdk jdk) {
    this.jdk = jdk;
  }

  @Test
  void flood_ofTracesWithTrouble_isKeptWithinTheBoundAndSaid() throws IOException {
    try (AgentJvm jvm =
        AgentJvm.on(jdk)
            .eitherForm()
            .page()
            .property("deimos.page.memory", "8MiB")
            .property("deimos.page.traces-per-second", "100000")
            .start("page-flood")) {
      RunningPage page = RunningPage.of(jvm);
      jvm.tell("run flood " + TRACES);
      jvm.awaitOut(
          "the end of the flood",
          line -> {
            assertThat(kept(page)).isLessThanOrEqualTo(MEMORY);
            return line.equals("@done flood");
          });
      Eventually.await(
          () -> page.json("/api/state").getLong("recorder.store.spansKept") > 0,
          () -> "that the page has some of it");
      long kept = kept(page);
      Config store = page.json("/api/state").getConfig("recorder.store");
      assertThat(kept).as("it is used").isBetween(MEMORY / 8, MEMORY);
      assertThat(store.getLong("spansKept")).isLessThanOrEqualTo(2_048);
      port_flooded_leavesTheApplicationAtWork(jvm, page);
      jvm.end();
    }
  }

  /** Half requests, and whole ones whose answers nobody reads. */
  private static void port_flooded_leavesTheApplicationAtWork(AgentJvm jvm, RunningPage page)
      throws IOException {
    AtWork.begin(jvm);
    List<Socket> strangers = new ArrayList<>();
    try {
      for (int i = 0; i < REQUESTS; i++) {
        Socket socket =
            new Socket(InetAddress.getLoopbackAddress(), URI.create(page.url()).getPort());
        strangers.add(socket);
        String request =
            "GET /api/v1/dump HTTP/1.1\r\nHost: "
                + URI.create(page.url()).getAuthority()
                + "\r\nX-Deimos-Token: "
                + page.token()
                + (i % 2 == 0 ? "" : "\r\n\r\n");
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        if (i % (REQUESTS / 4) == 0) {
          AtWork.awaitMore(jvm);
        }
      }
      AtWork.awaitMore(jvm);
      Eventually.await(() -> answers(page), () -> "the page's answer beside the strangers");
    } finally {
      for (Socket socket : strangers) {
        socket.close();
      }
    }
    assertThat(jvm.err()).noneMatch(line -> line.contains("a failure of Deimos itself"));
  }

  /** Where each place is taken by a request that waits for its answer, one more is closed. */
  private static boolean answers(RunningPage page) {
    try {
      assertThat(page.get("/api/state").statusCode()).isIn(200, 503);
      return true;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  private static long kept(RunningPage page) {
    Scrape scrape = Scrape.of(page);
    return (long)
        (scrape.value("deimos_memory_usage_bytes", "\"store\"")
            + scrape.value("deimos_memory_usage_bytes", "\"observer\""));
  }
}
