// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * Orders whose requests and responses are streams: 150 at once, by each way in which a server can
 * come to its response. Each part of a body says in which trace it is.
 */
final class Bodies {
  private static final int ORDERS = 150;
  private static final int PARTS = 4;
  private static final String TRACE = "x-trace";

  private Bodies() {}

  static void addTo(Scenes all) {
    all.add("http-bodies", stage -> run(stage, false));
    all.add("http-bodies-2", stage -> run(stage, true));
  }

  private static void run(Stage stage, boolean http2) throws Exception {
    stage.with(
        """
        pekko.http.server.preview.enable-http2 = %1$s
        pekko.http.server.enable-http2 = %1$s
        pekko.http.host-connection-pool.max-open-requests = 256
        """
            .formatted(http2 ? "on" : "off"));
    ActorRef shop = stage.actor(Props.create(Shop.class, Shop::new), "shop");
    Map<String, Handler> handlers = new LinkedHashMap<>();
    handlers.put("sync", request -> CompletableFuture.completedFuture(response(request)));
    handlers.put(
        "async",
        request -> CompletableFuture.supplyAsync(() -> 1).thenApplyAsync(one -> response(request)));
    handlers.put(
        "ask",
        request ->
            Patterns.ask(shop, "order", Stage.PATIENCE).thenApply(answer -> response(request)));
    for (Map.Entry<String, Handler> handler : handlers.entrySet()) {
      int port =
          Http.get(stage.system())
              .newServerAt("127.0.0.1", 0)
              .bind(handler.getValue()::respond)
              .toCompletableFuture()
              .get(90, TimeUnit.SECONDS)
              .localAddress()
              .getPort();
      orders(stage, handler.getKey(), port);
      if (http2) {
        overHttp2(handler.getKey(), port);
      }
    }
  }

  /**
   * The body of the request comes back, or a few parts, with the trace of each in its place. Where
   * HTTP's own instrumentation is not there, the handler begins a trace.
   */
  private static HttpResponse response(HttpRequest request) {
    Span handler =
        trace().equals("none")
            ? GlobalOpenTelemetry.getTracer("orders").spanBuilder("handler").startSpan()
            : Span.current();
    try (Scope ignored = handler.makeCurrent()) {
      Source<ByteString, ?> parts =
          request.getUri().path().equals("/parts")
              ? Source.range(1, PARTS).map(part -> ByteString.emptyByteString())
              : request.entity().getDataBytes();
      return HttpResponse.create()
          .addHeader(RawHeader.create(TRACE, trace()))
          .withEntity(
              HttpEntities.createChunked(
                  ContentTypes.APPLICATION_OCTET_STREAM,
                  parts.map(part -> ByteString.fromString(trace() + " "))));
    }
  }

  private static void orders(Stage stage, String how, int port) throws Exception {
    Count client = new Count();
    Count server = new Count();
    List<CompletionStage<?>> orders = new ArrayList<>();
    for (int i = 0; i < ORDERS; i++) {
      orders.add(
          order(
              own -> {
                Source<ByteString, ?> parts =
                    Source.range(1, PARTS)
                        .throttle(1, Duration.ofMillis(5))
                        .map(
                            part -> {
                              client.add(own, trace());
                              return ByteString.fromString("part " + part);
                            });
                return Http.get(stage.system())
                    .singleRequest(
                        HttpRequest.POST("http://127.0.0.1:" + port + "/order")
                            .withEntity(
                                HttpEntities.createChunked(
                                    ContentTypes.APPLICATION_OCTET_STREAM, parts)))
                    .thenCompose(
                        response ->
                            response
                                .entity()
                                .getDataBytes()
                                .map(
                                    part -> {
                                      client.add(own, trace());
                                      return part.utf8String();
                                    })
                                .runWith(Sink.seq(), stage.system())
                                .thenAccept(
                                    texts ->
                                        server.addAll(
                                            response.getHeader(TRACE).orElseThrow().value(),
                                            String.join("", texts))));
              }));
    }
    for (CompletionStage<?> order : orders) {
      order.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
    System.out.println("@bodies " + how + " client " + client);
    System.out.println("@bodies " + how + " server " + server);
  }

  private static void overHttp2(String how, int port) throws Exception {
    Count server = new Count();
    var client =
        java.net.http.HttpClient.newBuilder()
            .version(java.net.http.HttpClient.Version.HTTP_2)
            .build();
    var request =
        java.net.http.HttpRequest.newBuilder(
                java.net.URI.create("http://127.0.0.1:" + port + "/parts"))
            .build();
    client.send(request, java.net.http.HttpResponse.BodyHandlers.discarding()); // the upgrade
    List<CompletionStage<?>> orders = new ArrayList<>();
    for (int i = 0; i < ORDERS; i++) {
      orders.add(
          order(
              own ->
                  client
                      .sendAsync(request, java.net.http.HttpResponse.BodyHandlers.ofString())
                      .thenAccept(
                          response -> {
                            if (response.version() != java.net.http.HttpClient.Version.HTTP_2) {
                              throw new IllegalStateException("over " + response.version());
                            }
                            server.addAll(
                                response.headers().firstValue(TRACE).orElseThrow(),
                                response.body());
                          })));
    }
    for (CompletionStage<?> order : orders) {
      order.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
    System.out.println("@bodies " + how + " HTTP/2 " + server);
  }

  private static CompletionStage<?> order(Order order) {
    Span span =
        GlobalOpenTelemetry.getTracer("orders").spanBuilder("order").setNoParent().startSpan();
    try (Scope ignored = span.makeCurrent()) {
      return order.place(trace());
    } finally {
      span.end();
    }
  }

  private static String trace() {
    return Span.current().getSpanContext().isValid()
        ? Span.current().getSpanContext().getTraceId()
        : "none";
  }

  /** A server's handler. */
  private interface Handler {
    CompletionStage<HttpResponse> respond(HttpRequest request);
  }

  /** Sends a request inside of a span. */
  private interface Order {
    CompletionStage<?> place(String trace);
  }

  /** How many parts there were, and how many of them were in the trace of their request. */
  private static final class Count {
    private int right;
    private int wrong;
    private String example = "";

    synchronized void add(String own, String found) {
      if (own.equals(found) && !own.equals("none")) {
        right++;
      } else {
        wrong++;
        example = ", such as " + found + " in " + own;
      }
    }

    void addAll(String own, String found) {
      for (String one : found.trim().split(" +", -1)) {
        add(own, one);
      }
    }

    @Override
    public synchronized String toString() {
      return right + " right, " + wrong + " wrong" + example;
    }
  }

  /** Answers. */
  static final class Shop extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(m -> getSender().tell(m, getSelf())).build();
    }
  }
}
