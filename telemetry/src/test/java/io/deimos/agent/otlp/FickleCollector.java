// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.opentelemetry.proto.collector.trace.v1.ExportTracePartialSuccess;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An OTLP receiver on 127.0.0.1 that fails in every way that OTLP knows, at random, and keeps
 * account of what it answered to each request. Span ids are taken to be numbers from 1 on.
 */
final class FickleCollector implements AutoCloseable {
  /** The possible answers to a request. */
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

  private static final String[] BUSY = {
    "429 Too Many Requests", "502 Bad Gateway", "503 Service Unavailable", "504 Gateway Timeout"
  };
  private static final String LENGTH = "content-length:";
  private static final byte[] NOTHING = {};
  private static final byte[] REJECTED_ONE =
      ExportTraceServiceResponse.newBuilder()
          .setPartialSuccess(
              ExportTracePartialSuccess.newBuilder().setRejectedSpans(1).setErrorMessage("too old"))
          .build()
          .toByteArray();

  private final Random random;
  private final Map<Answer, Integer> answers = new EnumMap<>(Answer.class);
  private final Map<Long, Open> open = new HashMap<>();
  private final BitSet arrived = new BitSet();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Set<Socket> clients = ConcurrentHashMap.newKeySet();

  /** Not the JDK's own server, which keeps each connection that was broken on purpose. */
  private final ServerSocket server;

  private long requests;
  private long answeredSpans;
  private long rejectedSpans;
  private long repeatedSpans;
  private long sentAfterRefusal;
  private int mostSent;
  private long downUntil = System.nanoTime();

  FickleCollector(long seed) throws IOException {
    this.random = new Random(seed);
    this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getLocalPort() + "/v1/traces";
  }

  /** Until then nothing is taken. */
  synchronized void goDown(long nanos) {
    downUntil = System.nanoTime() + nanos;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        clients.add(client);
        threads.execute(() -> serve(client));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        InputStream in = new BufferedInputStream(client.getInputStream());
        OutputStream out = client.getOutputStream()) {
      for (int bytes = headers(in); bytes >= 0; bytes = headers(in)) {
        byte[] answer = answer(in.readNBytes(bytes));
        if (answer.length == 0) {
          return;
        }
        out.write(answer);
      }
    } catch (IOException e) {
      // the client has gone
    } finally {
      clients.remove(client);
    }
  }

  /** Reads up to the body, and returns how long that is; -1 at the end. */
  private static int headers(InputStream in) throws IOException {
    int length = 0;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      String lower = line.toLowerCase(Locale.ROOT);
      if (lower.startsWith(LENGTH)) {
        length = Integer.parseInt(line.substring(LENGTH.length()).strip());
      }
    }
    return length == 0 ? -1 : length;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  /** Nothing if the connection shall break. */
  private byte[] answer(byte[] request) throws IOException {
    List<Span> spans = new ArrayList<>();
    ExportTraceServiceRequest.parseFrom(request)
        .getResourceSpansList()
        .forEach(
            resource ->
                resource.getScopeSpansList().forEach(scope -> spans.addAll(scope.getSpansList())));
    Answer answer = decide(spans);
    if (answer == Answer.TAKEN_LATE) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
    return switch (answer) {
      case TAKEN, TAKEN_LATE -> response("200 OK", "", NOTHING);
      case TAKEN_IN_PART -> response("200 OK", "", REJECTED_ONE);
      case BUSY -> response(BUSY[spans.size() % BUSY.length], "", NOTHING);
      case BUSY_FOR_A_SECOND -> response("503 Service Unavailable", "Retry-After: 1\r\n", NOTHING);
      case REFUSED -> response("400 Bad Request", "", NOTHING);
      case TAKEN_UNANSWERED, BROKEN -> NOTHING;
    };
  }

  private static byte[] response(String status, String header, byte[] body) {
    byte[] head =
        "HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n"
            .formatted(status, header, body.length)
            .getBytes(StandardCharsets.US_ASCII);
    byte[] whole = Arrays.copyOf(head, head.length + body.length);
    System.arraycopy(body, 0, whole, head.length, body.length);
    return whole;
  }

  private synchronized Answer decide(List<Span> spans) {
    long key = id(spans.get(0));
    Open request = open.computeIfAbsent(key, first -> new Open());
    if (request.attempts++ == 0) {
      request.spans = spans.size();
      requests++;
    }
    mostSent = Math.max(mostSent, request.attempts);
    if (request.isRefused) {
      sentAfterRefusal++;
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

  /** How often requests were sent although they had been refused for good. */
  synchronized long sentAfterRefusal() {
    return sentAfterRefusal;
  }

  /** How often one request was sent at most. */
  synchronized int mostSent() {
    return mostSent;
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket client : clients) {
      client.close();
    }
    threads.shutdownNow();
  }
}
