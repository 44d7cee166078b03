// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.endurance;

import com.sun.net.httpserver.HttpServer;
import io.deimos.it.harness.OtlpDecoder;
import io.deimos.it.harness.ReceivedPoint;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A collector that takes everything and keeps nothing but the last metrics. */
final class Drain implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService executor = Executors.newFixedThreadPool(2);

  private byte[] metrics = {};

  private Drain(HttpServer server) {
    this.server = server;
  }

  static Drain open() throws IOException {
    Drain drain =
        new Drain(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    drain.server.setExecutor(drain.executor);
    drain.server.createContext(
        "/",
        exchange -> {
          byte[] buffer = new byte[64 * 1024];
          try (InputStream in = exchange.getRequestBody()) {
            while (in.read(buffer) >= 0) {}
          }
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    drain.server.createContext(
        "/v1/metrics",
        exchange -> {
          byte[] body;
          try (InputStream in = exchange.getRequestBody()) {
            body = in.readAllBytes();
          }
          drain.keep(body);
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    drain.server.start();
    return drain;
  }

  private synchronized void keep(byte[] body) {
    metrics = body;
  }

  /** The points that came last. */
  synchronized List<ReceivedPoint> points() throws IOException {
    return OtlpDecoder.points(ExportMetricsServiceRequest.parseFrom(metrics), 1);
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }
}
