// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import io.deimos.agent.clock.ProcessorClock;
import io.deimos.agent.context.OtelBridge;
import io.deimos.agent.context.Samplers;
import io.deimos.agent.control.Control;
import io.deimos.agent.control.ControlFile;
import io.deimos.agent.control.LiveSettings;
import io.deimos.agent.control.SystemConfig;
import io.deimos.agent.end.JvmEnd;
import io.deimos.agent.export.CountingExporter;
import io.deimos.agent.export.ExportCounts;
import io.deimos.agent.export.LogNotes;
import io.deimos.agent.export.Outage;
import io.deimos.agent.export.StoreProcessor;
import io.deimos.agent.export.ToldLogExporter;
import io.deimos.agent.export.ToldMetricExporter;
import io.deimos.agent.log.IncidentLog;
import io.deimos.agent.log.Printable;
import io.deimos.agent.log.Problems;
import io.deimos.agent.metrics.ContentInstrument;
import io.deimos.agent.metrics.DeltaExporter;
import io.deimos.agent.metrics.DurationProducer;
import io.deimos.agent.metrics.Exemplars;
import io.deimos.agent.metrics.Instruments;
import io.deimos.agent.metrics.LaneMeter;
import io.deimos.agent.metrics.Limits;
import io.deimos.agent.metrics.PrometheusText;
import io.deimos.agent.metrics.RecorderMeters;
import io.deimos.agent.metrics.RemoteMetrics;
import io.deimos.agent.metrics.StuckInstrument;
import io.deimos.agent.metrics.TailInstruments;
import io.deimos.agent.otlp.OtlpRoute;
import io.deimos.agent.page.PageAccess;
import io.deimos.agent.page.PageServer;
import io.deimos.agent.pipeline.SpanPath;
import io.deimos.agent.report.AgentState;
import io.deimos.agent.report.LivePage;
import io.deimos.agent.report.PageStart;
import io.deimos.agent.report.RunReport;
import io.deimos.agent.sdk.ExportDefaults;
import io.deimos.agent.sdk.OtelSettings;
import io.deimos.agent.sdk.SdkView;
import io.deimos.agent.settings.ClockChoice;
import io.deimos.agent.settings.ExportWay;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Overflow;
import io.deimos.agent.settings.PageReading;
import io.deimos.agent.settings.Settings;
import io.deimos.agent.start.BootClasses;
import io.deimos.agent.start.OtherAgents;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.deimos.agent.tail.TailCounts;
import io.deimos.agent.tail.TailSampler;
import io.deimos.agent.tap.MetricTap;
import io.deimos.agent.tap.SpanTap;
import io.deimos.agent.tap.TapSource;
import io.deimos.pekko.PekkoWeaver;
import io.deimos.recorder.Recorder;
import io.deimos.recorder.TestTap;
import io.deimos.recorder.actors.Systems;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.hooks.LifecycleSpans;
import io.deimos.recorder.hooks.LogEvents;
import io.deimos.recorder.housekeeping.Housekeeping;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.trouble.Incidents;
import io.deimos.recorder.trouble.StuckWatch;
import io.deimos.recorder.wire.RemoteCounts;
import io.deimos.remote.RemoteStats;
import io.deimos.remote.weave.RemoteWeaving;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.javaagent.bootstrap.InstrumentationHolder;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdkBuilder;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.metrics.SdkMeterProviderBuilder;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import net.bytebuddy.agent.builder.AgentBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Deimos in this process, from the first call of the agent to the end of the JVM. The agent calls
 * in this order: {@link #begin}, {@link #customize} (not if a file configures the SDK), {@link
 * #weave}, {@link #sdkReady}; all on the thread that starts the JVM.
 *
 * <p>Each step that fails switches off what it was to set up, says so, and throws nothing.
 */
final class DeimosRuntime {
  private static final Problems PROBLEMS = new Problems();
  private static final String PEKKO_ACTOR = "otel.instrumentation.pekko-actor.enabled";
  private static final String PEKKO_REMOTE = "otel.instrumentation.pekko-remote.enabled";

  /** Read by the agent's own logging when a logger of that package is made. */
  private static final String EXPORTERS_LOG =
      "io.opentelemetry.javaagent.slf4j.simpleLogger.log.io.opentelemetry.exporter.otlp.internal";

  private static @Nullable DeimosRuntime running;
  private static boolean enabled;

  /** As they were when the JVM started; of parts, whether they are woven. */
  private final Settings settings;

  private final LiveSettings live;
  private final OtelBridge bridge = new OtelBridge();
  private final ExportCounts counts = new ExportCounts();
  private final TailCounts tail = new TailCounts();
  private final @Nullable SpanTap tap;
  private final MetricTap metricTap = new MetricTap();
  private final AgentState state;
  private final @Nullable TraceStore store;
  private final AtomicBoolean exporterCounted = new AtomicBoolean();
  private final Control control;
  private final PageAccess access;
  private final IncidentLog incidents = new IncidentLog(DeimosRuntime::tell, this::keep);
  private final Limits limits;
  private final Exemplars exemplars;
  private boolean customized;
  private @Nullable PrometheusText prometheus;
  private @Nullable String spanTarget;
  private final Outage spanOutage = outage("spans");
  private @Nullable SpanPath spans;
  private @Nullable PageServer page;
  private final JvmEnd end;

  private DeimosRuntime(Settings settings, LiveSettings live) {
    this.settings = settings;
    this.live = live;
    this.state = new AgentState(PROBLEMS, counts, tail, new LivePage(live));
    this.control = new Control(live.current(), PROBLEMS.from("rules for actors and messages"));
    this.limits = new Limits(settings.get(Keys.MAX_SERIES));
    this.exemplars = new Exemplars(settings.get(Keys.MAX_SERIES));
    this.end =
        new JvmEnd(
            counts::unfinished,
            line ->
                tell(line + "; they were for " + spanTarget() + " (otel.exporter.otlp.endpoint)"));
    this.tap = settings.get(Keys.TESTKIT) ? new SpanTap() : null;
    this.access = PageAccess.of(settings);
    this.store =
        settings.get(Keys.PAGE) && access.page() != PageReading.OFF
            ? new TraceStore(
                StoreLimits.of(settings.get(Keys.TRACES_PER_SECOND), settings.get(Keys.SPANS_KEPT)))
            : null;
  }

  static Problems problems() {
    return PROBLEMS;
  }

  /** Reads the settings and gets the recorder ready, before any class is woven. */
  static void begin() {
    Map<String, String> properties = new HashMap<>();
    for (String name : System.getProperties().stringPropertyNames()) {
      properties.put(name, System.getProperty(name, ""));
    }
    LiveSettings live =
        LiveSettings.read(
            properties,
            System.getenv(),
            ClassLoader.getSystemClassLoader(),
            PROBLEMS.from("settings"),
            DeimosRuntime::audit);
    Settings settings = live.current().woven();
    enabled = settings.enabled();
    if (!settings.isOn()) {
      return;
    }
    RecorderConfig config = config(settings);
    RecorderConfig.use(config); // before anything reads it into a constant
    DeimosRuntime runtime = new DeimosRuntime(settings, live);
    Recorder.configure(config, runtime.bridge);
    Housekeeping.start();
    RemoteCounts.tell(PROBLEMS);
    Faults.listener(PROBLEMS);
    live.onChange(runtime.control::settings);
    live.onChange(runtime::watch);
    runtime.watch(live.current());
    Systems.onFirstActor(new SystemConfig(live, runtime.control, PROBLEMS));
    if (settings.tracing()) {
      ContextStorage.addWrapper(runtime.bridge::wrap);
    }
    running = runtime;
  }

  private static RecorderConfig config(Settings settings) {
    return new RecorderConfig(
        settings.tracing(),
        settings.metrics(),
        settings.get(Keys.RING_CAPACITY),
        settings.get(Keys.BACKLOG_CAPACITY),
        settings.get(Keys.TIMED_ONE_IN),
        settings.get(Keys.OVERFLOW) == Overflow.THIN_TRACES,
        settings.guard(),
        settings.get(Keys.MAX_SERIES),
        (int) settings.get(Keys.SERIES_WINDOW).toSeconds(),
        settings.get(Keys.GROUPS),
        settings.get(Keys.PERSISTENCE));
  }

  /** A trace that the log names can be looked up on the page. */
  private void keep(Incident written) {
    TraceStore kept = store;
    if (kept != null && (written.traceHi() | written.traceLo()) != 0) {
      kept.pin(written.traceHi(), written.traceLo());
    }
  }

  /** What is told of what goes wrong. */
  private void watch(Settings current) {
    incidents.perSecond(current.get(Keys.FORENSICS_LOG));
    Incidents.listener(current.isOn() && current.get(Keys.FORENSICS) ? incidents : null);
    LifecycleSpans.turn(current.isOn() && current.tracing() && current.get(Keys.LIFECYCLE));
    LogEvents.note(
        current.isOn() && current.get(Keys.LOGS) ? current.get(Keys.LOGS_LEVEL).severity() : 0,
        current.get(Keys.LOGS_MAX_LENGTH));
    StuckWatch.threshold(current.isOn() ? current.get(Keys.STUCK_THRESHOLD).toNanos() : 0);
  }

  /** True if contexts would be passed on twice unless the agent's own Pekko modules are off. */
  static boolean replacesUpstreamModules() {
    DeimosRuntime runtime = running;
    return runtime != null && runtime.settings.tracing() && BootClasses.isExtension();
  }

  /** True if the agent has none of its own modules for Pekko, which would weave mailboxes too. */
  static boolean ignoresMailboxes() {
    return !BootClasses.isExtension() || replacesUpstreamModules();
  }

  /** Has a say in how {@code OTEL_*} settings configure the SDK. */
  static void customize(AutoConfigurationCustomizer customizer) {
    try {
      customizer.addPropertiesCustomizer(DeimosRuntime::properties);
      DeimosRuntime runtime = running;
      if (runtime != null) {
        runtime.join(customizer);
      }
    } catch (Throwable t) {
      PROBLEMS.failed("taking part in the SDK's configuration", t);
    }
  }

  private static Map<String, String> properties(ConfigProperties config) {
    Map<String, String> ours = new LinkedHashMap<>();
    if (!BootClasses.isExtension()) {
      ours.putAll(OtelSettings.corrected(config, PROBLEMS.from("OpenTelemetry's settings"), true));
      ours.putAll(ExportDefaults.of(config));
    } else if (replacesUpstreamModules()) {
      ours.put(PEKKO_ACTOR, "false");
      ours.put(PEKKO_REMOTE, "false");
    }
    return ours;
  }

  private void join(AutoConfigurationCustomizer customizer) {
    if (customizer instanceof AutoConfiguredOpenTelemetrySdkBuilder builder) {
      // Its hook waits for collectors as long as each of them has been given; ours has one
      // deadline.
      builder.disableShutdownHook();
    }
    customizer.addTracerProviderCustomizer(
        (builder, config) -> {
          customized = true;
          spanTarget = ExportDefaults.spanTarget(config);
          return builder.addSpanProcessorFirst(new StoreProcessor(store, tap, end::run));
        });
    customizer.addSpanExporterCustomizer(
        (exporter, config) -> {
          spanTarget = ExportDefaults.spanTarget(config);
          return counted(exporter);
        });
    customizer.addLogRecordExporterCustomizer(
        (exporter, config) -> new ToldLogExporter(exporter, outage("logs")));
    if (!BootClasses.isExtension()) {
      quietExporters();
    }
    if (settings.tracing() && settings.get(Keys.LOGS)) {
      customizer.addLoggerProviderCustomizer(
          (builder, config) -> builder.addLogRecordProcessor(new LogNotes()));
    }
    if (settings.metrics()) {
      customizer.addMeterProviderCustomizer(
          (builder, config) ->
              measured(builder.registerMetricProducer(new DurationProducer(limits, exemplars))));
      customizer.addMetricExporterCustomizer((exporter, config) -> differences(exporter));
    } else {
      customizer.addMetricExporterCustomizer(
          (exporter, config) -> new ToldMetricExporter(exporter, outage("metrics")));
    }
  }

  private static Outage outage(String what) {
    return new Outage(what, PROBLEMS.from("exporters"), DeimosRuntime::tell);
  }

  /**
   * What OTLP exporters say of each failure, with a stack each time, is said by {@link Outage} in
   * one line. Whoever debugs the agent still sees all.
   */
  private static void quietExporters() {
    if (!Boolean.getBoolean("otel.javaagent.debug")
        && !"true".equalsIgnoreCase(System.getenv("OTEL_JAVAAGENT_DEBUG"))
        && System.getProperty(EXPORTERS_LOG) == null) {
      System.setProperty(EXPORTERS_LOG, "off");
    }
  }

  private SdkMeterProviderBuilder measured(SdkMeterProviderBuilder builder) {
    if (tap != null) {
      builder.registerMetricReader(metricTap);
    }
    if (!settings.get(Keys.PAGE) || access.metrics() == PageReading.OFF) {
      return builder;
    }
    PrometheusText text = new PrometheusText();
    prometheus = text;
    return builder.registerMetricReader(text.reader());
  }

  private MetricExporter differences(MetricExporter exporter) {
    MetricExporter around = DeltaExporter.around(exporter);
    if (around != exporter) {
      limits.restart();
    }
    return new ToldMetricExporter(around, outage("metrics"));
  }

  /** Of several exporters the first counts, or spans would be counted twice. */
  private SpanExporter counted(SpanExporter exporter) {
    return exporterCounted.compareAndSet(false, true)
        ? new CountingExporter(exporter, counts, spanOutage, spanTarget())
        : exporter;
  }

  /** Adds the weaving of Pekko, and of its transport where that is asked for. */
  static AgentBuilder weave(AgentBuilder builder) {
    AgentBuilder woven = weaveActors(builder);
    try {
      return enabled ? RemoteWeaving.installIfEnabled(woven, PROBLEMS) : woven;
    } catch (Throwable t) {
      PROBLEMS.failed("weaving Artery", t);
      return woven;
    }
  }

  private static AgentBuilder weaveActors(AgentBuilder builder) {
    try {
      DeimosRuntime runtime = running;
      return runtime == null
          ? builder
          : PekkoWeaver.install(
              builder,
              PROBLEMS,
              runtime.settings.get(Keys.SELF_TEST),
              runtime.settings.get(Keys.SAMPLING_METRICS),
              runtime.settings.get(Keys.REMOTE),
              runtime.settings.get(Keys.STREAMS),
              runtime.settings.get(Keys.STAGES),
              runtime.settings.get(Keys.REMOTE_METRICS),
              ignoresMailboxes() ? InstrumentationHolder.getInstrumentation() : null);
    } catch (Throwable t) {
      PROBLEMS.failed("weaving Pekko", t);
      return builder;
    }
  }

  /** The SDK is configured and the transformer at work. */
  static void sdkReady(AutoConfiguredOpenTelemetrySdk configured) {
    try {
      if (!BootClasses.isExtension()) {
        OtherAgents.tell(PROBLEMS);
      }
      DeimosRuntime runtime = running;
      if (runtime != null) {
        runtime.end.install(configured.getOpenTelemetrySdk());
        runtime.connect(configured.getOpenTelemetrySdk());
      }
    } catch (Throwable t) {
      PROBLEMS.failed("recording", t);
    }
  }

  private void connect(OpenTelemetrySdk sdk) {
    if (!customized) {
      PROBLEMS.accept(
          "a file configures the SDK (otel.config.file): duration histograms are not exported, and"
              + " the page shows no spans but those of actors. All else works; to have these too,"
              + " configure by OTEL_* variables");
    }
    if (settings.get(Keys.CLOCK) != ClockChoice.NANO_TIME) {
      readProcessorClock();
    }
    if (settings.tracing()) {
      connectSpans(sdk);
    }
    if (settings.metrics()) {
      Instruments.register(sdk.getSdkMeterProvider().get("io.deimos.pekko"), counts, limits);
      RecorderMeters.register(sdk.getSdkMeterProvider().get("io.deimos.pekko"));
      RemoteMetrics.register(sdk.getSdkMeterProvider().get("io.deimos.pekko"));
      if (settings.get(Keys.REMOTE_METRICS)) {
        RemoteStats.meter(new LaneMeter());
      }
      StuckInstrument.register(sdk.getSdkMeterProvider().get("io.deimos.pekko"));
      ContentInstrument.register(sdk.getSdkMeterProvider().get("io.deimos.pekko"));
      TailInstruments.register(sdk.getSdkMeterProvider().get("io.deimos.pekko"), tail);
    }
    if (settings.get(Keys.PAGE) && !access.servesNothing()) {
      if (store != null) {
        state.history().start();
      }
      page = startPage();
    }
    SpanTap tapped = tap;
    if (tapped != null) {
      SpanPath path = spans;
      TestTap.offer(new TapSource(tapped, metricTap, millis -> path == null || path.drain(millis)));
    }
    String controlled = settings.get(Keys.CONTROL_FILE);
    if (!controlled.isEmpty()) {
      new ControlFile(
              Path.of(controlled), live, PROBLEMS.from("the control file"), DeimosRuntime::tell)
          .start();
    }
    String file = settings.reportFile();
    if (file != null) {
      RunReport made = new RunReport(Path.of(file), state);
      made.start();
      end.report(made, () -> write(made));
    }
  }

  private void write(RunReport report) {
    try {
      report.write(page == null ? null : page.url());
    } catch (Exception e) {
      PROBLEMS.accept(
          "deimos.report.file="
              + settings.reportFile()
              + " could not be written ("
              + e
              + "); name a file in a directory that exists and can be written");
    }
  }

  private PageServer startPage() {
    return PageServer.start(
        settings.get(Keys.PAGE_PORT),
        access,
        state,
        // Where the page is off nobody gets to the traces, and none come in.
        store == null ? new TraceStore(StoreLimits.of(1, 100)) : store,
        prometheus,
        new PageStart(
            access,
            settings.get(Keys.PAGE_TOKEN_FILE),
            DeimosRuntime::tell,
            PROBLEMS.from("the page")));
  }

  private void readProcessorClock() {
    Instrumentation instrumentation = InstrumentationHolder.getInstrumentation();
    if (instrumentation == null) {
      return;
    }
    ProcessorClock.start(
        instrumentation,
        DeimosRuntime::tell,
        reason -> {
          if (settings.get(Keys.CLOCK) == ClockChoice.TSC) {
            PROBLEMS.accept(
                "deimos.clock=tsc: the processor's counter cannot be the clock, since "
                    + reason
                    + "; using nano-time. Take the setting away to have it where it can be had");
          }
        });
  }

  private void connectSpans(OpenTelemetrySdk sdk) {
    Context.current(); // the first call settles which storage is used
    if (!bridge.isWrapping()) {
      PROBLEMS.accept(
          "another part of the agent has chosen the context storage before, so Span.current() in an"
              + " actor is not the actor's span. Take other extensions away to see which it is");
    }
    SdkView view = SdkView.of(sdk.getSdkTracerProvider(), PROBLEMS);
    bridge.configured(sdk.getSdkTracerProvider().getSampler(), view.limits());
    control.sampleBy(Samplers.sampling(sdk.getSdkTracerProvider().getSampler()));
    bridge.reads(sdk.getPropagators().getTextMapPropagator());
    state.serviceName(view.serviceName());
    OtlpRoute route = view.processors().isEmpty() ? null : route(view);
    if (!view.processors().isEmpty()) {
      String target = spanTarget == null ? "the configured exporters" : spanTarget;
      state.exportTarget(target + (route == null ? ", by the SDK" : ", direct"));
    } else if (store == null && tap == null) {
      PROBLEMS.accept(
          "spans are recorded and go nowhere: no exporter is configured and the page is off. Set"
              + " otel.exporter.otlp.endpoint, or deimos.page.enabled=true, or"
              + " deimos.tracing.enabled=false");
    }
    SpanPath made =
        new SpanPath(
            view,
            exemplars,
            this::sampling,
            route,
            store,
            tap,
            counts,
            exporterCounted.get(),
            this::requestLost);
    made.start();
    spans = made;
    end.spans(made);
  }

  private TailSampler sampling(SpanSink exporter) {
    TailSampler sampler = new TailSampler(exporter, tail, counts::unfinished);
    live.onChange(sampler::rule);
    sampler.rule(live.current());
    return sampler;
  }

  /** The direct way to the collector, if the configuration and the user want it; says which. */
  private @Nullable OtlpRoute route(SdkView view) {
    if (settings.get(Keys.EXPORT) == ExportWay.SDK) {
      tell("spans of actors are exported by the SDK, as deimos.tracing.export=sdk asks");
      return null;
    }
    try {
      OtlpRoute route = OtlpRoute.of(view.processors(), view.limits());
      tell("spans of actors are exported directly, as OTLP over HTTP");
      return route;
    } catch (OtlpRoute.NotPlainException e) {
      if (settings.get(Keys.EXPORT) == ExportWay.DIRECT) {
        PROBLEMS.accept(
            "deimos.tracing.export=direct needs one OTLP exporter with protocol http/protobuf"
                + " behind one batch span processor, but there is: "
                + e.getMessage()
                + "; spans are exported by the SDK. Set otel.exporter.otlp.protocol=http/protobuf,"
                + " or take the setting away");
      } else {
        tell("spans of actors are exported by the SDK, because of " + e.getMessage());
      }
      return null;
    }
  }

  private void requestLost(String reason) {
    spanOutage.begins(spanTarget(), reason);
  }

  private String spanTarget() {
    return spanTarget == null ? "the configured exporter" : spanTarget;
  }

  private static void audit(String line) {
    tell(line + " at " + Instant.now());
  }

  @SuppressWarnings("SystemOut") // the one form in which Deimos speaks
  private static void tell(String line) {
    System.err.println("deimos: " + Printable.line(line));
  }
}
