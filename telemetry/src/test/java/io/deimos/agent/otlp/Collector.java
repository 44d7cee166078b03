// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** An OTLP receiver on 127.0.0.1 that keeps what it takes and answers what it is told to. */
final class Collector implements AutoCloseable {
  final Queue<Span> spans = new ConcurrentLinkedQueue<>();
  final Collection<String> headers = new ConcurrentLinkedQueue<>();

  /** The statuses of the next answers; 200 when there are none left. */
  final Queue<Integer> statuses = new ConcurrentLinkedQueue<>();

  /** Each answer takes one. */
  final Semaphore answers = new Semaphore(1_000_000);

  volatile byte[] body = {};

  /** The wait that a refusing answer asks of the client, or nothing. */
  volatile String retryAfter = "";

  /** Where an answer sends the client, or nothing. */
  volatile String location = "";

  /** A status that ends the connection. */
  static final int RESET = -1;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;

  Collector() throws IOException {
    this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
  }

  private Collector(HttpServer server) {
    this.server = server;
    server.createContext("/v1/traces", this::receive);
    server.setExecutor(threads);
    server.start();
  }

  /** Over TLS, and only for clients with a certificate that {@code tls} trusts. */
  static Collector over(SSLContext tls) throws IOException {
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(tls) {
          @Override
          public void configure(HttpsParameters params) {
            SSLParameters wanted = getSSLContext().getDefaultSSLParameters();
            wanted.setNeedClientAuth(true);
            params.setSSLParameters(wanted);
          }
        });
    return new Collector(server);
  }

  String endpoint() {
    String scheme = server instanceof HttpsServer ? "https" : "http";
    return scheme + "://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
  }

  InetSocketAddress address() {
    return server.getAddress();
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      List<String> encoding = exchange.getRequestHeaders().get("Content-Encoding");
      headers.add(encoding + " " + exchange.getRequestHeaders().get("x-key"));
      InputStream in = exchange.getRequestBody();
      byte[] bytes = encoding == null ? in.readAllBytes() : new GZIPInputStream(in).readAllBytes();
      answers.acquireUninterruptibly();
      Integer set = statuses.poll();
      int status = set == null ? 200 : set;
      if (status == RESET) {
        return;
      }
      if (status == 200) {
        ExportTraceServiceRequest.parseFrom(bytes)
            .getResourceSpansList()
            .forEach(
                resource ->
                    resource
                        .getScopeSpansList()
                        .forEach(scope -> spans.addAll(scope.getSpansList())));
      }
      if (!location.isEmpty()) {
        exchange.getResponseHeaders().set("Location", location);
      }
      if (!retryAfter.isEmpty() && status != 200) {
        exchange.getResponseHeaders().set("Retry-After", retryAfter);
      }
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      if (body.length > 0) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  @Override
  public void close() {
    answers.release(1_000_000);
    server.stop(0);
    threads.shutdownNow();
  }
}
