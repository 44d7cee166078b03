// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static io.deimos.agent.json.JsonReader.array;
import static io.deimos.agent.json.JsonReader.object;
import static io.deimos.agent.page.SentSpans.TRACE;
import static io.deimos.agent.page.SentSpans.gzip;
import static io.deimos.agent.page.SentSpans.span;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedInputStream;
import io.deimos.agent.json.JsonReader;
import io.deimos.agent.otlp.SpanBytes;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.opentelemetry.proto.collector.trace.v1.ExportTracePartialSuccess;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A page of its own takes OTLP from anybody on this machine, within its bounds. */
class PageAloneTest {
  private static final String JSON =
      """
      {"resourceSpans":[{"scopeSpans":[{"scope":{"name":"lib","version":"1"},"spans":[
        {"traceId":"0AF7651916CD43DD8448EB211C80319C","spanId":"b7ad6b7169203331","name":"GET /\\u00fc",
         "kind":2,"startTimeUnixNano":"1700000000000000001","endTimeUnixNano":1700000000000001001,
         "attributes":[{"key":"n","value":{"intValue":"7"}},{"key":"d","value":{"doubleValue":0.5}},
           {"key":"l","value":{"arrayValue":{"values":[{"stringValue":"a"},{"boolValue":true}]}}}],
         "droppedAttributesCount":3,"unknown":{"deep":[1,{"a":null}]},
         "events":[{"timeUnixNano":"1700000000000000500","name":"e"}],
         "status":{"code":2,"message":"bad"}},
        {"traceId":"00","spanId":"","name":"without ids"}]}],
        "resource":{"attributes":[{"key":"service.name","value":{"stringValue":"cart"}},
          {"key":"process.pid","value":{"intValue":"77"}}]}}]}
      """;

  private final List<String> said = new CopyOnWriteArrayList<>();
  private final TraceStore store = new TraceStore(StoreLimits.DEFAULT);
  private PageOfItsOwn server;
  private Http http;
  private int port;

  @BeforeEach
  void start() throws InterruptedException {
    start(PageAccessMode.OPEN);
  }

  private void start(PageAccessMode access) throws InterruptedException {
    server = new PageOfItsOwn(store, access, said::add);
    port = server.port;
    http = new Http(port);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void json_ofAnyProgram_isATraceAndItsServiceANode() throws IOException {
    Http.Reply reply = post("/v1/traces", "application/json; charset=utf-8", bytes(JSON));
    assertThat(reply.status()).isEqualTo(200);
    assertThat(object(reply.json().get("partialSuccess"))).containsEntry("rejectedSpans", "1");
    Map<String, Object> trace = get("/api/traces/" + TRACE);
    assertThat(trace).containsEntry("name", "GET /ü").containsEntry("complete", true);
    Map<String, Object> span = object(array(trace.get("spans")).get(0));
    assertThat(span).containsEntry("status", "ERROR").containsEntry("kind", "SERVER");
    assertThat(span.get("durationNanos")).hasToString("1000");
    assertThat(object(span.get("attributes")).keySet()).containsExactlyInAnyOrder("n", "d", "l");
    assertThat(array(span.get("events"))).hasSize(1);
    Map<String, Object> node = nodes().get(1);
    assertThat(node).containsEntry("state", "sends").containsEntry("service", "cart");
    assertThat(node).containsEntry("id", span.get("node"));
    assertThat(node.get("spansReceived")).hasToString("1");
    assertThat(nodes().get(0)).containsEntry("state", "page");
  }

  @Test
  void protobuf_packedAndInChunks_isTakenOnce() throws IOException {
    byte[] packed = gzip(SpanBytes.write(List.of(span(1), span(2))));
    Http.Reply reply =
        http.raw(
            head("/v1/traces", "application/x-protobuf")
                + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "5;any=thing\r\n"
                + latin(packed).substring(0, 5)
                + "\r\n"
                + Integer.toHexString(packed.length - 5)
                + "\r\n"
                + latin(packed).substring(5)
                + "\r\n0\r\nTrailer: 1\r\n\r\n");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEmpty();
    assertThat(reply.headers()).containsEntry("Content-Type", "application/x-protobuf");
    byte[] again = SpanBytes.write(List.of(span(2), span(3)));
    assertThat(post("/v1/traces", "application/x-protobuf", again).status()).isEqualTo(200);
    assertThat(array(get("/api/traces/" + TRACE).get("spans"))).hasSize(3);
    assertThat(nodes()).hasSize(2);
    assertThat(nodes().get(1).get("spansReceived")).hasToString("4");
  }

  @Test
  void spans_moreThanATraceMayHave_areSaidToBeRejected() throws IOException {
    List<SpanData> spans = new ArrayList<>();
    int kept = StoreLimits.DEFAULT.spansPerTrace();
    for (int i = 1; i <= kept + 30; i++) {
      spans.add(span(i));
    }
    byte[] protobuf = SpanBytes.write(spans);
    Http.Reply reply = post("/v1/traces", "application/x-protobuf", protobuf);
    ExportTracePartialSuccess partial =
        ExportTraceServiceResponse.parseFrom(reply.body()).getPartialSuccess();
    assertThat(partial.getRejectedSpans()).isEqualTo(30);
    assertThat(partial.getErrorMessage()).contains("of one trace");
    Map<String, Object> said = post("/v1/traces", "application/json", bytes(JSON)).json();
    assertThat(object(said.get("partialSuccess")))
        .as("one without ids, and one that has no room")
        .containsEntry("rejectedSpans", "2");
    Map<String, Object> otlp = object(get("/api/v1/nodes").get("otlp"));
    assertThat(otlp.get("spansTurnedAway")).hasToString("32");
    assertThat(array(get("/api/traces/" + TRACE).get("spans"))).hasSizeLessThanOrEqualTo(kept);
  }

  @Test
  void metrics_areCountedAndNotKept_logsAre() throws IOException {
    Http.Reply metrics =
        post(
            "/v1/metrics",
            "application/json",
            bytes(
                "{\"resourceMetrics\":[{\"scopeMetrics\":[{\"metrics\":[{\"name\":\"m\",\"sum\":"
                    + "{\"dataPoints\":[{\"asInt\":\"1\"},{\"asInt\":\"2\"}]}}]}]}]}"));
    assertThat(object(metrics.json().get("partialSuccess")))
        .containsEntry("rejectedDataPoints", "2")
        .containsKey("errorMessage");
    byte[] logs = {0x0a, 6, 0x12, 4, 0x12, 0, 0x12, 0};
    Http.Reply reply = post("/v1/logs", "application/x-protobuf", logs);
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).as("nothing is rejected").isEmpty();
  }

