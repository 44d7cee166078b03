// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.export;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.deimos.benchmarks.json.Json;
import io.deimos.benchmarks.workload.Arguments;
import io.deimos.benchmarks.workload.Results;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;

/**
 * An OTLP/HTTP receiver on 127.0.0.1 that counts spans without keeping them; gzip is understood.
 * {@code GET /count} tells how many there were. It is a program of its own, so that its work is not
 * the sender's.
 */
public final class OtlpCounter {
  private static final int FIRST_BUFFER_BYTES = 1 << 20;
  private static final int THREADS = 4;

  private final ThreadLocal<byte[]> buffers =
      ThreadLocal.withInitial(() -> new byte[FIRST_BUFFER_BYTES]);
  private final AtomicLong spans = new AtomicLong();
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong receivedBytes = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong lastArrivalMicros = new AtomicLong();

  public static void main(String[] args) throws IOException {
    Arguments arguments = new Arguments(args);
    HttpServer server = new OtlpCounter().start(arguments.integer("port", 0));
    Results.print(Map.of("port", server.getAddress().getPort()));
    // The harness holds our standard input; its end is ours.
    System.in.transferTo(OutputStream.nullOutputStream());
    Results.exit();
  }

  /** Starts the server; port 0 is a free one. */
  HttpServer start(int port) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext("/v1/traces", this::receive);
    server.createContext("/count", this::report);
    // Metrics and logs that an agent may send as well are taken and dropped.
    server.createContext("/", OtlpCounter::drop);
    server.setExecutor(
        Executors.newFixedThreadPool(
            THREADS,
            runnable -> {
              Thread thread = new Thread(runnable, "otlp-counter");
              thread.setDaemon(true);
              return thread;
            }));
    server.start();
    return server;
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      int length = body(exchange);
      try {
        spans.addAndGet(SpanCounter.count(buffers.get(), length));
        requests.incrementAndGet();
        lastArrivalMicros.set(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
        exchange.sendResponseHeaders(200, -1);
      } catch (IllegalArgumentException notOtlp) {
        refused.incrementAndGet();
        exchange.sendResponseHeaders(400, -1);
      }
    }
  }

  private void report(HttpExchange exchange) throws IOException {
    try (exchange) {
      Map<String, Object> counts = new LinkedHashMap<>();
      counts.put("spans", spans.get());
      counts.put("requests", requests.get());
      counts.put("refused", refused.get());
      counts.put("bytes", receivedBytes.get());
      counts.put("last_arrival_us", lastArrivalMicros.get());
      counts.put("cpu_ns", cpuNanos());
      byte[] body = Json.write(counts).getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Reads the whole body into this thread's buffer, unpacked, and returns its length. */
  private int body(HttpExchange exchange) throws IOException {
    boolean gzip =
        "gzip".equalsIgnoreCase(exchange.getRequestHeaders().getFirst("Content-Encoding"));
    byte[] buffer = buffers.get();
    int length = 0;
    try (InputStream raw = exchange.getRequestBody();
        InputStream in = gzip ? new GZIPInputStream(raw, 1 << 16) : raw) {
      int read = in.read(buffer, 0, buffer.length);
      while (read >= 0) {
        length += read;
        if (length == buffer.length) {
          buffer = Arrays.copyOf(buffer, buffer.length * 2);
          buffers.set(buffer);
        }
        read = in.read(buffer, length, buffer.length - length);
      }
    }
    receivedBytes.addAndGet(length);
    return length;
  }

  private static void drop(HttpExchange exchange) throws IOException {
    try (exchange;
        InputStream in = exchange.getRequestBody()) {
      in.readAllBytes();
      exchange.sendResponseHeaders(200, -1);
    }
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
