// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.export;

import io.deimos.benchmarks.json.Json;
import io.deimos.benchmarks.workload.Arguments;
import io.deimos.benchmarks.workload.Results;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An OTLP/HTTP receiver on 127.0.0.1 that counts spans without keeping them; gzip is understood.
 * {@code GET /count} tells how many there were. It is a program of its own, so that its work is not
 * the sender's.
 */
public final class OtlpCounter implements Closeable {
  private static final int BACKLOG = 50;
  private static final byte[] EMPTY = {};

  private final ServerSocket server;
  private final AtomicLong spans = new AtomicLong();
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong receivedBytes = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong lastArrivalMicros = new AtomicLong();

  /** Starts it; port 0 is a free one. */
  OtlpCounter(int port) throws IOException {
    server = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
    start(this::accept, "otlp-counter");
  }

  public static void main(String[] args) throws IOException {
    Arguments arguments = new Arguments(args);
    try (OtlpCounter counter = new OtlpCounter(arguments.integer("port", 0))) {
      Results.print(Map.of("port", counter.port()));
      // The harness holds our standard input; its end is ours.
      System.in.transferTo(OutputStream.nullOutputStream());
    }
    Results.exit();
  }

  int port() {
    return server.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  private static void start(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        socket.setTcpNoDelay(true);
        start(() -> serve(socket), "otlp-counter connection");
      } catch (IOException e) {
        if (!server.isClosed()) {
          System.err.println("otlp-counter: no connection accepted: " + e);
        }
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      HttpConnection connection = new HttpConnection(socket);
      for (HttpConnection.Request r = connection.next(); r != null; r = connection.next()) {
        answer(r, connection);
      }
    } catch (IOException e) {
      System.err.println("otlp-counter: a connection broke: " + e);
    }
  }

  private void answer(HttpConnection.Request request, HttpConnection to) throws IOException {
    switch (request.target()) {
      case "/v1/traces" -> receive(request, to);
      case "/count" ->
          to.answer(200, "application/json", Json.write(counts()).getBytes(StandardCharsets.UTF_8));
      // Metrics and logs that an agent may send as well are taken and dropped.
      default -> to.answer(200, "application/x-protobuf", EMPTY);
    }
  }

  private void receive(HttpConnection.Request request, HttpConnection to) throws IOException {
    receivedBytes.addAndGet(request.length());
    int status = 200;
    try {
      spans.addAndGet(SpanCounter.count(request.body(), request.from(), request.length()));
      requests.incrementAndGet();
      lastArrivalMicros.set(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
    } catch (IllegalArgumentException notOtlp) {
      refused.incrementAndGet();
      status = 400;
    }
    to.answer(status, "application/x-protobuf", EMPTY);
  }

  private Map<String, Object> counts() {
    Map<String, Object> counts = new LinkedHashMap<>();
    counts.put("spans", spans.get());
    counts.put("requests", requests.get());
    counts.put("refused", refused.get());
    counts.put("bytes", receivedBytes.get());
    counts.put("last_arrival_us", lastArrivalMicros.get());
    counts.put("cpu_ns", cpuNanos());
    return counts;
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
