// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTracePartialSuccess;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An OTLP receiver on 127.0.0.1 that fails in every way that OTLP knows, at random, and keeps
 * account of what it answered to each request. Span ids are taken to be numbers from 1 on.
 */
final class FickleCollector implements AutoCloseable {
  /** What a request may get for an answer. */
  enum Answer {
    TAKEN,
    TAKEN_LATE,
    /** Taken but for one span. */
    TAKEN_IN_PART,
    /** Taken, but the connection breaks before the answer. */
    TAKEN_UNANSWERED,
    BUSY,
    /** Busy, and the client is told to come back in a second. */
    BUSY_FOR_A_SECOND,
    BROKEN,
    REFUSED
  }

  /** One of the requests that have had no good answer so far. */
  private static final class Open {
    int attempts;
    int spans;
    boolean isRefused;
  }

  private static final int[] BUSY = {429, 502, 503, 504};

  private final Random random;
  private final Map<Answer, Integer> answers = new EnumMap<>(Answer.class);
  private final Map<Long, Open> open = new HashMap<>();
  private final BitSet arrived = new BitSet();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  private long requests;
  private long answeredSpans;
  private long rejectedSpans;
  private long repeatedSpans;
  private long downUntil = System.nanoTime();

  FickleCollector(long seed) throws IOException {
    this.random = new Random(seed);
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/traces", this::receive);
    server.setExecutor(threads);
    server.start();
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
  }

  /** Until then nothing is taken. */
  synchronized void goDown(long nanos) {
    downUntil = System.nanoTime() + nanos;
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      List<Span> spans = new ArrayList<>();
      ExportTraceServiceRequest.parseFrom(exchange.getRequestBody())
          .getResourceSpansList()
          .forEach(
              resource ->
                  resource
                      .getScopeSpansList()
                      .forEach(scope -> spans.addAll(scope.getSpansList())));
      Answer answer = decide(spans);
      switch (answer) {
        case TAKEN -> exchange.sendResponseHeaders(200, -1);
        case TAKEN_LATE -> {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
          exchange.sendResponseHeaders(200, -1);
        }
        case TAKEN_IN_PART -> {
          byte[] body =
              ExportTraceServiceResponse.newBuilder()
                  .setPartialSuccess(
                      ExportTracePartialSuccess.newBuilder()
                          .setRejectedSpans(1)
                          .setErrorMessage("too old"))
                  .build()
                  .toByteArray();
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
        }
        case BUSY -> exchange.sendResponseHeaders(BUSY[spans.size() % BUSY.length], -1);
        case BUSY_FOR_A_SECOND -> {
          exchange.getResponseHeaders().set("Retry-After", "1");
          exchange.sendResponseHeaders(503, -1);
        }
        case REFUSED -> exchange.sendResponseHeaders(400, -1);
        case TAKEN_UNANSWERED, BROKEN -> {} // ends the connection
      }
    }
  }

  private synchronized Answer decide(List<Span> spans) {
    long key = id(spans.get(0));
    Open request = open.computeIfAbsent(key, first -> new Open());
    if (request.attempts++ == 0) {
      request.spans = spans.size();
      requests++;
    }
    Answer answer = System.nanoTime() < downUntil ? Answer.BUSY : next();
    answers.merge(answer, 1, Integer::sum);
    switch (answer) {
      case TAKEN, TAKEN_LATE -> take(key, spans, spans.size());
      case TAKEN_IN_PART -> {
        take(key, spans, spans.size() - 1);
        rejectedSpans++;
      }
      case TAKEN_UNANSWERED -> spans.forEach(this::note);
      case REFUSED -> request.isRefused = true;
      case BUSY, BUSY_FOR_A_SECOND, BROKEN -> {}
    }
    return answer;
  }

  private Answer next() {
    int thousandth = random.nextInt(1000);
    if (thousandth < 350) {
      return Answer.TAKEN;
    } else if (thousandth < 450) {
      return Answer.TAKEN_LATE;
    } else if (thousandth < 470) {
      return Answer.TAKEN_IN_PART;
    } else if (thousandth < 490) {
      return Answer.TAKEN_UNANSWERED;
    } else if (thousandth < 740) {
      return Answer.BUSY;
    } else if (thousandth < 742) {
      return Answer.BUSY_FOR_A_SECOND;
    } else if (thousandth < 998) {
      return Answer.BROKEN;
    }
    return Answer.REFUSED;
  }

  /** A good answer: the client counts as many as exported. */
  private void take(long key, List<Span> spans, int good) {
    spans.subList(0, good).forEach(this::note);
    answeredSpans += good;
    open.remove(key);
  }

  private void note(Span span) {
    int id = Math.toIntExact(id(span));
    if (arrived.get(id)) {
      repeatedSpans++;
    }
    arrived.set(id);
  }

  private static long id(Span span) {
    return span.getSpanId().asReadOnlyByteBuffer().getLong();
  }

  synchronized long requests() {
    return requests;
  }

  /** How often each answer was given. */
  synchronized Map<Answer, Integer> answers() {
    return new EnumMap<>(answers);
  }

  /** Spans of which the client was told that they were taken. */
  synchronized long answeredSpans() {
    return answeredSpans;
  }

  /** Spans of which the client was told that they were not taken, within requests that were. */
  synchronized long rejectedSpans() {
    return rejectedSpans;
  }

  /** Spans that came again, since the answer had been lost. */
  synchronized long repeatedSpans() {
    return repeatedSpans;
  }

  /** How many different spans arrived. */
  synchronized int arrived() {
    return arrived.cardinality();
  }

  /** Requests that never had a good answer. */
  synchronized int givenUp() {
    return open.size();
  }

  /** Spans of such requests. */
  synchronized long givenUpSpans() {
    return open.values().stream().mapToLong(request -> request.spans).sum();
  }

  /** Requests without a good answer that may be tried again, and were not. */
  synchronized List<Long> givenUpEarly(int attempts) {
    return open.entrySet().stream()
        .filter(e -> !e.getValue().isRefused && e.getValue().attempts < attempts)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Requests without a good answer that were tried too often. */
  synchronized List<Long> sentTooOften(int attempts) {
    return open.entrySet().stream()
        .filter(e -> e.getValue().attempts > attempts)
        .map(Map.Entry::getKey)
        .toList();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
