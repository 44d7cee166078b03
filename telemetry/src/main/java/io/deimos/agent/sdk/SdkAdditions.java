// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import io.deimos.agent.export.CountingExporter;
import io.deimos.agent.export.ExportCounts;
import io.deimos.agent.export.LogNotes;
import io.deimos.agent.export.Outage;
import io.deimos.agent.export.StoreProcessor;
import io.deimos.agent.export.TrackedLogExporter;
import io.deimos.agent.export.TrackedMetricExporter;
import io.deimos.agent.log.Log;
import io.deimos.agent.log.Problems;
import io.deimos.agent.metrics.PrometheusText;
import io.deimos.agent.settings.ConfigurationFile;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdkBuilder;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.SdkMeterProviderBuilder;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Our additions to the SDK while {@code OTEL_*} settings or a file configure it, and our knowledge
 * of it by that.
 */
public final class SdkAdditions {
  /** The SDK's own setting for its Prometheus exporter; the page's metrics follow it. */
  private static final String SCRAPED_HISTOGRAMS =
      "otel.java.experimental.exporter.prometheus.metrics.default.histogram.aggregation";

  private final Settings settings;
  private final Problems problems;
  private final ExportCounts counts;
  private final Outage spanOutage;
  private final Consumer<String> collectorSays;
  private final AtomicBoolean exporterCounted = new AtomicBoolean();
  private final FileAdditions ofFile = new FileAdditions();
  private boolean customized;
  private @Nullable String spanTarget;
  private @Nullable PrometheusText prometheus;

  public SdkAdditions(Settings settings, Problems problems, ExportCounts counts) {
    this.settings = settings;
    this.problems = problems;
    this.counts = counts;
    this.spanOutage = outage("spans");
    this.collectorSays = problems.from("the collector");
  }

  /**
   * Adds all of it.
   *
   * @param spans told of finished spans, before the SDK's own processors
   * @param tap reads metrics for the test kit, or null
   * @param isScraped whether the page serves metrics
   */
  public void addTo(
      AutoConfigurationCustomizer customizer,
      StoreProcessor spans,
      @Nullable MetricReader tap,
      boolean isScraped) {
    if (customizer instanceof AutoConfiguredOpenTelemetrySdkBuilder builder) {
      // Its hook waits for collectors as long as each of them has been given; ours has one
      // deadline.
      builder.disableShutdownHook();
    }
    customizer.addResourceCustomizer((resource, config) -> Distribution.namedIn(resource));
    customizer.addTracerProviderCustomizer(
        (builder, config) -> {
          customized = true;
          spanTarget = ExportDefaults.spanTarget(config);
          return builder.addSpanProcessorFirst(spans);
        });
    customizer.addSpanExporterCustomizer(
        (exporter, config) -> {
          spanTarget = ExportDefaults.spanTarget(config);
          return counted(exporter);
        });
    customizer.addLogRecordExporterCustomizer(
        (exporter, config) -> new TrackedLogExporter(exporter, outage("logs")));
    SdkProperties.quietExporters();
    if (settings.tracing() && settings.get(Keys.LOGS)) {
      customizer.addLoggerProviderCustomizer(
          (builder, config) -> builder.addLogRecordProcessor(new LogNotes()));
    }
    if (settings.metrics()) {
      customizer.addMeterProviderCustomizer(
          (builder, config) -> read(builder, tap, isScraped, isExponential(config)));
    }
    customizer.addMetricExporterCustomizer(
        (exporter, config) -> new TrackedMetricExporter(exporter, outage("metrics")));
  }

  /**
   * As {@link #addTo(AutoConfigurationCustomizer, StoreProcessor, MetricReader, boolean)}, by name.
   */
  public void addTo(
      ConfigurationModel model,
      StoreProcessor spans,
      @Nullable MetricReader tap,
      boolean isScraped) {
    ofFile.put(spans);
    if (settings.tracing() && settings.get(Keys.LOGS)) {
      ofFile.put(new LogNotes());
    }
    if (settings.metrics() && tap != null) {
      ofFile.putTests(tap);
    }
    if (settings.metrics() && isScraped) {
      PrometheusText text = new PrometheusText(false, problems.from("/metrics"));
      prometheus = text;
      ofFile.putPage(text.reader());
    }
    try {
      ofFile.nameIn(model);
    } catch (ReflectiveOperationException | RuntimeException e) {
      problems.accept(
          "the page shows no spans but those of actors, and no metrics: this version of the SDK is"
              + " not known ("
              + e
              + "). Use deimos.jar, which brings its own, or configure by OTEL_* variables");
    }
  }

