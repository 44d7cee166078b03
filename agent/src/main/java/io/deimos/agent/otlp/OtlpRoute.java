// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.deimos.agent.export.CountingExporter;
import io.deimos.recorder.base.AgentThread;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The direct way to the collector, where what the user configured is no more than that: one OTLP
 * exporter of protobuf over HTTP behind one batch processor. The sender is made by the exporter's
 * own builder, so endpoint, headers, compression, time-outs, retries, proxy and certificates are as
 * configured, and its calls make no spans.
 *
 * @param sender where requests go
 * @param delayNanos how long a span may wait for its batch to fill
 */
public record OtlpRoute(HttpSender sender, long delayNanos) {
  private static final long IDLE_SECONDS = 10;
  private static final long DEFAULT_DELAY_NANOS = TimeUnit.SECONDS.toNanos(5);

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
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      throw new NotPlainException("an OpenTelemetry SDK we do not know (" + e + ")");
    }
  }

  private static OtlpRoute of(SpanProcessor processor)
      throws NotPlainException, ReflectiveOperationException {
    if (!(processor instanceof BatchSpanProcessor batch)) {
      throw new NotPlainException("span processor " + processor.getClass().getName());
    }
    SpanExporter exporter = batch.getSpanExporter();
    if (exporter instanceof CountingExporter counting) {
      exporter = counting.exporter();
    }
    if (!(exporter instanceof OtlpHttpSpanExporter otlp)) {
      throw new NotPlainException("exporter " + exporter.getClass().getSimpleName());
    }
    Object builder = value(otlp, "builder");
    if ((boolean) value(builder, "exportAsJson")) {
      throw new NotPlainException("OTLP as JSON");
    }
    OtlpHttpSpanExporterBuilder copy = otlp.toBuilder().setExecutorService(executor());
    if (field(builder, "retryPolicy") == null) {
      copy.setRetryPolicy(null); // a copy takes up the default again
    }
    HttpSender sender = (HttpSender) value(value(copy.build(), "delegate"), "httpSender");
    BulkSockets.use(sender);
    return new OtlpRoute(sender, delayNanos(batch));
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

  private static long delayNanos(BatchSpanProcessor batch) {
    try {
      long configured = (long) value(value(batch, "worker"), "scheduleDelayNanos");
      return Math.min(configured, DEFAULT_DELAY_NANOS);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return DEFAULT_DELAY_NANOS;
    }
  }

  private static @Nullable Object field(Object of, String name)
      throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }

  private static Object value(Object of, String name) throws ReflectiveOperationException {
    Object value = field(of, name);
    if (value == null) {
      throw new NoSuchFieldException(name + " of " + of.getClass().getName() + " is null");
    }
    return value;
  }
}
