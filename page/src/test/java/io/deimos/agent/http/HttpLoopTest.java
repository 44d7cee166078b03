// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.budget.Scan;
import io.deimos.agent.json.Json;
import io.deimos.agent.page.Http;
import io.deimos.agent.page.Http.Reply;
import io.deimos.agent.page.ScrapedAnswers;
import io.deimos.recorder.base.Faults;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HttpLoopTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final int SOCKET_MILLIS = 20_000;

  /** More than the sockets of both sides hold. */
  private static final int LARGE_BYTES = 16 << 20;

  private final List<Socket> clients = new ArrayList<>();
  private AnswerMemory memory = AnswerMemory.unlimited();
  private @Nullable HttpLoop loop;

  @AfterEach
  void close() throws IOException {
    for (Socket client : clients) {
      client.close();
    }
    if (loop != null) {
      loop.close();
    }
  }

  private Http listen(HttpLoop.Bounds bounds) throws IOException {
    return listen(bounds, this::answer);
  }

  private Http listen(HttpLoop.Bounds bounds, Function<Request, Answer> handler)
      throws IOException {
    HttpLoop made =
        HttpLoop.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), handler::apply, bounds);
    made.start();
    loop = made;
    return new Http(made.port());
  }

  /** As many bytes as the path says, or an error. */
  private Answer answer(Request request) {
    Answer answer = new Answer(request, memory);
    try {
      long bytes = Long.parseLong(request.path().substring(1));
      answer.json(200, json -> write(json, bytes));
    } catch (AnswerMemory.ExceededException e) {
      answer.error(503, e.said());
    } catch (IOException e) {
      answer.error(500, e.toString());
    }
    return answer;
  }

  private static void write(Json json, long bytes) throws IOException {
    json.beginArray();
    for (long i = 0; i < bytes / 1024; i++) {
      json.value("x".repeat(1021));
    }
    json.endArray();
  }

  private Socket client(HttpLoop of) throws IOException {
    Socket client = new Socket();
    client.setReceiveBufferSize(4 * 1024);
    client.setSoTimeout(SOCKET_MILLIS);
    client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), of.port()));
    clients.add(client);
    return client;
  }

  private Socket send(HttpLoop to, String characters) throws IOException {
    Socket client = client(to);
    client.getOutputStream().write(characters.getBytes(StandardCharsets.US_ASCII));
    return client;
  }

  private HttpLoop loop() {
    return java.util.Objects.requireNonNull(loop);
  }

  @Test
  void request_halfSent_isGivenUpWhenItsTimeIsOver() throws IOException {
    Http http = listen(new HttpLoop.Bounds(64, SHORT, LONG));
    Socket half = send(loop(), "GET /1 HTTP/1.1\r\nHost: 127");
    assertThat(half.getInputStream().read())
        .as("the end, within the socket's patience")
        .isNegative();
    assertThat(http.get("/1").status()).isEqualTo(200);
  }

  @Test
  void request_piecemeal_isAnswered() throws IOException {
    listen(HttpLoop.Bounds.DEFAULT);
    Socket client = client(loop());
    for (byte one : "GET /1 HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)) {
      client.getOutputStream().write(one);
      client.getOutputStream().flush();
    }
    assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
        .startsWith("HTTP/1.1 200 OK\r\n");
  }

  @Test
  void connections_moreThanThereMayBe_takeThePlaceOfTheOldestHalfSent() throws IOException {
    Http http = listen(new HttpLoop.Bounds(2, LONG, LONG));
    Socket oldest = send(loop(), "GET /1");
    Socket second = send(loop(), "GET /1");
    assertThat(http.get("/1").status()).isEqualTo(200);
    assertThat(isOver(oldest)).isTrue();
    second.getOutputStream().write(" HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    assertThat(new String(second.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
        .startsWith("HTTP/1.1 200 OK\r\n");
  }

  private static boolean isOver(Socket client) throws IOException {
    try {
      return client.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true; // reset
    }
  }

  /** One is at work and sixteen wait, so three of twenty are sent away at once. */
  @Test
  void requests_thatTakeTurns_waitInABoundedQueueAndKeepNobodyElse() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    HttpLoop made =
        HttpLoop.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new HttpHandler() {
              @Override
              public Answer handle(Request request) {
                if (terms(request, false).takesTurns()) {
                  awaitQuietly(go);
                }
                return answer(request);
              }

              @Override
              public Terms terms(Request head, boolean hasBody) {
                return new Terms(0, head.path().equals("/1024"), null);
              }
            },
            new HttpLoop.Bounds(64, LONG, LONG));
    made.start();
    loop = made;
    for (int i = 0; i < 20; i++) {
      send(made, "GET /1024 HTTP/1.1\r\n\r\n");
    }
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SOCKET_MILLIS);
    while (answeredClients().size() < 3) {
      assertThat(System.nanoTime()).isLessThan(until);
      Thread.onSpinWait();
    }
    List<Socket> refused = answeredClients();
    assertThat(new Http(made.port()).get("/1").status()).isEqualTo(200);
    for (Socket one : refused) {
      assertThat(one.getInputStream().readAllBytes()).asString().startsWith("HTTP/1.1 503 ");
    }
    assertThat(refused).hasSize(3);
    go.countDown();
    for (Socket one : clients) {
      if (!refused.contains(one)) {
        assertThat(one.getInputStream().readAllBytes()).asString().startsWith("HTTP/1.1 200 ");
      }
    }
  }

  private List<Socket> answeredClients() throws IOException {
    List<Socket> answered = new ArrayList<>();
    for (Socket one : clients) {
      if (one.getInputStream().available() > 0) {
        answered.add(one);
      }
    }
    return answered;
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      assertThat(latch.await(SOCKET_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void client_thatDoesNotRead_makesRoomForWhoComes() throws IOException {
    Http http = listen(new HttpLoop.Bounds(1, LONG, LONG));
    for (int i = 0; i < 2; i++) {
      // The one place is taken by an answer that is not read: it makes room when another comes.
      Socket slow = placed("GET /" + LARGE_BYTES + " HTTP/1.1\r\n\r\n");
      assertThat(answered(http)).isTrue();
      assertThat(bytesTo(slow)).isLessThan(LARGE_BYTES);
    }
  }

  @Test
  void client_thatDoesNotRead_losesItsAnswerInTime() throws IOException {
    memory = new AnswerMemory(4L * LARGE_BYTES);
    listen(new HttpLoop.Bounds(64, LONG, SHORT));
    Socket slow = send(loop(), "GET /" + LARGE_BYTES + " HTTP/1.1\r\n\r\n");
    assertThat(slow.getInputStream().read()).isEqualTo('H');
    awaitNothingTaken();
    assertThat(bytesTo(slow)).isLessThan(LARGE_BYTES);
  }

  /** A client that is being answered: it asks again if there is no place. */
  private Socket placed(String request) throws IOException {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SOCKET_MILLIS);
    Socket client = send(loop(), request);
    while (isOver(client)) {
      assertThat(System.nanoTime()).isLessThan(until);
      client = send(loop(), request);
    }
    return client;
  }

  /** Asks again and again, as those who find no place have to. */
  private static boolean answered(Http http) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SOCKET_MILLIS);
    while (System.nanoTime() < until) {
      try {
        if (http.get("/1").status() == 200) {
          return true;
        }
      } catch (IOException | RuntimeException e) {
        // Sent away without an answer: there is no place yet.
      }
    }
    return false;
  }

  private static long bytesTo(Socket client) throws IOException {
    long bytes = 0;
    byte[] some = new byte[64 * 1024];
    try {
      InputStream in = client.getInputStream();
      for (int read = in.read(some); read >= 0; read = in.read(some)) {
        bytes += read;
      }
    } catch (SocketException e) {
      return bytes; // reset
    }
    return bytes;
  }

  @Test
  void answer_withoutEnd_isRefusedAtItsBound() throws IOException {
    memory = new AnswerMemory(2 << 20);
    Http http = listen(HttpLoop.Bounds.DEFAULT);
    Reply refused = http.get("/" + Long.MAX_VALUE);
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.text()).contains("larger than " + (1 << 20) + " bytes; ask for less");
    assertThat(memory.taken()).isZero();
    assertThat(http.get("/1").status()).isEqualTo(200);
  }

  @Test
  void answers_ofClientsThatDoNotRead_takeNoMoreThanTheirBoundTogether() throws IOException {
    memory = new AnswerMemory(4L * LARGE_BYTES);
    Http http = listen(new HttpLoop.Bounds(64, LONG, LONG));
    long faults = Faults.count();
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      slow.add(send(loop(), "GET /" + LARGE_BYTES + " HTTP/1.1\r\n\r\n"));
    }
    List<String> first = new ArrayList<>();
    for (Socket client : slow) {
      byte[] status = client.getInputStream().readNBytes("HTTP/1.1 200".length());
      first.add(new String(status, StandardCharsets.US_ASCII));
    }
    assertThat(memory.taken()).isBetween((long) LARGE_BYTES, 4L * LARGE_BYTES);
    assertThat(first).contains("HTTP/1.1 200", "HTTP/1.1 503");
    for (Socket client : slow) {
      client.close();
    }
    assertThat(answered(http)).isTrue();
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SOCKET_MILLIS);
    while (memory.taken() > 0 && System.nanoTime() < until) {
      Thread.onSpinWait(); // what was closed here is noticed there a little later
    }
    assertThat(memory.taken()).isZero();
    assertThat(Faults.count()).as("a refusal is no failure").isEqualTo(faults);
  }

  @Test
  void answer_packed_isCountedUntilItIsRead() throws IOException {
    memory = new AnswerMemory(4L * LARGE_BYTES);
    byte[] noise = new byte[LARGE_BYTES];
    new Random(1).nextBytes(noise);
    String text = Base64.getEncoder().encodeToString(noise);
    listen(new HttpLoop.Bounds(64, LONG, LONG), request -> json(request, text));
    Socket slow = send(loop(), "GET / HTTP/1.1\r\nAccept-Encoding: gzip\r\n\r\n");
    assertThat(slow.getInputStream().read()).isEqualTo('H');
    assertThat(memory.taken()).isGreaterThan(LARGE_BYTES / 2);
    slow.close();
    awaitNothingTaken();
  }

  private Answer json(Request request, String text) {
    Answer answer = new Answer(request, memory);
    try {
      answer.json(200, json -> json.value(text));
    } catch (IOException e) {
      answer.error(500, e.toString());
    }
    return answer;
  }

  @Test
  void scraped_ofManyTimesTheMemoryForAnswers_isSentPackedAndUnpacked() throws IOException {
    memory = new AnswerMemory(2 << 20);
    String text = "pekko_mailbox_size{pekko_actor_class=\"shop.Cart\"} 1.0\n".repeat(1 << 19);
    Http http = listen(HttpLoop.Bounds.DEFAULT, new ScrapedAnswers(text, memory)::answer);
    Reply plain = http.get("/metrics");
    assertThat(plain.headers()).doesNotContainKey("Content-Encoding");
    assertThat(plain.headers()).containsEntry("Content-Length", Integer.toString(text.length()));
    assertThat(plain.text().equals(text)).isTrue();
    Reply packed = http.get("/metrics", "Accept-Encoding: gzip");
    assertThat(packed.headers()).containsEntry("Content-Encoding", "gzip");
    assertThat(packed.unpacked().equals(text)).isTrue();
    assertThat(http.send("HEAD", "/metrics", "127.0.0.1").headers())
        .doesNotContainKey("Content-Encoding");
    awaitNothingTaken();
    Socket slow = send(loop(), "GET /metrics HTTP/1.1\r\n\r\n");
    assertThat(slow.getInputStream().read()).isEqualTo('H');
    assertThat(memory.taken()).isPositive();
    assertThat(answered(http)).as("others are, meanwhile").isTrue();
    slow.close();
    awaitNothingTaken();
  }

  /** A close here is noticed there a little later. */
  private void awaitNothingTaken() {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SOCKET_MILLIS);
    while (memory.taken() > 0 && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    assertThat(memory.taken()).isZero();
  }

  @Test
  void client_thatClosesBeforeItIsAnswered_endsWhatIsSearchedForIt() throws Exception {
    Accountant accountant = Accountant.ofHeap(1, Long.MAX_VALUE);
    CountDownLatch begun = new CountDownLatch(1);
    HttpLoop made =
        HttpLoop.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            request -> {
              try (Scan scan = accountant.scan()) {
                begun.countDown();
                while (scan.goesOn(1 << 14)) {
                  Thread.onSpinWait();
                }
              }
              return answer(request);
            },
            HttpLoop.Bounds.DEFAULT,
            new HttpLoop.Place(null, false, accountant));
    made.start();
    loop = made;
    Socket client = client(made);
    client.getOutputStream().write("GET /1 HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    assertThat(begun.await(SOCKET_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
    client.close();
    while (accountant.taken(Accountant.Kind.SEARCHES).requests() == 0) {
      Thread.onSpinWait();
    }
    assertThat(accountant.taken(Accountant.Kind.SEARCHES).cancelled()).isEqualTo(1);
  }

  @Test
  void answer_thatIsLate_givesItsMemoryBack() throws Exception {
    memory = new AnswerMemory(2 << 20);
    CountDownLatch mayAnswer = new CountDownLatch(1);
    Http http =
        listen(
            new HttpLoop.Bounds(64, LONG, SHORT),
            request -> {
              if (request.path().equals("/100000")) {
                awaitQuietly(mayAnswer);
              }
              return answer(request);
            });
    Socket late = send(loop(), "GET /100000 HTTP/1.1\r\n\r\n");
    assertThat(late.getInputStream().readAllBytes()).isNotEmpty();
    mayAnswer.countDown();
    assertThat(http.get("/1").status()).isEqualTo(200);
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SOCKET_MILLIS);
    while (memory.taken() > 0 && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    assertThat(memory.taken()).isZero();
  }

  @Test
  void answer_thatIsNotMadeInTime_isA503ThatSaysSo() throws Exception {
    CountDownLatch mayAnswer = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    Http http =
        listen(
            new HttpLoop.Bounds(64, LONG, SHORT),
            request -> {
              if (request.path().equals("/1024")) {
                begun.incrementAndGet();
                awaitQuietly(mayAnswer);
              }
              return answer(request);
            });
    List<Socket> late = new ArrayList<>();
    for (int i = 0; i < 5; i++) { // one more than there are workers
      late.add(send(loop(), "GET /1024 HTTP/1.1\r\n\r\n"));
    }
    for (Socket each : late) {
      String said = new String(each.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(said).startsWith("HTTP/1.1 503 ").contains("the answer took longer than");
    }
    mayAnswer.countDown();
    assertThat(http.get("/2048").status()).isEqualTo(200);
    assertThat(begun).as("those whose turn came in time").hasValueLessThanOrEqualTo(4);
  }

  @Test
  void handler_thatThrowsAnError_isAnErrorAndTheNextIsAnswered() throws IOException {
    Http http =
        listen(
            HttpLoop.Bounds.DEFAULT,
            request -> {
              if (request.path().equals("/2")) {
                throw new OutOfMemoryError("injected");
              }
              return answer(request);
            });
    for (int i = 0; i < 10; i++) {
      assertThat(http.get("/2").status()).isEqualTo(500);
      assertThat(http.get("/1").status()).isEqualTo(200);
    }
  }

  /** Requests of the loop's own thread are answered, too. */
  @Test
  void handler_thatThrowsOnTheLoopsThread_isAnErrorAndTheNextIsAnswered() throws IOException {
    HttpLoop made =
        HttpLoop.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new HttpHandler() {
              @Override
              public Answer handle(Request request) {
                return answer(request);
              }

              @Override
              public Terms terms(Request head, boolean hasBody) {
                if (hasBody) {
                  throw new OutOfMemoryError("injected");
                }
                if (head.path().equals("/2")) {
                  throw new IllegalStateException("injected");
                }
                return Terms.WITHOUT_BODY;
              }
            },
            HttpLoop.Bounds.DEFAULT);
    made.start();
    loop = made;
    Http http = new Http(made.port());
    long faults = Faults.count();
    for (Reply reply : List.of(http.get("/2"), http.post("/1", "{}"))) {
      assertThat(reply.status()).isEqualTo(500);
      assertThat(reply.text()).contains("injected");
    }
    assertThat(Faults.count() - faults).isGreaterThanOrEqualTo(2);
    assertThat(http.get("/1").status()).isEqualTo(200);
  }
}