  /** Wraps the exporters that a file names. */
  public void wrapExportersOf(DeclarativeConfigurationCustomizer customizer) {
    SdkProperties.quietExporters();
    SdkProperties.quietShutdown();
    FileAdditions.wrap(
        customizer,
        target -> spanTarget = spanTarget == null ? target : spanTarget,
        this::counted,
        exporter -> new TrackedMetricExporter(exporter, outage("metrics")),
        exporter -> new TrackedLogExporter(exporter, outage("logs")));
  }

  /** Waits until the SDK asks for it by name. */
  public FileAdditions ofFile() {
    return ofFile;
  }

  /**
   * An SDK with nothing else, in place of one that cannot be made. It samples and passes contexts
   * on as settings say.
   *
   * @param spans told of finished spans
   * @param tap reads metrics for the test kit, or null
   * @param isScraped whether the page serves metrics
   */
  public OpenTelemetrySdk alone(
      StoreProcessor spans, @Nullable MetricReader tap, boolean isScraped) {
    try {
      return WithoutExporters.builder()
          .addTracerProviderCustomizer((builder, config) -> builder.addSpanProcessorFirst(spans))
          .addMeterProviderCustomizer(
              (builder, config) ->
                  settings.metrics()
                      ? read(builder, tap, isScraped, isExponential(config))
                      : builder)
          .build()
          .getOpenTelemetrySdk();
    } catch (Throwable t) {
      problems.accept(
          "of OTEL_* settings none but otel.service.name is in force, so all traces are taken ("
              + Reasons.of(t)
              + ")");
      return bare(spans, tap, isScraped);
    }
  }

  private OpenTelemetrySdk bare(
      StoreProcessor spans, @Nullable MetricReader tap, boolean isScraped) {
    Resource resource = SdkView.namedByUser();
    SdkMeterProviderBuilder meters = SdkMeterProvider.builder().setResource(resource);
    return OpenTelemetrySdk.builder()
        .setTracerProvider(
            SdkTracerProvider.builder().setResource(resource).addSpanProcessor(spans).build())
        .setMeterProvider(
            (settings.metrics() ? read(meters, tap, isScraped, false) : meters).build())
        .setPropagators(
            ContextPropagators.create(
                TextMapPropagator.composite(
                    W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance())))
        .build();
  }

  private SdkMeterProviderBuilder read(
      SdkMeterProviderBuilder builder,
      @Nullable MetricReader tap,
      boolean isScraped,
      boolean isExponential) {
    if (tap != null) {
      builder.registerMetricReader(tap);
    }
    if (isScraped) {
      PrometheusText text = new PrometheusText(isExponential, problems.from("/metrics"));
      prometheus = text;
      builder.registerMetricReader(text.reader());
    }
    return builder;
  }

  private static boolean isExponential(ConfigProperties config) {
    return "base2_exponential_bucket_histogram"
        .equalsIgnoreCase(config.getString(SCRAPED_HISTOGRAMS));
  }

  /** The first of several exporters counts, or spans would be counted twice. */
  private SpanExporter counted(SpanExporter exporter) {
    return exporterCounted.compareAndSet(false, true)
        ? new CountingExporter(
            exporter, counts, spanOutage, spanTargetOr("the configured exporter"))
        : exporter;
  }

  private Outage outage(String what) {
    return new Outage(what, problems.from("exporters"), Log::line)
        .configuredIn(() -> settingOr("otel.exporter.otlp.endpoint, otel.exporter.otlp.protocol"));
  }

  /** Where exporters are configured: the file if there is one, or these settings. */
  public String settingOr(String settings) {
    return ofFile.areSpansTaken() ? ConfigurationFile.KEY : settings;
  }

  /** Whether an exporter counts what it has exported. */
  public boolean countsExports() {
    return exporterCounted.get();
  }

  /** Says so if the SDK has nothing of this, when it is ready. */
  public void tellIfUnused() {
    if (!customized && !ofFile.areSpansTaken()) {
      problems.accept(
          "the SDK is off (otel.sdk.disabled, or disabled in the file that otel.config.file names),"
              + " or is configured in a way that is not known: the page shows no spans but those of"
              + " actors, and no metrics. To have these too, switch it on, or configure by OTEL_*"
              + " variables");
    }
  }

  /** Where the SDK's spans go; or this, where we do not know. */
  public String spanTargetOr(String unknown) {
    return spanTarget == null ? unknown : spanTarget;
  }

  /** All metrics as the page serves them, or null if it serves none. */
  public @Nullable PrometheusText prometheus() {
    return prometheus;
  }

  /** A request with spans was taken, and the collector has something to say about it. */
  public void requestTaken(String warning) {
    collectorSays.accept(
        "the collector at "
            + spanTargetOr("the configured exporter")
            + " takes all spans and says: "
            + warning
            + ". The report counts such answers as export_warnings");
  }

  /** A request with spans was given up. */
  public void requestLost(String reason) {
    spanOutage.begins(spanTargetOr("the configured exporter"), reason);
  }
}
