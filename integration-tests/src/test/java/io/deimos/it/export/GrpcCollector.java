// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.export;

import com.typesafe.config.ConfigFactory;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.OtlpDecoder;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.TestKeys;
import io.opentelemetry.proto.collector.trace.v1.ExportTracePartialSuccess;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.http.javadsl.ConnectionContext;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.http.javadsl.model.AttributeKeys;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.http.javadsl.model.Trailer;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;

/**
 * A collector as strict as they come, on 127.0.0.1: OTLP by gRPC and by HTTP with protobuf, over
 * TLS, and only for clients with the right certificate. Spans alone. Its answers are in the order
 * of {@link Answer}, then it takes everything.
 */
final class GrpcCollector implements AutoCloseable {
  /** The fate of a request. */
  enum Answer {
    /** Sent again later: 503, or UNAVAILABLE. */
    BUSY,
    /** Sent again in {@link #PAUSE}: 429, or RESOURCE_EXHAUSTED. */
    EXHAUSTED,
    /** All but two spans. */
    IN_PART,
    TAKEN
  }

  static final int REJECTED = 2;

  /** Longer than a client waits that was not told how long. */
  static final Duration PAUSE = Duration.ofSeconds(3);

  private static final String GRPC_PATH =
      "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
  private static final int GRPC_PREFIX = 5;
  private static final String GRPC_UNAVAILABLE = "14";
  private static final String GRPC_EXHAUSTED = "8";

  /** A google.rpc.Status with a google.rpc.RetryInfo of three seconds. */
  private static final byte[] IN_THREE_SECONDS = inThreeSeconds();

  private final ActorSystem system =
      ActorSystem.create(
          "collector",
          ConfigFactory.parseString(
                  "pekko.http.server.enable-http2 = on, pekko.actor.provider = local,"
                      + " pekko.loglevel = off, pekko.stdout-loglevel = off")
              .withFallback(ConfigFactory.load()));
  private final Eventually arrivals = new Eventually();
  private final List<ReceivedSpan> spans = new ArrayList<>();
  private final List<String> requests = new ArrayList<>();
  private final List<Answer> answers = new ArrayList<>();
  private final Map<String, Long> exhausted = new HashMap<>();
  private final List<Duration> pauses = new ArrayList<>();
  private final ServerBinding binding;

  /**
   * Opens it.
   *
   * @param own its own certificate
   * @param client the only one that it lets in
   */
  GrpcCollector(TestKeys own, TestKeys client, Answer... first) throws Exception {
    answers.addAll(List.of(first));
    SSLContext tls = context(own, client);
    binding =
        Http.get(system)
            .newServerAt("127.0.0.1", 0)
            .enableHttps(
                ConnectionContext.httpsServer(
                    () -> {
                      SSLEngine engine = tls.createSSLEngine();
                      engine.setUseClientMode(false);
                      engine.setNeedClientAuth(true);
                      return engine;
                    }))
            .bind((HttpRequest request) -> answer(request))
            .toCompletableFuture()
            .get(Eventually.DEADLINE.toSeconds(), TimeUnit.SECONDS);
  }

