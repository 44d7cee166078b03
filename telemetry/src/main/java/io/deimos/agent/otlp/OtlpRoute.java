// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.deimos.agent.export.CountingExporter;
import io.deimos.recorder.base.AgentThread;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.sdk.common.export.GrpcSender;
import io.opentelemetry.sdk.common.export.GrpcSenderConfig;
import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.common.export.HttpSenderConfig;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * The direct way to the collector, where what the user configured is no more than that: one OTLP
 * exporter of protobuf, over HTTP or gRPC, behind one batch processor. The sender is made by the
 * exporter's own builder, so endpoint, headers, compression, time-outs, retries, proxy and
 * certificates are as configured, and its calls make no spans.
 *
 * <p><b>Retries</b> over HTTP are the sender's: of 429, 502, 503 and 504, with an exponential
 * back-off, jitter and {@code Retry-After}, within the exporter's time-out. By itself it gives up a
 * request whose connection breaks before the answer, which OTLP wants to be sent again; so it is
 * told to. Those over gRPC are {@link GrpcRetries}.
 *
 * @param protocol by which, in words
 * @param sender where requests go
 * @param health what the SDK counts of its exporters
 * @param delayNanos how long a span may wait for its batch to fill
 */
public record OtlpRoute(
    String protocol, OtlpSender sender, ExporterHealth health, long delayNanos) {
  private static final long IDLE_SECONDS = 10;
  private static final long DEFAULT_DELAY_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final String PROTOBUF = "application/x-protobuf";
  private static final Pattern DELAY = Pattern.compile("\\bscheduleDelayNanos=(\\d{1,18})\\b");

  /** Why there is no direct way. */
  public static final class NotPlainException extends Exception {
    private static final long serialVersionUID = 1;

    NotPlainException(String reason) {
      super(reason);
    }
  }

  /**
   * The route that these processors stand for.
   *
   * @throws NotPlainException if what is configured is more than the direct way can do
   */
  public static OtlpRoute of(List<SpanProcessor> processors, SpanLimits limits)
      throws NotPlainException {
    if (processors.size() != 1) {
      throw new NotPlainException(processors.size() + " span processors");
    }
    if (!SpanEncoder.leavesPlainSpans(limits)) {
      throw new NotPlainException("span limits that cut attributes or events");
    }
    try {
      return of(processors.get(0));
    } catch (RuntimeException | LinkageError e) {
      throw new NotPlainException("an OpenTelemetry SDK we do not know (" + e + ")");
    }
  }

  private static OtlpRoute of(SpanProcessor processor) throws NotPlainException {
    if (!(processor instanceof BatchSpanProcessor batch)) {
      throw new NotPlainException("span processor " + processor.getClass().getName());
    }
    SpanExporter exporter = batch.getSpanExporter();
    if (exporter instanceof CountingExporter counting) {
      exporter = counting.exporter();
    }
    if (exporter instanceof OtlpHttpSpanExporter http) {
      return over(http, batch);
    }
    if (exporter instanceof OtlpGrpcSpanExporter grpc) {
      return over(grpc, batch);
    }
    throw new NotPlainException("exporter " + exporter.getClass().getSimpleName());
  }

  private static OtlpRoute over(OtlpHttpSpanExporter otlp, BatchSpanProcessor batch)
      throws NotPlainException {
    HttpSenderConfig config =
        SenderLookup.config(
            HttpSenderConfig.class, loader -> otlp.toBuilder().setComponentLoader(loader).build());
    if (!config.getContentType().equals(PROTOBUF)) {
      throw new NotPlainException("OTLP as JSON");
    }
    RetryPolicy retries = config.getRetryPolicy();
    SenderLookup.Made<HttpSender> made =
        SenderLookup.make(
            HttpSender.class,
            loader ->
                otlp.toBuilder()
                    .setComponentLoader(loader)
                    .setExecutorService(executor())
                    // A copy would take up the default again.
                    .setRetryPolicy(retries == null ? null : withBrokenConnections(retries))
                    .build());
    BulkSockets.use(made.sender());
    return new OtlpRoute("HTTP", OtlpSender.over(made.sender()), made.health(), delayNanos(batch));
  }

  private static OtlpRoute over(OtlpGrpcSpanExporter otlp, BatchSpanProcessor batch) {
    GrpcSenderConfig config =
        SenderLookup.config(
            GrpcSenderConfig.class, loader -> otlp.toBuilder().setComponentLoader(loader).build());
    SenderLookup.Made<GrpcSender> made =
        SenderLookup.make(
            GrpcSender.class,
            loader ->
                otlp.toBuilder()
                    .setComponentLoader(loader)
                    .setExecutorService(executor())
                    .setRetryPolicy(null)
                    .build());
    BulkSockets.use(made.sender());
    RetryPolicy retries = config.getRetryPolicy();
    Predicate<IOException> configured =
        retries == null ? null : retries.getRetryExceptionPredicate();
    return new OtlpRoute(
        "gRPC",
        new GrpcRetries(
            made.sender(),
            retries,
            configured == null ? OtlpRoute::isTransient : configured,
            config.getTimeout().toNanos(),
            RetryInfo.of(made.sender())::take),
        made.health(),
        delayNanos(batch));
  }

  private static RetryPolicy withBrokenConnections(RetryPolicy policy) {
    return policy.getRetryExceptionPredicate() != null
        ? policy
        : policy.toBuilder().setRetryExceptionPredicate(OtlpRoute::isTransient).build();
  }

  /** A peer that is not who it should be, or speaks something else, will not be another soon. */
  private static boolean isTransient(IOException failure) {
    return !(failure instanceof SSLHandshakeException)
        && !(failure instanceof SSLPeerUnverifiedException)
        && !(failure instanceof ProtocolException);
  }

  /**
   * The SDK's own executor has a thread for each request and no queue, so it rejects one that is
   * sent as soon as another has been answered.
   */
  private static ExecutorService executor() {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            BatchPool.BATCHES,
            BatchPool.BATCHES,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            AgentThread.factory("deimos-otlp"));
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  /** How long a span waits at most; the processor tells that only in words. */
  private static long delayNanos(BatchSpanProcessor batch) {
    Matcher configured = DELAY.matcher(batch.toString());
    return configured.find()
        ? Math.min(Long.parseLong(configured.group(1)), DEFAULT_DELAY_NANOS)
        : DEFAULT_DELAY_NANOS;
  }
}
