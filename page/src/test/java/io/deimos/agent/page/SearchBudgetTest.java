// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static io.deimos.agent.json.JsonReader.array;
import static io.deimos.agent.json.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.budget.SearchTerm;
import io.deimos.agent.otlp.SpanBytes;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.testing.trace.TestSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever somebody searches for, others are answered, and it costs what may be searched. */
class SearchBudgetTest {
  private static final int CLIENTS = 4;
  private static final int SPANS = 6000;

  /** The hardest text to search: each of its ends looks like the beginning of the term. */
  private static final String TEXT = "a".repeat(2000);

  private final TraceStore store = new TraceStore(StoreLimits.DEFAULT);
  private final List<String> said = new ArrayList<>();
  private PageOfItsOwn server;
  private Http http;

  @BeforeEach
  void start() throws InterruptedException {
    server = new PageOfItsOwn(store, PageAccessMode.OPEN, said::add);
    http = new Http(server.port);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void query_longerThanAnybodyReads_isRefusedWhateverAsks() throws IOException {
    String longest = "a".repeat(SearchTerm.MAX_CHARS);
    for (String path :
        List.of("/api/v1/traces", "/api/v1/traces/groups", "/api/v1/traces/compare")) {
      assertThat(http.get(path + "?q=" + longest).status()).isEqualTo(200);
      Http.Reply reply = http.get(path + "?q=" + longest + "b");
      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.text()).contains("257 characters", "at most 256");
      assertThat(http.get(path + "?q=" + "text:a%20".repeat(9)).text()).contains("at most 8 terms");
      assertThat(http.get(path + "?q=" + "x".repeat(7000)).text()).contains("at most 2048");
    }
  }

  @Test
  void queries_ofManyAtOnceInMuchText_takeWhatSearchesMayAndOthersAreAnswered() throws Exception {
    plant();
    long before = nanos("searches");
    List<Future<Integer>> asked = new ArrayList<>();
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      for (int i = 0; i < CLIENTS; i++) {
        String query = "a".repeat(SearchTerm.MAX_CHARS - 2) + "b" + i;
        String path = i % 2 == 0 ? "/api/v1/traces" : "/api/v1/traces/compare";
        asked.add(clients.submit(() -> http.get(path + "?q=" + query).status()));
      }
      assertThat(http.get("/api/v1/about").status()).isEqualTo(200);
      for (Future<Integer> one : asked) {
        assertThat(one.get()).isIn(200, 503);
      }
    } finally {
      clients.shutdownNow();
    }
    // Each passes over the text a few times at most: far from characters times characters.
    assertThat(nanos("searches") - before).isLessThan(CLIENTS * 1_500_000_000L);
  }

  /** As many values as there is room for, in as many traces: the time is that of searches. */
  @Test
  void compare_ofManySpans_isWithinWhatASearchMayTake() throws IOException {
    plant();
    long before = nanos("searches");
    Map<String, Object> compared =
        http.get("/api/v1/traces/compare?q=began%3C2033-01-01T00:00:00Z").json();
    assertThat(nanos("searches") - before).isLessThan(1_500_000_000L);
    assertThat(Long.parseLong(String.valueOf(compared.get("selected")))).isPositive();
  }

  /** 12 MB of text in values of spans. */
  private void plant() throws IOException {
    List<SpanData> spans = new ArrayList<>();
    for (int i = 1; i <= SPANS; i++) {
      spans.add(span(i));
      if (spans.size() == 1000) {
        store.receive(spans);
        spans.clear();
      }
    }
    assertThat(store.counts().kept().spans()).isGreaterThan(1000);
  }

  private static SpanData span(int number) {
    return TestSpanData.builder()
        .setSpanContext(
            SpanContext.create(
                "%032x".formatted(1 + number / 100),
                "%016x".formatted(number),
                TraceFlags.getSampled(),
                TraceState.getDefault()))
        .setName("GET")
        .setKind(SpanKind.SERVER)
        .setStartEpochNanos(1_700_000_000_000_000_000L + number)
        .setEndEpochNanos(1_700_000_000_000_001_000L + number)
        .setHasEnded(true)
        .setStatus(StatusData.unset())
        .setAttributes(Attributes.of(AttributeKey.stringKey("url.query"), TEXT))
        .build();
  }

  /** The processor time of requests of a kind, as the page tells it. */
  private long nanos(String kind) throws IOException {
    Map<String, Object> requests = object(http.get("/api/v1/system").json().get("requests"));
    for (Object one : array(requests.get("cpu"))) {
      if (kind.equals(object(one).get("kind"))) {
        return Long.parseLong(String.valueOf(object(one).get("nanos")));
      }
    }
    throw new AssertionError(kind + " is not told of");
  }

  @Test
  void requests_ofEachKind_areToldWithWhatTheyTook() throws IOException {
    byte[] body = SpanBytes.write(List.of(span(1)));
    Http.Reply taken =
        http.raw(
            "POST /v1/traces HTTP/1.1\r\nHost: 127.0.0.1:"
                + server.port
                + "\r\nContent-Type: application/x-protobuf\r\nContent-Length: "
                + body.length
                + "\r\n\r\n"
                + new String(body, StandardCharsets.ISO_8859_1));
    assertThat(taken.status()).isEqualTo(200);
    http.get("/api/v1/traces?q=GET");
    assertThat(nanos("otlp")).isPositive();
    assertThat(nanos("searches")).isPositive();
    assertThat(nanos("requests")).isPositive();
    assertThat(nanos("links")).isZero();
    Map<String, Object> requests = object(http.get("/api/v1/system").json().get("requests"));
    Map<String, Object> bodies = object(array(requests.get("memory")).get(1));
    assertThat(bodies).containsEntry("kind", "bodies");
    assertThat(Long.parseLong(String.valueOf(bodies.get("maxBytes")))).isPositive();
    assertThat(Accountant.MEMORIES).containsExactly("answers", "bodies");
  }
}
