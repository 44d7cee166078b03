// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static io.deimos.agent.json.JsonReader.array;
import static io.deimos.agent.json.JsonReader.object;
import static io.deimos.agent.page.SentSpans.TRACE;
import static io.deimos.agent.page.SentSpans.gzip;
import static io.deimos.agent.page.SentSpans.span;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.grpc.GrpcBounds;
import io.deimos.agent.grpc.GrpcService;
import io.deimos.agent.grpc.GrpcTurns;
import io.deimos.agent.http.Answer;
import io.deimos.agent.http.HttpHandler;
import io.deimos.agent.http.HttpLoop;
import io.deimos.agent.http.Request;
import io.deimos.agent.json.JsonReader;
import io.deimos.agent.nodes.Senders;
import io.deimos.agent.otlp.SpanBytes;
import io.deimos.agent.processes.OtlpCalls;
import io.deimos.agent.processes.OtlpCounts;
import io.deimos.agent.processes.OtlpHandler;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A page of its own takes OTLP over gRPC, on the port of the page, by the rules that HTTP has. */
class PageGrpcTest {
  private static final String SPANS = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
  private static final String METRICS =
      "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export";
  private static final String LOGS = "/opentelemetry.proto.collector.logs.v1.LogsService/Export";
  private static final int UNAVAILABLE = 14;
  private static final int PRIORITY = 2;
  private static final int FRAME_SIZE_ERROR = 6;
  private static final int REFUSED_STREAM = 7;
  private static final int ENHANCE_YOUR_CALM = 11;

  private final TraceStore store = new TraceStore(StoreLimits.DEFAULT);
  private PageOfItsOwn server;
  private Http http;
  private int port;

  @BeforeEach
  void start() throws InterruptedException {
    start(PageAccessMode.OPEN);
  }

