// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static io.deimos.agent.json.JsonReader.array;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.otlp.SpanBytes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.testing.trace.TestSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A page of its own in a JVM of 128 MB takes what comes without running out of memory. */
class SmallHeapTest {
  private static final String SPANS = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
  private static final Pattern MOST = Pattern.compile("at most (\\d+) bytes");
  private static final Pattern UNPACKED = Pattern.compile("more than (\\d+) bytes");
  private static final int CONNECTIONS = 4;
  private static final int CALLS = 16;
  private static final int LARGE = 7 << 20;

  @Test
  void calls_asLargeAsTheyMayBeAndBrokenOff_takeNoMoreThanThereIs() throws Exception {
    int port = freePort();
    Process page = start(port);
    try {
      Http http = new Http(port);
      byte[] message = spans(Math.min(LARGE, largest(port)));
      for (int i = 0; i < CONNECTIONS; i++) {
        try (Http2 client = Http2.to(port)) {
          brokenOff(client, message);
        } catch (SocketException e) {
          // It has had enough of this one.
        }
      }
      packed(port);
      assertThat(array(http.get("/api/faults").json().get("faults"))).isEmpty();
      try (Http2 client = Http2.to(port)) {
        Http2.Reply reply = client.answer(SPANS, 0, message);
        assertThat(reply.status()).as(reply.headers().toString()).isZero();
      }
      assertThat(page.isAlive()).isTrue();
    } finally {
      page.destroyForcibly().waitFor();
    }
  }

  /** JSON, which takes most when it is read, of many at once and as long as it may be. */
  private static void packed(int port) throws Exception {
    Http.Reply refused = json(port, 8 << 20);
    Matcher most = UNPACKED.matcher(refused.text());
    int bytes = Math.min(LARGE, most.find() ? Integer.parseInt(most.group(1)) : LARGE);
    ExecutorService clients = Executors.newFixedThreadPool(CONNECTIONS);
    try {
      List<Future<Http.Reply>> replies = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        replies.add(clients.submit(() -> json(port, bytes)));
      }
      for (Future<Http.Reply> reply : replies) {
        assertThat(reply.get().status()).isIn(200, 503);
      }
    } finally {
      clients.shutdownNow();
    }
  }

  /** A span whose name has an escape, and characters that take two bytes each in memory. */
  private static Http.Reply json(int port, int bytes) throws IOException {
    String begin = "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"name\":\"\\n\u4e2d";
    String end = "\"}]}]}]}";
    String json = begin + "x".repeat(bytes - begin.length() - end.length() - 2) + end;
    byte[] packed = SentSpans.gzip(json.getBytes(StandardCharsets.UTF_8));
    return new Http(port)
        .raw(
            "POST /v1/traces HTTP/1.1\r\nHost: localhost:"
                + port
                + "\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: "
                + packed.length
                + "\r\n\r\n"
                + new String(packed, StandardCharsets.ISO_8859_1));
  }

  /** Each is whole and waits for its turn, and then nobody waits for it. */
  private static void brokenOff(Http2 client, byte[] message) throws IOException {
    for (int i = 0; i < CALLS; i++) {
      int call = client.call(SPANS);
      client.message(call, 0, message);
      client.frame(Http2.RST_STREAM, 0, call, new byte[4]);
    }
    client.frame(Http2.PING, 0, 0, new byte[8]);
    Http2.Frame frame = client.next();
    while (frame.type() != Http2.PING) { // all before it has been read
      frame = client.next();
    }
  }

  /** How long a message may be there. */
  private static int largest(int port) throws IOException {
    try (Http2 client = Http2.to(port)) {
      int call = client.call(SPANS);
      client.frame(Http2.DATA, 0, call, new byte[] {0, 0x7f, 0, 0, 0}); // two gigabytes
      String refused = client.reply(call).headers().getOrDefault("grpc-message", "");
      Matcher most = MOST.matcher(refused);
      assertThat(most.find()).as(refused).isTrue();
      return Integer.parseInt(most.group(1));
    }
  }

  /** A request of this length, but for less than a span. */
  private static byte[] spans(int bytes) {
    byte[] one = SpanBytes.write(List.of(span(1)));
    List<SpanData> all = new ArrayList<>();
    for (int i = 1; i * one.length < bytes; i++) {
      all.add(span(i));
    }
    byte[] request = SpanBytes.write(all);
    assertThat(request.length).isBetween(bytes / 2, bytes);
    return request;
  }

  private static SpanData span(int id) {
    return TestSpanData.builder()
        .setHasEnded(true)
        .setName("GET /orders/{id}/positions ".repeat(20))
        .setKind(SpanKind.SERVER)
        .setStatus(StatusData.unset())
        .setSpanContext(
            SpanContext.create(
                "%032x".formatted(id),
                "%016x".formatted(id),
                TraceFlags.getSampled(),
                TraceState.getDefault()))
        .setStartEpochNanos(1)
        .setEndEpochNanos(2)
        .build();
  }

  private static Process start(int port) throws IOException {
    String path = System.getProperty("java.class.path");
    Process page =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", path),
                "-Ddeimos.page.port=" + port,
                "io.deimos.agent.standalone.HundredNodesTest$Page",
                "",
                "127.0.0.1",
                "0",
                "0")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(page.getInputStream(), StandardCharsets.UTF_8));
    String line = lines.readLine();
    while (line != null && !line.startsWith("Takes OTLP over HTTP at ")) {
      line = lines.readLine();
    }
    assertThat(line).as("the page's start").isNotNull();
    return page;
  }

  private static int freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return any.getLocalPort();
    }
  }
}