  @Test
  void requests_thatAreNone_areRefusedEachWithItsStatus() throws IOException {
    String protobuf = "application/x-protobuf";
    assertThat(post("/v1/traces", protobuf, bytes("nonsense")).status()).isEqualTo(400);
    assertThat(post("/v1/traces", "application/json", bytes("{]")).status()).isEqualTo(400);
    assertThat(post("/v1/traces", "application/json", bytes("[".repeat(9999))).status())
        .isEqualTo(400);
    String longName = "{\"" + "_a".repeat(2_000_000) + "\":1}";
    assertThat(post("/v1/traces", "application/json", bytes(longName)).status()).isEqualTo(200);
    assertThat(post("/v1/traces", "text/plain", bytes("{}")).status()).isEqualTo(415);
    assertThat(http.get("/v1/traces").status()).isEqualTo(405);
    assertThat(post("/v1/other", protobuf, bytes("x")).status()).isEqualTo(413);
    assertThat(status("Content-Length: 8388609\r\n\r\n")).isEqualTo(413);
    assertThat(status("Content-Encoding: br\r\nContent-Length: 1\r\n\r\nx")).isEqualTo(415);
    assertThat(status("Content-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx")).isEqualTo(400);
    assertThat(status("Transfer-Encoding: chunked\r\n\r\nzz\r\n")).isEqualTo(400);
    assertThat(status("Transfer-Encoding: chunked\r\n\r\nffffffff\r\n")).isEqualTo(413);
    byte[] bomb = gzip(new byte[40 << 20]);
    assertThat(bomb.length).isLessThan(8 << 20);
    assertThat(
            http.raw(
                    head("/v1/traces", protobuf)
                        + "Content-Encoding: gzip\r\nContent-Length: "
                        + bomb.length
                        + "\r\n\r\n"
                        + latin(bomb))
                .status())
        .isIn(413, 503);
    assertThat(get("/api/state")).isNotEmpty();
  }

  /** Its client reads a status in protobuf, and nothing else. */
  @Test
  void refusals_ofProtobuf_areAStatusInProtobuf() throws Exception {
    assertStatus(403, "Origin: http://example.org\r\nContent-Length: 4\r\n\r\n", "web site");
    assertStatus(413, "Content-Length: 8388609\r\n\r\n", "at most 8388608 bytes");
    assertStatus(413, "Transfer-Encoding: chunked\r\n\r\nffffffff\r\n", "at most");
    assertStatus(413, "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", "not clear");
    assertStatus(415, "Content-Encoding: br\r\nContent-Length: 1\r\n\r\nx", "only gzip");
    assertStatus(400, "Content-Length: 1\r\n\r\nx", "no request of OTLP");
    assertThat(
            http.raw(head("/v1/traces", "application/json") + "Content-Length: 8388609\r\n\r\n")
                .json())
        .as("as JSON has it")
        .containsKey("error");
    server.close();
    start(PageAccessMode.TOKEN);
    assertStatus(401, "Content-Length: 4\r\n\r\n", "needs the token");
  }

  private void assertStatus(int status, String rest, String why) throws IOException {
    Http.Reply reply = http.raw(head("/v1/traces", "application/x-protobuf") + rest);
    assertThat(reply.status()).as(rest).isEqualTo(status);
    assertThat(reply.headers()).containsEntry("Content-Type", "application/x-protobuf");
    CodedInputStream body = CodedInputStream.newInstance(reply.body());
    assertThat(body.readTag()).as("the message, a text").isEqualTo((2 << 3) | 2);
    assertThat(body.readString()).contains(why);
    assertThat(body.isAtEnd()).isTrue();
  }

