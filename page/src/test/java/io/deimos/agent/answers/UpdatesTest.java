// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import static io.deimos.agent.json.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.http.Answer;
import io.deimos.agent.http.HttpLoop;
import io.deimos.agent.http.Outgoing;
import io.deimos.agent.http.Reply;
import io.deimos.agent.json.JsonReader;
import io.deimos.agent.page.Asked;
import io.deimos.agent.page.Documented;
import io.deimos.agent.page.Http;
import io.deimos.agent.page.PagePlace;
import io.deimos.agent.page.PageServer;
import io.deimos.agent.page.PageServerTest;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.ring.Records;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UpdatesTest {
  private static final PageAccess WITH_TOKEN =
      new PageAccess(PageAccessMode.TOKEN, PageControl.TOKEN, PageAccessMode.OFF, "t");
  private static final int SOCKET_MILLIS = 20_000;
  private static final String STATE = "500,/api/state";

  private final TraceStore store = new TraceStore(StoreLimits.DEFAULT);
  private final List<Socket> clients = new ArrayList<>();
  private @Nullable PageServer server;

  @AfterEach
  void close() throws IOException {
    for (Socket client : clients) {
      client.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private int serve() throws InterruptedException {
    PageServer made =
        PageServer.start(
            PagePlace.on(0),
            WITH_TOKEN,
            new Asked(null, List.of()),
            store,
            null,
            PageServerTest.lines(new CopyOnWriteArrayList<>()),
            () -> {});
    server = made;
    assertThat(made.awaitStart(SOCKET_MILLIS)).isTrue();
    return Integer.parseInt(Objects.requireNonNull(made.url()).replaceAll(".*:", ""));
  }

  private Socket ask(int port, String headers, String... polled) throws IOException {
    StringBuilder target = new StringBuilder(UpdatesHandler.PATH);
    for (int i = 0; i < polled.length; i++) {
      target.append(i == 0 ? '?' : '&').append("ask=");
      target.append(URLEncoder.encode(polled[i], StandardCharsets.UTF_8));
    }
    Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
    clients.add(client);
    client.setSoTimeout(SOCKET_MILLIS);
    client
        .getOutputStream()
        .write(
            ("GET "
                    + target
                    + " HTTP/1.1\r\nHost: 127.0.0.1:"
                    + port
                    + "\r\n"
                    + headers
                    + "X-Deimos-Token: t\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    return client;
  }

  /** The headers, in lower case; what follows is left to be read. */
  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      assertThat(next).as("the answer so far: %s", head).isNotNegative();
      head.append((char) next);
    }
    return head.toString().toLowerCase(java.util.Locale.ROOT);
  }

  private static Event event(InputStream from) throws IOException {
    String kind = line(from);
    String data = line(from);
    assertThat(line(from)).isEmpty();
    assertThat(kind).startsWith("event: ");
    assertThat(data).startsWith("data: ");
    return new Event(kind.substring(7), data.substring(6));
  }

  /** Reads no further than the line's end. */
  private static String line(InputStream from) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = from.read(); next != '\n'; next = from.read()) {
      assertThat(next).as("after: %s", line).isNotNegative();
      line.append((char) next);
    }
    return line.toString();
  }

  @Test
  void stream_ofTwoRequests_hasBothAnswersAgainAndAgain() throws Exception {
    int port = serve();
    Socket client = ask(port, "", STATE, "500,/api/v1/traces?limit=5");
    assertThat(head(client.getInputStream()))
        .startsWith("http/1.1 200 ok")
        .contains("content-type: text/event-stream", "x-accel-buffering: no")
        .doesNotContain("content-length");
    InputStream in = client.getInputStream();
    String[] answers = {"", ""};
    Event state = event(in);
    assertThat(state.kind).isEqualTo("value");
    answers[state.ask()] = state.value();
    Event traces = event(in);
    assertThat(traces.value()).contains("\"traces\":[]");
    answers[traces.ask()] = traces.value();
    assertThat(answers).doesNotContain("");

    new Records(store).processed(5, 6, 7, 0);
    String trace = "%016x%016x".formatted(5, 6);
    while (!answers[1].contains(trace)) {
      Event next = event(in);
      assertThat(next.kind).isEqualTo("value");
      answers[next.ask()] = next.value();
    }
    Http http = new Http(port);
    assertThat(Documented.MAPPER.readTree(answers[1]))
        .isEqualTo(
            Documented.MAPPER.readTree(
                http.get("/api/v1/traces?limit=5", "X-Deimos-Token: t").text()));
  }

  @Test
  void stream_packed_eachEventCanBeReadAtOnce() throws Exception {
    Socket client = ask(serve(), "Accept-Encoding: gzip\r\n", STATE);
    assertThat(head(client.getInputStream())).contains("content-encoding: gzip");
    InputStream in = new GZIPInputStream(client.getInputStream(), 1);
    for (int i = 0; i < 3; i++) {
      assertThat(event(in).ask()).isZero();
    }
  }

  @Test
  void request_thatIsRefused_isToldWithItsStatus() throws Exception {
    Socket client = ask(serve(), "", "500,/api/v1/traces?limit=0");
    head(client.getInputStream());
    Event refused = event(client.getInputStream());
    assertThat(refused.data).contains("\"status\":400", "limit=0: must be a whole number");
  }

  @Test
  void requests_thatCannotBeAsked_areRefusedInOneSentence() throws Exception {
    int port = serve();
    for (String polled :
        List.of(
            "x",
            "100,/api/state",
            "70000,/api/state",
            "1000,http://other/api/state",
            "1000,/metrics",
            "1000,/api/v1/updates?ask=1000,/api/state",
            "1000,/api/v1/dump",
            "1000,/api/v1/tap?class=A",
            "1000,/nodes/0123456789abcdef/api/v1/dump",
            "1000,/api/v1/profile?format=collapsed",
            "1000,/api/state\r\nX: y")) {
      Socket client = ask(port, "", polled);
      String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answer).as(polled).startsWith("HTTP/1.1 400").contains("ask=");
    }
    Socket none = ask(port, "");
    assertThat(new String(none.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
        .startsWith("HTTP/1.1 400")
        .contains("1 to 16 times");
  }

  @Test
  void stream_ofWhoMayNotAsk_isRefused() throws Exception {
    int port = serve();
    assertThat(new Http(port).get(UpdatesHandler.PATH + "?ask=1000,/api/state").status())
        .isEqualTo(401);
  }

  @Test
  void streams_oneTooMany_isRefused_andHasRoomWhenOneIsLeft() throws Exception {
    int port = serve();
    List<Socket> open = new ArrayList<>();
    for (int i = 0; i < UpdatesHandler.MAX_STREAMS; i++) {
      Socket client = ask(port, "", STATE);
      head(client.getInputStream());
      event(client.getInputStream());
      open.add(client);
    }
    assertThat(head(ask(port, "", STATE).getInputStream())).startsWith("http/1.1 503");
    assertThat(new Http(port).get("/api/state", "X-Deimos-Token: t").status())
        .as("others are answered")
        .isEqualTo(200);
    open.get(3).close();
    String head;
    do {
      head = head(ask(port, "", STATE).getInputStream()); // until the server has seen it go
    } while (!head.startsWith("http/1.1 200"));
  }

  @Test
  void stream_passedOn_isNone() throws IOException {
    Reply reply =
        new Asked(null, List.of()).forOthers(UpdatesHandler.PATH + "?ask=1000,/api/state");
    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.gzip()).isFalse();
  }

  @Test
  void end_whateverWasMade_allIsGivenBack() throws IOException {
    AnswerMemory memory = new AnswerMemory(1 << 20);
    AtomicInteger over = new AtomicInteger();
    Updates updates =
        new Updates(
            List.of(new Updates.Polled("/api/a", 500), new Updates.Polled("/api/b", 500)),
            target -> reply("{\"target\":\"" + target + "\"}"),
            memory,
            true,
            over::incrementAndGet);
    Outgoing first = Objects.requireNonNull(updates.next());
    assertThat(memory.taken()).isPositive();
    first.end();
    updates.end();
    updates.end();
    assertThat(memory.taken()).isZero();
    assertThat(over).hasValue(1);
    assertThat(updates.next()).isNull();
  }

  @Test
  void answers_againAndAgain_takeNoMoreMemoryThanOne() throws IOException {
    AnswerMemory memory = new AnswerMemory(96 << 10);
    AtomicInteger count = new AtomicInteger();
    String padding = "x".repeat(60 << 10);
    Updates updates =
        new Updates(
            List.of(new Updates.Polled("/api/a", 1)),
            target -> reply("{\"n\":" + count.incrementAndGet() + ",\"x\":\"" + padding + "\"}"),
            memory,
            true,
            () -> {});
    for (int i = 1; i <= 3; i++) {
      while (updates.dueNanos() - System.nanoTime() > 0) {
        Thread.onSpinWait();
      }
      Outgoing part = Objects.requireNonNull(updates.next());
      part.end();
    }
    updates.end();
    assertThat(count).hasValue(3);
    assertThat(memory.taken()).isZero();
  }

  /** One whose client does not read gets one part, and the next when it has read that. */
  @Test
  void client_thatDoesNotRead_isToldNoMoreThanItReads() throws Exception {
    AtomicInteger made = new AtomicInteger();
    AnswerMemory memory = new AnswerMemory(64 << 20);
    byte[] large = ("\"" + "z".repeat(8 << 20) + "\"").getBytes(StandardCharsets.US_ASCII);
    HttpLoop loop =
        HttpLoop.listen(
            new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            request -> {
              Answer answer = new Answer(request, memory);
              try {
                answer.stream(
                    new Updates(
                        List.of(new Updates.Polled("/api/a", 1)),
                        target -> {
                          made.incrementAndGet();
                          return new Reply(200, false, large);
                        },
                        memory,
                        false,
                        () -> {}));
              } catch (IOException e) {
                answer.error(500, e.toString());
              }
              return answer;
            },
            HttpLoop.Bounds.DEFAULT);
    try (loop) {
      loop.start();
      Socket client = ask(loop.port(), "", STATE);
      head(client.getInputStream());
      assertThat(client.getInputStream().readNBytes(1000)).hasSize(1000);
      assertThat(made).as("while the first is being read").hasValue(1);
      client.getInputStream().skipNBytes(large.length);
      assertThat(client.getInputStream().readNBytes(1000)).hasSize(1000);
      assertThat(made.get()).isEqualTo(2);
      client.close();
      while (memory.taken() > 0) {
        Thread.onSpinWait(); // until the loop has seen it go
      }
    }
  }

  private static Reply reply(String json) {
    return new Reply(200, false, json.getBytes(StandardCharsets.US_ASCII));
  }

  private record Event(String kind, String data) {
    private int ask() {
      return ((Long) Objects.requireNonNull(object(JsonReader.read(data)).get("ask"))).intValue();
    }

    /** The answer as it was sent. */
    private String value() {
      return data.substring(data.indexOf("\"value\":") + 8, data.length() - 1);
    }
  }
}
