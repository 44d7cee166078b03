// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.page.Http.Reply;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.base.Faults;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Parts that only requests need are made at a quiet moment, or for the first request before it. */
class PagePreparedTest {
  private static final int MILLIS = 20_000;
  private static final String TOKEN = "00112233445566778899aabbccddeeff";

  private final CountDownLatch quiet = new CountDownLatch(1);
  private final CountDownLatch awaitsQuiet = new CountDownLatch(1);
  private final Source source = new Source();
  private final AtomicInteger read = new AtomicInteger();
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final Dashboard dashboard =
      new Dashboard(
          () -> {
            read.incrementAndGet();
            return new ByteArrayInputStream("the page".getBytes(StandardCharsets.UTF_8));
          });

  /** Binds, and makes what only requests need; set before {@link #awaitsQuiet} opens. */
  private @Nullable Thread starts;

  private @Nullable PageServer server;

  @AfterEach
  void stop() {
    quiet.countDown();
    source.goOn.countDown();
    Objects.requireNonNull(server).close();
  }

  private Http open(PageAccessMode reading) throws InterruptedException {
    PageServer made =
        PageServer.start(
            PagePlace.on(0),
            new PageAccess(reading, PageControl.TOKEN, PageAccessMode.OPEN, TOKEN),
            source,
            new TraceStore(StoreLimits.DEFAULT),
            new FixedScrape("up 1"),
            PageServerTest.lines(said),
            this::awaitQuiet,
            dashboard);
    server = made;
    assertThat(made.awaitStart(MILLIS)).as(said::toString).isTrue();
    String url = Objects.requireNonNull(made.url());
    return new Http(Integer.parseInt(url.substring("http://127.0.0.1:".length())));
  }

  private void awaitQuiet() {
    starts = Thread.currentThread();
    awaitsQuiet.countDown();
    awaited(quiet);
  }

  /** The quiet moment comes, and what is made then is. */
  private void prepare() throws InterruptedException {
    quiet.countDown();
    awaited(awaitsQuiet);
    Thread thread = Objects.requireNonNull(starts);
    thread.join(MILLIS);
    assertThat(thread.isAlive()).isFalse();
  }

  private static void awaited(CountDownLatch latch) {
    try {
      assertThat(latch.await(MILLIS, TimeUnit.MILLISECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void start_beforeTheQuietMoment_answers() throws Exception {
    Http http = open(PageAccessMode.OPEN);
    awaited(awaitsQuiet);
    assertThat(source.makers).isEmpty();
    assertThat(http.get("/api/state").status()).isEqualTo(200);
    assertThat(http.get("/").text()).isEqualTo("the page");
    assertThat(source.makers).singleElement().asString().startsWith("deimos-page-answer");
    prepare();
    assertThat(source.makers).as("made once").hasSize(1);
    assertThat(read).hasValue(1);
  }

  @Test
  void start_atTheQuietMoment_makesWhatRequestsNeed() throws Exception {
    open(PageAccessMode.OPEN);
    prepare();
    assertThat(source.makers).containsExactly("deimos-page-start");
    assertThat(read).hasValue(1);
  }

  /** The thread that reads and writes goes on meanwhile. */
  @Test
  void firstRequest_whileItIsMade_waitsAndKeepsNobodyElse() throws Exception {
    source.waits = true;
    Http http = open(PageAccessMode.OPEN);
    quiet.countDown();
    awaited(source.waiting);
    try (Socket first = new Socket(InetAddress.getLoopbackAddress(), http.port())) {
      first.setSoTimeout(MILLIS);
      String request = "GET / HTTP/1.1\r\nHost: 127.0.0.1:" + http.port() + "\r\n\r\n";
      first.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      assertThat(http.raw("GET\r\n\r\n").status()).isEqualTo(400);
      source.goOn.countDown();
      assertThat(new String(first.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 200 ")
          .endsWith("the page");
    }
    assertThat(source.makers).containsExactly("deimos-page-start");
  }

  @Test
  void access_off_readsNoPage() throws Exception {
    Http http = open(PageAccessMode.OFF);
    prepare();
    assertThat(source.makers).containsExactly("deimos-page-start");
    assertThat(http.get("/").status()).isEqualTo(404);
    assertThat(http.get("/metrics").text()).isEqualTo("up 1");
    assertThat(read).hasValue(0);
  }

  @Test
  void request_whatAnswersCannotBeMade_isToldWhyAndTheNextIsAnswered() throws Exception {
    source.isBroken = true;
    Http http = open(PageAccessMode.OPEN);
    long faults = Faults.count();
    isToldWhy(http.get("/api/state"));
    isToldWhy(http.post("/mcp", "{}"));
    assertThat(Faults.count() - faults).isGreaterThanOrEqualTo(2);
    source.isBroken = false;
    assertThat(http.get("/api/state").status()).isEqualTo(200);
  }

  private static void isToldWhy(Reply reply) {
    assertThat(reply.status()).isEqualTo(500);
    assertThat(reply.json().get("error")).asString().contains("NoClassDefFoundError", "a/Part");
  }

  @Test
  void start_whatAnswersCannotBeMade_isSaidOnce() throws Exception {
    source.isBroken = true;
    Http http = open(PageAccessMode.OPEN);
    said.clear();
    prepare();
    assertThat(said)
        .singleElement()
        .asString()
        .contains("the page cannot answer", "NoClassDefFoundError", "a/Part", "tried again");
    source.isBroken = false;
    assertThat(http.get("/").text()).isEqualTo("the page");
  }

  /** Asked when what answers requests is made. */
  private static final class Source implements QuietSource {
    final List<String> makers = new CopyOnWriteArrayList<>();
    final CountDownLatch waiting = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);
    volatile boolean waits;
    volatile boolean isBroken;

    @Override
    public boolean mcp() {
      if (isBroken) {
        throw new NoClassDefFoundError("a/Part");
      }
      makers.add(Thread.currentThread().getName());
      if (waits) {
        waiting.countDown();
        awaited(goOn);
      }
      return true;
    }
  }
}
