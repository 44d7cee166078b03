// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * An OTLP/HTTP collector in the test's JVM: keeps every span, metric point and log record, or hands
 * spans on at once where there are too many to keep.
 */
public final class OtlpReceiver implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  private final Eventually arrivals = new Eventually();
  private final List<ReceivedSpan> spans = new ArrayList<>();
  private final List<ReceivedPoint> points = new ArrayList<>();
  private final List<ReceivedLog> logs = new ArrayList<>();
  private int metricBatches;
  private int requests;

  private final @Nullable Consumer<List<ReceivedSpan>> to;

  private final CountDownLatch ready;

  private OtlpReceiver(
      HttpServer server, @Nullable Consumer<List<ReceivedSpan>> to, CountDownLatch ready) {
    this.server = server;
    this.to = to;
    this.ready = ready;
  }

  public static OtlpReceiver start() {
    return open(null, new CountDownLatch(0));
  }

  /** Keeps no span. */
  public static OtlpReceiver start(Consumer<List<ReceivedSpan>> to) {
    return open(to, new CountDownLatch(0));
  }

  /** Takes no span, and answers nobody who sends some, until {@code ready} is open. */
  public static OtlpReceiver takingSpansFrom(CountDownLatch ready) {
    return open(null, ready);
  }

  private static OtlpReceiver open(
      @Nullable Consumer<List<ReceivedSpan>> to, CountDownLatch ready) {
    try {
      OtlpReceiver receiver =
          new OtlpReceiver(
              HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0),
              to,
              ready);
      receiver.server.setExecutor(receiver.executor);
      receiver.server.createContext("/v1/traces", receiver::traces);
      receiver.server.createContext("/v1/metrics", receiver::metrics);
      receiver.server.createContext("/v1/logs", receiver::logs);
      receiver.server.start();
      return receiver;
    } catch (IOException e) {
      throw new IllegalStateException("cannot start the OTLP receiver", e);
    }
  }

  public String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Waits until {@code condition} holds for what has arrived, which it returns. */
  public List<ReceivedSpan> awaitSpans(
      String what, Predicate<List<ReceivedSpan>> condition, Duration deadline) {
    arrivals.await(
        () -> condition.test(spans()),
        deadline,
        () -> what + "; arrived: " + SpanTree.summary(spans()));
    return spans();
  }

  public List<ReceivedPoint> awaitPoints(
      String what, Predicate<List<ReceivedPoint>> condition, Duration deadline) {
    arrivals.await(
        () -> condition.test(points()),
        deadline,
        () ->
            what + "; arrived: " + points().stream().map(ReceivedPoint::name).distinct().toList());
    return points();
  }

  /** All spans so far, in the order of arrival. */
  public List<ReceivedSpan> spans() {
    synchronized (arrivals) {
      return List.copyOf(spans);
    }
  }

  public int spanCount() {
    synchronized (arrivals) {
      return spans.size();
    }
  }

  /** Waits until {@code count} spans have arrived, without copying them at each arrival. */
  public void awaitSpanCount(int count, Duration deadline) {
    arrivals.await(
        () -> spans.size() >= count, deadline, () -> spans.size() + " of " + count + " spans");
  }

  public List<ReceivedPoint> points() {
    synchronized (arrivals) {
      return List.copyOf(points);
    }
  }

  public List<ReceivedLog> logs() {
    synchronized (arrivals) {
      return List.copyOf(logs);
    }
  }

  /** Waits until there is a log record of this kind for which {@code condition} holds. */
  public void awaitLog(String event, Predicate<ReceivedLog> condition) {
    arrivals.await(
        () -> logs().stream().anyMatch(l -> l.event().equals(event) && condition.test(l)),
        Eventually.DEADLINE,
        () -> "log record " + event + "; arrived: " + logs());
  }

  int metricBatches() {
    synchronized (arrivals) {
      return metricBatches;
    }
  }

  /** Waits for the first request, if there is one: not all applications have something to tell. */
  public void awaitFirst(Duration patience) {
    long until = System.nanoTime() + patience.toNanos();
    arrivals.await(
        () -> requests > 0 || System.nanoTime() > until,
        patience.multipliedBy(2),
        () -> "the first request");
  }

  /** How many requests came, of any kind. */
  public int requests() {
    synchronized (arrivals) {
      return requests;
    }
  }

  private void traces(HttpExchange exchange) throws IOException {
    List<ReceivedSpan> arrived =
        OtlpDecoder.spans(ExportTraceServiceRequest.parseFrom(body(exchange)));
    awaitReady();
    synchronized (arrivals) {
      if (to == null) {
        spans.addAll(arrived);
      } else {
        to.accept(arrived);
      }
      requests++;
      arrivals.changed();
    }
    answer(exchange);
  }

  private void awaitReady() throws IOException {
    try {
      ready.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("closed before it was ready", e);
    }
  }

  private void metrics(HttpExchange exchange) throws IOException {
    ExportMetricsServiceRequest request = ExportMetricsServiceRequest.parseFrom(body(exchange));
    synchronized (arrivals) {
      points.addAll(OtlpDecoder.points(request, ++metricBatches));
      requests++;
      arrivals.changed();
    }
    answer(exchange);
  }

  private void logs(HttpExchange exchange) throws IOException {
    List<ReceivedLog> arrived =
        OtlpDecoder.logs(ExportLogsServiceRequest.parseFrom(body(exchange)));
    synchronized (arrivals) {
      logs.addAll(arrived);
      requests++;
      arrivals.changed();
    }
    answer(exchange);
  }

  private static byte[] body(HttpExchange exchange) throws IOException {
    try (InputStream raw = exchange.getRequestBody()) {
      boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
      InputStream in = zipped ? new GZIPInputStream(raw) : raw;
      return in.readAllBytes();
    }
  }

  private static void answer(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }
}