  private void start(PageAccessMode access) throws InterruptedException {
    server =
        new PageOfItsOwn(
            store,
            access,
            reason -> {
              throw new AssertionError(reason);
            });
    port = server.port;
    http = new Http(port);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void exporter_ofOpenTelemetry_hasItsSpansOnThePage() throws IOException {
    try (OtlpGrpcSpanExporter exporter =
            OtlpGrpcSpanExporter.builder().setEndpoint("http://127.0.0.1:" + port).build();
        OtlpGrpcSpanExporter packing =
            OtlpGrpcSpanExporter.builder()
                .setEndpoint("http://localhost:" + port)
                .setCompression("gzip")
                .build()) {
      assertThat(exporter.export(List.of(span(1), span(2))).join(60, TimeUnit.SECONDS).isSuccess())
          .isTrue();
      List<SpanData> many = new ArrayList<>();
      for (int i = 3; i <= 4_000; i++) {
        many.add(span(i));
      }
      assertThat(exporter.export(many).join(60, TimeUnit.SECONDS).isSuccess()).isTrue();
      assertThat(packing.export(List.of(span(5_000))).join(60, TimeUnit.SECONDS).isSuccess())
          .isTrue();
    }
    assertThat(array(get("/api/traces/" + TRACE).get("spans"))).hasSize(4_001);
    Map<String, Object> node = nodes().get(1);
    assertThat(node).containsEntry("state", "sends").containsEntry("service", "other");
    assertThat(node.get("spansReceived")).hasToString("4001");
    assertThat(otlp().get("requests")).hasToString("3");
    assertThat(otlp().get("refused")).hasToString("0");
  }

  @Test
  void spansWithoutIdsAndMetrics_areAnsweredWithAPartialSuccess_logsAreKept() throws IOException {
    try (Http2 client = Http2.to(port)) {
      byte[] spans =
          ExportTraceServiceRequest.newBuilder()
              .addResourceSpans(
                  ResourceSpans.newBuilder()
                      .addScopeSpans(
                          ScopeSpans.newBuilder().addSpans(Span.newBuilder().setName("no id"))))
              .build()
              .toByteArray();
      Http2.Reply reply = client.answer(SPANS, 0, spans);
      assertThat(reply.status()).isZero();
      assertThat(
              ExportTraceServiceResponse.parseFrom(reply.message())
                  .getPartialSuccess()
                  .getRejectedSpans())
          .isOne();
      byte[] metrics =
          ExportMetricsServiceRequest.newBuilder()
              .addResourceMetrics(
                  ResourceMetrics.newBuilder()
                      .addScopeMetrics(
                          ScopeMetrics.newBuilder()
                              .addMetrics(
                                  Metric.newBuilder()
                                      .setGauge(
                                          Gauge.newBuilder()
                                              .addDataPoints(NumberDataPoint.newBuilder())
                                              .addDataPoints(NumberDataPoint.newBuilder())))))
              .build()
              .toByteArray();
      assertThat(
              ExportMetricsServiceResponse.parseFrom(
                      client.answer(METRICS, 1, gzip(metrics), "grpc-encoding", "gzip").message())
                  .getPartialSuccess()
                  .getRejectedDataPoints())
          .isEqualTo(2);
      byte[] logs =
          ExportLogsServiceRequest.newBuilder()
              .addResourceLogs(
                  ResourceLogs.newBuilder()
                      .addScopeLogs(ScopeLogs.newBuilder().addLogRecords(LogRecord.newBuilder())))
              .build()
              .toByteArray();
      assertThat(
              ExportLogsServiceResponse.parseFrom(client.answer(LOGS, 0, logs).message())
                  .getPartialSuccess())
          .satisfies(partial -> assertThat(partial.getRejectedLogRecords()).isZero());
    }
    assertThat(otlp().get("requests")).hasToString("3");
    assertThat(otlp().get("spansTurnedAway")).hasToString("1");
    assertThat(otlp().get("notKept")).hasToString("2");
    assertThat(otlp().get("logs")).hasToString("1");
  }

  @Test
  void spans_moreThanATraceMayHave_areSaidToBeRejected() throws IOException {
    List<SpanData> spans = new ArrayList<>();
    for (int i = 1; i <= StoreLimits.DEFAULT.spansPerTrace() + 30; i++) {
      spans.add(span(i));
    }
    try (Http2 client = Http2.to(port)) {
      Http2.Reply reply = client.answer(SPANS, 0, SpanBytes.write(spans));
      assertThat(
              ExportTraceServiceResponse.parseFrom(reply.message())
                  .getPartialSuccess()
                  .getRejectedSpans())
          .isEqualTo(30);
    }
  }

  @Test
  void calls_thatCannotBeTaken_areRefusedEachWithItsCodeAndCounted() throws IOException {
    byte[] good = SpanBytes.write(List.of(span(1)));
    try (Http2 client = Http2.to(port)) {
      assertRefused(client.answer("/any.Service/Do", 0, good), 12, "nothing here");
      assertRefused(client.answer(SPANS, 1, good, "grpc-encoding", "br"), 12, "only gzip");
      assertRefused(client.answer(SPANS, 0, new byte[] {1, 2, 3}), 3, "no request of OTLP");
      assertRefused(client.answer(SPANS, 1, good, "grpc-encoding", "gzip"), 3, "no gzip");
      assertRefused(client.answer(SPANS, 2, good), 3, "no message of gRPC");
      assertRefused(client.answer(SPANS, 0, good, "origin", "http://example.org"), 7, "web site");
      assertRefused(client.answer(SPANS, 0, good, ":authority", "example.org"), 7, "Host");
      byte[] bomb = gzip(new byte[40 << 20]);
      Http2.Reply burst = client.answer(SPANS, 1, bomb, "grpc-encoding", "gzip");
      assertThat(burst.status()).as(burst.headers().toString()).isIn(8, UNAVAILABLE);
      int large = client.call(SPANS);
      client.frame(Http2.DATA, 0, large, new byte[] {0, 0, (byte) 0x80, 0, 1}); // 8 MB and one
      assertRefused(client.reply(large), 8, "at most 8388608 bytes");
      int halved = client.call(SPANS);
      client.frame(Http2.DATA, Http2.END_STREAM, halved, new byte[] {0, 0, 0, 0, 9, 1});
      assertRefused(client.reply(halved), 3, "ends before its end");
      int doubled = client.call(SPANS);
      client.frame(Http2.DATA, Http2.END_STREAM, doubled, new byte[] {0, 0, 0, 0, 0, 1});
      assertRefused(client.reply(doubled), 3, "one message");
      int page = client.request("GET", "/api/state", Http2.END_STREAM);
      assertThat(client.reply(page).headers()).containsEntry(":status", "415");
      assertThat(client.answer(SPANS, 0, good).status()).isZero();
    }
    assertThat(otlp().get("refused")).hasToString("12");
    assertThat(otlp()).containsEntry("lastRefused", "gRPC: HTTP/2 with something else than gRPC");
  }

  private static void assertRefused(Http2.Reply reply, int status, String why) {
    assertThat(reply.status()).as(reply.headers().toString()).isEqualTo(status);
    assertThat(reply.headers().get("grpc-message")).contains(why);
    assertThat(reply.headers()).doesNotContainKey("grpc-status-details-bin");
  }

  @Test
  void calls_whereATokenIsNeeded_areTakenWithItOnly() throws Exception {
    server.close();
    start(PageAccessMode.TOKEN);
    byte[] spans = SpanBytes.write(List.of(span(1)));
    try (Http2 client = Http2.to(port)) {
      assertRefused(client.answer(SPANS, 0, spans), 16, "needs the token");
      assertThat(client.answer(SPANS, 0, spans, "authorization", "Bearer secret").status())
          .isZero();
      assertThat(client.answer(SPANS, 0, spans, "x-deimos-token", "secret").status()).isZero();
    }
  }

  /** More calls than may wait, of many clients: each is taken, or told when to come again. */
  @Test
  void calls_ofManyAtOnce_areTakenOrToldToComeAgainAndThePageAnswers() throws IOException {
    List<SpanData> some = new ArrayList<>();
    for (int i = 1; i <= 5_000; i++) {
      some.add(span(i));
    }
    byte[] spans = SpanBytes.write(some);
    List<Http2> clients = new ArrayList<>();
    List<Integer> calls = new ArrayList<>();
    try {
      for (int i = 0; i < 40; i++) {
        Http2 client = Http2.to(port);
        clients.add(client);
        int call = client.call(SPANS);
        calls.add(call);
        client.message(call, 0, spans);
      }
      assertThat(http.get("/api/state").status()).isEqualTo(200);
      int taken = 0;
      for (int i = 0; i < clients.size(); i++) {
        Http2.Reply reply = clients.get(i).reply(calls.get(i));
        assertThat(reply.status()).isIn(0, UNAVAILABLE);
        if (reply.status() == UNAVAILABLE) {
          assertThat(
                  new String(
                      Base64.getDecoder().decode(reply.headers().get("grpc-status-details-bin")),
                      StandardCharsets.ISO_8859_1))
              .contains("type.googleapis.com/google.rpc.RetryInfo\u0012\u0004\n\u0002\b\u0001");
        }
        taken += reply.status() == 0 ? 1 : 0;
      }
      assertThat(taken).isPositive();
      assertThat(array(get("/api/traces/" + TRACE).get("spans"))).hasSize(5_000);
    } finally {
      for (Http2 client : clients) {
        client.close();
      }
    }
  }

  @Test
  void preface_thatIsHalfSent_isWaitedForNoLongerThanARequest() throws IOException {
    try (Http2 half = Http2.silent(port);
        Http2 wrong = Http2.silent(port);
        Http2 mute = Http2.silent(port)) {
      half.raw("PRI * HTTP/2.0\r\n\r\nSM");
      wrong.raw("PRI * HTTP/2.0\r\n\r\nno preface");
      assertThat(new String(wrong.in().readAllBytes(), StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 400 ");
      mute.raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
      assertThat(half.in().read()).isNegative();
      assertThat(mute.untilTheEnd()).last().matches(frame -> frame.type() == Http2.GOAWAY);
    }
    assertThat(otlp().get("refused")).hasToString("1");
  }

  @Test
  void frames_thatAreGiantOrOutOfPlace_endTheConnection() throws IOException {
    try (Http2 giant = Http2.to(port);
        Http2 again = Http2.to(port);
        Http2 early = Http2.silent(port);
        Http2 endless = Http2.to(port)) {
      giant.send(Http2.bytes(Http2.DATA, 0, 1, 0x7fffff, new byte[100]));
      assertGoesAway(giant, FRAME_SIZE_ERROR);
      again.send(Http2.bytes(PRIORITY, 0, 1, 0xfffff7, new byte[0])); // less nine, with a sign
      assertGoesAway(again, ENHANCE_YOUR_CALM);
      early.raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
      early.frame(Http2.PING, 0, 0, new byte[8]);
      assertGoesAway(early, ENHANCE_YOUR_CALM);
      endless.frame(Http2.HEADERS, 0, 1, new byte[16_384]);
      for (int i = 0; i < 20; i++) {
        endless.frame(Http2.CONTINUATION, 0, 1, new byte[16_384]);
      }
      assertGoesAway(endless, ENHANCE_YOUR_CALM);
    } catch (SocketException e) {
      // The other side has closed while we still sent.
    }
    assertThat(http.get("/api/state").status()).isEqualTo(200);
    assertThat(otlp().get("refused")).hasToString("4");
  }

  private static void assertGoesAway(Http2 client, int error) throws IOException {
    assertThat(client.untilTheEnd())
        .filteredOn(frame -> frame.type() == Http2.GOAWAY)
        .extracting(Http2.Frame::error)
        .containsExactly(error);
  }

  @Test
  void streams_moreThanThereMayBe_areRefusedAndThenTheConnectionIs() throws IOException {
    try (Http2 client = Http2.to(port)) {
      for (int i = 0; i < 2_000; i++) {
        try {
          client.call(SPANS);
        } catch (SocketException e) {
          break; // closed by now
        }
      }
      List<Http2.Frame> all = client.untilTheEnd();
      assertThat(all)
          .filteredOn(frame -> frame.type() == Http2.RST_STREAM)
          .hasSizeLessThan(2_000 - GrpcBounds.DEFAULT.streams())
          .allMatch(frame -> frame.error() == REFUSED_STREAM);
    }
    assertThat(http.get("/api/state").status()).isEqualTo(200);
    assertThat((String) otlp().get("lastRefused")).contains("broken off");
  }

  @Test
  void calls_brokenOffAgainAndAgain_endTheConnection() throws IOException {
    try (Http2 client = Http2.to(port)) {
      for (int i = 0; i < 2_000; i++) {
        try {
          int call = client.call(SPANS);
          client.frame(Http2.RST_STREAM, 0, call, new byte[4]);
        } catch (SocketException e) {
          break;
        }
      }
      client.untilTheEnd();
    }
    assertThat((String) otlp().get("lastRefused")).contains("broken off");
  }

  @Test
  void pings_withoutEnd_endTheConnection() throws IOException {
    try (Http2 client = Http2.to(port)) {
      for (int i = 0; i < 20_000; i++) {
        try {
          client.frame(Http2.PING, 0, 0, new byte[8]);
        } catch (SocketException e) {
          break;
        }
      }
      client.untilTheEnd();
    }
    assertThat((String) otlp().get("lastRefused")).contains("nothing in them");
    assertThat(http.get("/api/state").status()).isEqualTo(200);
  }

  /** With so little time that the test has enough. */
  @Test
  void message_thatComesTooSlowly_isRefusedAndItsConnectionEnds() throws IOException {
    Duration little = Duration.ofMillis(300);
    Duration much = Duration.ofMinutes(5);
    try (HttpLoop loop = loop(new GrpcBounds(16, much, little, much));
        Http2 client = Http2.to(loop.port())) {
      int call = client.call(SPANS);
      client.frame(Http2.DATA, 0, call, new byte[] {0, 0, 0, 0, 9, 1});
      assertThat(client.reply(call).status()).isEqualTo(4);
      client.untilTheEnd();
    }
    try (HttpLoop loop = loop(new GrpcBounds(16, little, much, much));
        Http2 client = Http2.to(loop.port())) {
      client.send(new byte[] {0, 0, 8, 6, 0}); // half the head of a frame
      assertThat(client.untilTheEnd()).last().matches(frame -> frame.type() == Http2.GOAWAY);
    }
    try (HttpLoop loop = loop(new GrpcBounds(16, little, much, little));
        Http2 client = Http2.to(loop.port())) {
      assertThat(client.untilTheEnd())
          .as("a connection that is idle")
          .last()
          .matches(frame -> frame.type() == Http2.GOAWAY && frame.error() == 0);
    }
  }

  private HttpLoop loop(GrpcBounds bounds) throws IOException {
    HttpLoop loop =
        HttpLoop.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new HttpHandler() {
              @Override
              public Answer handle(Request request) {
                throw new AssertionError(request.path());
              }

              @Override
              public @Nullable GrpcService grpc(AnswerMemory memory, GrpcTurns turns) {
                OtlpCounts counts = new OtlpCounts();
                return new OtlpCalls(
                    new OtlpHandler(store, null, senders(), counts, memory),
                    counts,
                    any -> null,
                    memory,
                    turns);
              }
            },
            new HttpLoop.Bounds(64, Duration.ofMinutes(5), Duration.ofMinutes(5), bounds));
    loop.start();
    return loop;
  }

  private Senders senders() {
    return Objects.requireNonNull(server.nodes()).senders();
  }

  /** One at a time, since each waits for its turn at the only thread for that. */
  @Test
  void connections_moreThanThereMayBe_takeThePlaceOfTheIdlest() throws IOException {
    List<Http2> idle = new ArrayList<>();
    byte[] spans = SpanBytes.write(List.of(span(1)));
    try {
      for (int i = 0; i < 260; i++) {
        Http2 client = Http2.to(port);
        idle.add(client);
        assertThat(client.answer(SPANS, 0, spans).status()).isZero();
      }
      assertThat(idle.get(0).untilTheEnd()).last().matches(f -> f.type() == Http2.GOAWAY);
      assertThat(idle.get(259).answer(SPANS, 0, spans).status()).isZero();
      assertThat(http.get("/api/state").status()).isEqualTo(200);
    } finally {
      for (Http2 client : idle) {
        client.close();
      }
    }
  }

  private Map<String, Object> get(String path) throws IOException {
    return http.get(path).json();
  }

  private List<Map<String, Object>> nodes() throws IOException {
    return array(get("/api/v1/nodes").get("nodes")).stream().map(JsonReader::object).toList();
  }

  private Map<String, Object> otlp() throws IOException {
    return object(get("/api/v1/nodes").get("otlp"));
  }
}