  private static SSLContext context(TestKeys own, TestKeys client) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own.store(), TestKeys.PASSWORD);
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("client", client.certificate());
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  String endpoint() {
    return "https://127.0.0.1:" + binding.localAddress().getPort();
  }

  /** Waits for so many spans of actors, those that came twice counted twice. */
  List<ReceivedSpan> awaitSpans(int count) {
    arrivals.await(
        () -> spans().size() >= count,
        Eventually.DEADLINE,
        () -> spans().size() + " of " + count + " spans; requests " + requests());
    return spans();
  }

  List<ReceivedSpan> spans() {
    synchronized (arrivals) {
      return List.copyOf(spans);
    }
  }

  /** For each request: */
  List<String> requests() {
    synchronized (arrivals) {
      return List.copyOf(requests);
    }
  }

  /** After which times requests came again that were told {@link Answer#EXHAUSTED}. */
  List<Duration> pauses() {
    synchronized (arrivals) {
      return List.copyOf(pauses);
    }
  }

  private CompletionStage<HttpResponse> answer(HttpRequest request) {
    return request
        .entity()
        .toStrict(Duration.ofSeconds(90).toMillis(), system)
        .thenApply(entity -> answer(request, entity.getData().toArray()));
  }

  private HttpResponse answer(HttpRequest request, byte[] body) {
    String path = request.getUri().path();
    boolean isGrpc = path.equals(GRPC_PATH);
    String encoding = header(request, isGrpc ? "grpc-encoding" : "content-encoding");
    byte[] message = isGrpc ? unframed(body) : unzipped(body, encoding.equals("gzip"));
    List<ReceivedSpan> arrived;
    try {
      arrived = OtlpDecoder.spans(ExportTraceServiceRequest.parseFrom(message));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Answer answer;
    synchronized (arrivals) {
      requests.add(
          request.protocol().value()
              + " "
              + path
              + " "
              + encoding
              + " "
              + header(request, "x-key"));
      answer = answers.isEmpty() ? Answer.TAKEN : answers.remove(0);
      String first = arrived.get(0).spanId();
      Long before = exhausted.remove(first);
      if (before != null) {
        pauses.add(Duration.ofNanos(System.nanoTime() - before));
      }
      if (answer == Answer.EXHAUSTED) {
        exhausted.put(first, System.nanoTime());
      } else if (answer != Answer.BUSY) {
        spans.addAll(arrived);
      }
      arrivals.changed();
    }
    byte[] response = response(answer);
    return isGrpc ? grpc(answer, response) : http(answer, response);
  }

  private static byte[] response(Answer answer) {
    return answer == Answer.IN_PART
        ? ExportTraceServiceResponse.newBuilder()
            .setPartialSuccess(
                ExportTracePartialSuccess.newBuilder()
                    .setRejectedSpans(REJECTED)
                    .setErrorMessage("too old"))
            .build()
            .toByteArray()
        : new byte[0];
  }

  /** Written by hand, since nothing here has these messages: field, length, content. */
  private static byte[] inThreeSeconds() {
    byte[] type = "type.googleapis.com/google.rpc.RetryInfo".getBytes(StandardCharsets.US_ASCII);
    byte[] info = {0x0a, 2, 0x08, (byte) PAUSE.toSeconds()};
    ByteArrayOutputStream any = new ByteArrayOutputStream();
    any.write(0x0a);
    any.write(type.length);
    any.writeBytes(type);
    any.write(0x12);
    any.write(info.length);
    any.writeBytes(info);
    ByteArrayOutputStream status = new ByteArrayOutputStream();
    status.write(0x08);
    status.write(Integer.parseInt(GRPC_EXHAUSTED));
    status.write(0x1a);
    status.write(any.size());
    status.writeBytes(any.toByteArray());
    return status.toByteArray();
  }

  private static HttpResponse http(Answer answer, byte[] response) {
    if (answer == Answer.EXHAUSTED) {
      return HttpResponse.create()
          .withStatus(429)
          .addHeader(RawHeader.create("Retry-After", String.valueOf(PAUSE.toSeconds())));
    }
    return answer == Answer.BUSY
        ? HttpResponse.create().withStatus(503).addHeader(RawHeader.create("Retry-After", "1"))
        : HttpResponse.create()
            .withEntity(
                HttpEntities.create(
                    ContentTypes.create(
                        MediaTypes.customBinary("application", "x-protobuf", false)),
                    response));
  }

  private static HttpResponse grpc(Answer answer, byte[] response) {
    ContentType type = ContentTypes.create(MediaTypes.customBinary("application", "grpc", false));
    if (answer == Answer.BUSY) { // with nothing in it, its trailers are its headers
      return HttpResponse.create()
          .withEntity(HttpEntities.create(type, new byte[0]))
          .addHeader(RawHeader.create("grpc-status", GRPC_UNAVAILABLE));
    }
    if (answer == Answer.EXHAUSTED) { // which some servers say behind an answer that they began
      return HttpResponse.create()
          .withEntity(HttpEntities.create(type, new byte[GRPC_PREFIX]))
          .addAttribute(
              AttributeKeys.trailer,
              Trailer.create()
                  .addHeader(RawHeader.create("grpc-status", GRPC_EXHAUSTED))
                  .addHeader(
                      RawHeader.create(
                          "grpc-status-details-bin",
                          Base64.getEncoder().withoutPadding().encodeToString(IN_THREE_SECONDS))));
    }
    byte[] framed = new byte[GRPC_PREFIX + response.length];
    framed[GRPC_PREFIX - 1] = (byte) response.length;
    System.arraycopy(response, 0, framed, GRPC_PREFIX, response.length);
    return HttpResponse.create()
        .withEntity(HttpEntities.create(type, framed))
        .addAttribute(
            AttributeKeys.trailer,
            Trailer.create().addHeader(RawHeader.create("grpc-status", "0")));
  }

  private static String header(HttpRequest request, String name) {
    Optional<HttpHeader> found = request.getHeader(name);
    return found.map(HttpHeader::value).orElse("none");
  }

  private static byte[] unframed(byte[] body) {
    byte[] message = new byte[body.length - GRPC_PREFIX];
    System.arraycopy(body, GRPC_PREFIX, message, 0, message.length);
    return unzipped(message, body[0] == 1);
  }

  private static byte[] unzipped(byte[] bytes, boolean isZipped) {
    if (!isZipped) {
      return bytes;
    }
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    system.terminate();
  }
}