  /** A client that sends all before it reads gets the answer, and no reset. */
  @Test
  void body_thatIsRefusedByItsHead_isLetGoSoThatTheAnswerIsRead() throws Exception {
    String body = "x".repeat(9 << 20);
    String length = "Content-Length: " + body.length() + "\r\n\r\n";
    for (String path : List.of("/v1/traces", "/api/v1/settings")) {
      Http.Reply reply = http.raw(head(path, "application/x-protobuf") + length + body);
      assertThat(reply.status()).as(path).isEqualTo(413);
    }
    String foreign = "Origin: http://example.org\r\n" + length + body;
    assertThat(http.raw(head("/v1/traces", "application/json") + foreign).status()).isEqualTo(403);
  }

  @Test
  void protobuf_ofMoreObjectsThanTheHeapHasRoomFor_isRefused() throws IOException {
    byte[] span = new byte[1 << 20]; // half a million events of two bytes, in each of the spans
    for (int i = 0; i < span.length; i += 2) {
      span[i] = (11 << 3) | 2;
    }
    ByteArrayOutputStream spans = new ByteArrayOutputStream();
    for (int i = 0; i < 16; i++) {
      message(2, span, spans);
    }
    ByteArrayOutputStream scopes = new ByteArrayOutputStream();
    message(2, spans.toByteArray(), scopes);
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    message(1, scopes.toByteArray(), request);
    byte[] packed = gzip(request.toByteArray());
    Http.Reply reply =
        http.raw(
            head("/v1/traces", "application/x-protobuf")
                + "Content-Encoding: gzip\r\nContent-Length: "
                + packed.length
                + "\r\n\r\n"
                + latin(packed));
    assertThat(reply.status()).as(latin(reply.body())).isEqualTo(400);
    assertThat(latin(reply.body())).contains("parts; send less at once");
  }

  private static void message(int field, byte[] content, ByteArrayOutputStream to) {
    to.write((field << 3) | 2);
    int left = content.length;
    for (; left > 0x7f; left >>>= 7) {
      to.write((left & 0x7f) | 0x80);
    }
    to.write(left);
    to.writeBytes(content);
  }

  /** As many at once as there may be connections: what has no room is to come again. */
  @Test
  void otlp_ofManyAtOnce_isTakenOrSentAwayAndThePageAnswers() throws Exception {
    List<SpanData> spans = new ArrayList<>();
    for (int i = 1; i <= 5_000; i++) {
      spans.add(span(i));
    }
    byte[] body = SpanBytes.write(spans);
    ExecutorService clients = Executors.newFixedThreadPool(40);
    try {
      List<Future<Http.Reply>> replies = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        replies.add(clients.submit(() -> post("/v1/traces", "application/x-protobuf", body)));
      }
      assertThat(http.get("/api/state").status()).isEqualTo(200);
      int taken = 0;
      for (Future<Http.Reply> one : replies) {
        Http.Reply reply = one.get();
        assertThat(reply.status()).isIn(200, 503);
        if (reply.status() == 503) {
          assertThat(reply.headers()).containsEntry("Retry-After", "1");
        }
        taken += reply.status() == 200 ? 1 : 0;
      }
      assertThat(taken).isPositive();
      assertThat(array(get("/api/traces/" + TRACE).get("spans"))).hasSize(5_000);
    } finally {
      clients.shutdownNow();
    }
  }

  @Test
  void otlp_fromAWebSiteOrWithoutTheToken_isRefusedBeforeItsBody() throws Exception {
    String foreign = "Origin: http://example.org\r\nContent-Length: 4\r\n\r\n";
    assertThat(http.raw(head("/v1/traces", "application/json") + foreign).status()).isEqualTo(403);
    server.close();
    start(PageAccessMode.TOKEN);
    assertThat(status("Content-Length: 4\r\n\r\n")).isEqualTo(401);
    assertThat(status("X-Deimos-Token: secret\r\nContent-Length: 0\r\n\r\n")).isEqualTo(200);
    assertThat(status("Authorization: Bearer secret\r\nContent-Length: 0\r\n\r\n")).isEqualTo(200);
  }

  private int status(String rest) throws IOException {
    return http.raw(head("/v1/traces", "application/x-protobuf") + rest).status();
  }

  private Http.Reply post(String path, String type, byte[] body) throws IOException {
    return http.raw(head(path, type) + "Content-Length: " + body.length + "\r\n\r\n" + latin(body));
  }

  private String head(String path, String type) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: localhost:"
        + port
        + "\r\nContent-Type: "
        + type
        + "\r\n";
  }

  private Map<String, Object> get(String path) throws IOException {
    return http.get(path).json();
  }

  private List<Map<String, Object>> nodes() throws IOException {
    return array(get("/api/v1/nodes").get("nodes")).stream().map(JsonReader::object).toList();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
