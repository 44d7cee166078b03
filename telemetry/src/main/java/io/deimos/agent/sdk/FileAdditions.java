// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import io.opentelemetry.api.incubator.config.DeclarativeConfigProperties;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.logs.OtlpGrpcLogRecordExporter;
import io.opentelemetry.exporter.otlp.metrics.OtlpGrpcMetricExporter;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizer;
import io.opentelemetry.sdk.logs.LogRecordProcessor;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Our additions to an SDK that a file configures. Such an SDK makes its parts by names in the
 * file's model; so ours have names, are put into the model, and wait here until the SDK asks for
 * them.
 *
 * <p><b>Exporters.</b> The SDK closes an exporter in whose place another is given. So an OTLP
 * exporter is copied, and the copy wrapped; one of another kind stays as it is.
 */
public final class FileAdditions {
  /** The name of our processors of spans and of log records. */
  public static final String PROCESSOR = "deimos";

  /** The names of our readers of metrics. */
  public static final String PAGE_READER = "deimos_page";

  public static final String TEST_READER = "deimos_testkit";

  private final AtomicReference<@Nullable SpanProcessor> spans = new AtomicReference<>();
  private volatile boolean areSpansTaken;
  private final AtomicReference<@Nullable LogRecordProcessor> logs = new AtomicReference<>();
  private final AtomicReference<@Nullable MetricReader> page = new AtomicReference<>();
  private final AtomicReference<@Nullable MetricReader> tests = new AtomicReference<>();

  FileAdditions() {}

  void put(SpanProcessor processor) {
    spans.set(processor);
  }

  void put(LogRecordProcessor processor) {
    logs.set(processor);
  }

  void putPage(MetricReader reader) {
    page.set(reader);
  }

  void putTests(MetricReader reader) {
    tests.set(reader);
  }

  /** Has the SDK ask for what is here. */
  void nameIn(ConfigurationModel model) throws ReflectiveOperationException {
    if (spans.get() != null) {
      model.addProcessor("TracerProvider", PROCESSOR);
    }
    if (logs.get() != null) {
      model.addProcessor("LoggerProvider", PROCESSOR);
    }
    if (page.get() != null) {
      model.addPullReader(PAGE_READER);
    }
    if (tests.get() != null) {
      model.addPullReader(TEST_READER);
    }
  }

  /** Given to the first who asks; what a file names a second time does nothing. */
  public SpanProcessor spans() {
    SpanProcessor processor = spans.getAndSet(null);
    areSpansTaken |= processor != null;
    return processor == null ? SpanProcessor.composite() : processor;
  }

  boolean areSpansTaken() {
    return areSpansTaken;
  }

  public LogRecordProcessor logs() {
    LogRecordProcessor processor = logs.getAndSet(null);
    return processor == null ? LogRecordProcessor.composite() : processor;
  }

  public MetricReader reader(String name) {
    MetricReader reader = (name.equals(PAGE_READER) ? page : tests).getAndSet(null);
    if (reader == null) {
      throw new IllegalStateException(
          "Deimos adds the metric reader " + name + " itself; take it out of the file");
    }
    return reader;
  }

  /**
   * Has exporters wrapped, after all others have had their say.
   *
   * @param target told where an exporter of spans sends them, as messages name it
   */
  static void wrap(
      DeclarativeConfigurationCustomizer customizer,
      Consumer<String> target,
      UnaryOperator<SpanExporter> spans,
      UnaryOperator<MetricExporter> metrics,
      UnaryOperator<LogRecordExporter> logs) {
    customizer.addSpanExporterCustomizer(
        SpanExporter.class,
        (exporter, config) -> {
          target.accept(target(exporter, config));
          SpanExporter copy = copy(exporter);
          return copy == null ? exporter : spans.apply(copy);
        });
    customizer.addMetricExporterCustomizer(
        MetricExporter.class,
        (exporter, config) -> {
          MetricExporter copy = copy(exporter);
          return copy == null ? exporter : metrics.apply(copy);
        });
    customizer.addLogRecordExporterCustomizer(
        LogRecordExporter.class,
        (exporter, config) -> {
          LogRecordExporter copy = copy(exporter);
          return copy == null ? exporter : logs.apply(copy);
        });
  }

  private static String target(SpanExporter exporter, DeclarativeConfigProperties config) {
    boolean isGrpc = exporter instanceof OtlpGrpcSpanExporter;
    if (!isGrpc && !(exporter instanceof OtlpHttpSpanExporter)) {
      return exporter.getClass().getSimpleName();
    }
    String endpoint = config.getString("endpoint");
    if (endpoint == null || endpoint.isBlank()) {
      endpoint = isGrpc ? "http://localhost:4317" : "http://localhost:4318/v1/traces";
    }
    return "otlp " + ExportDefaults.withoutSecrets(endpoint);
  }

  private static @Nullable SpanExporter copy(SpanExporter exporter) {
    if (exporter instanceof OtlpHttpSpanExporter http) {
      return http.toBuilder().build();
    }
    return exporter instanceof OtlpGrpcSpanExporter grpc ? grpc.toBuilder().build() : null;
  }

  private static @Nullable MetricExporter copy(MetricExporter exporter) {
    if (exporter instanceof OtlpHttpMetricExporter http) {
      return http.toBuilder().build();
    }
    return exporter instanceof OtlpGrpcMetricExporter grpc ? grpc.toBuilder().build() : null;
  }

  private static @Nullable LogRecordExporter copy(LogRecordExporter exporter) {
    if (exporter instanceof OtlpHttpLogRecordExporter http) {
      return http.toBuilder().build();
    }
    return exporter instanceof OtlpGrpcLogRecordExporter grpc ? grpc.toBuilder().build() : null;
  }
}
