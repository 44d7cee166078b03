// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import io.deimos.agent.answers.DumpFile;
import io.deimos.agent.budget.Accountant;
import io.deimos.agent.check.Checks;
import io.deimos.agent.clock.ClockStart;
import io.deimos.agent.context.OtelBridge;
import io.deimos.agent.context.SamplerTranslator;
import io.deimos.agent.control.Control;
import io.deimos.agent.control.ControlFile;
import io.deimos.agent.control.ExceptionSignal;
import io.deimos.agent.control.LiveSettings;
import io.deimos.agent.control.Reverts;
import io.deimos.agent.control.SystemConfig;
import io.deimos.agent.control.TroubleControl;
import io.deimos.agent.export.ExportCounts;
import io.deimos.agent.export.StoreProcessor;
import io.deimos.agent.log.IncidentLog;
import io.deimos.agent.log.IncidentNews;
import io.deimos.agent.log.Log;
import io.deimos.agent.log.Problems;
import io.deimos.agent.logs.LogBook;
import io.deimos.agent.metrics.AllInstruments;
import io.deimos.agent.metrics.DurationMetrics;
import io.deimos.agent.metrics.Exemplars;
import io.deimos.agent.metrics.Limits;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.otlp.OtlpRoute;
import io.deimos.agent.page.LivePage;
import io.deimos.agent.page.PageServer;
import io.deimos.agent.pipeline.RouteChoice;
import io.deimos.agent.pipeline.SpanPath;
import io.deimos.agent.profile.Profile;
import io.deimos.agent.profile.ProfileLimits;
import io.deimos.agent.report.AgentState;
import io.deimos.agent.report.EndDumps;
import io.deimos.agent.report.PageStart;
import io.deimos.agent.report.RunReport;
import io.deimos.agent.rules.AllRules;
import io.deimos.agent.rules.UnknownRules;
import io.deimos.agent.sdk.ConfigurationModel;
import io.deimos.agent.sdk.SdkAdditions;
import io.deimos.agent.sdk.SdkEnd;
import io.deimos.agent.sdk.SdkView;
import io.deimos.agent.settings.KeptLevel;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.Settings;
import io.deimos.agent.settings.SpanName;
import io.deimos.agent.settings.SpanStart;
import io.deimos.agent.shutdown.JvmEnd;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.span.IncidentRecords;
import io.deimos.agent.span.SpanForm;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.deimos.agent.tail.OtherSink;
import io.deimos.agent.tail.TailCounts;
import io.deimos.agent.tail.TailSampler;
import io.deimos.agent.tap.MetricTap;
import io.deimos.agent.tap.SpanTap;
import io.deimos.agent.tap.TapSource;
import io.deimos.recorder.Recorder;
import io.deimos.recorder.TestTap;
import io.deimos.recorder.actors.Systems;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.hooks.KeptLogs;
import io.deimos.recorder.housekeeping.GaugeReaders;
import io.deimos.recorder.housekeeping.Housekeeping;
import io.deimos.recorder.housekeeping.Memory;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.wire.RemoteCounts;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The parts of Deimos in this process, and how they are joined. */
final class Composition {
  private static final int SHARE_OF_LOGS = 16;

  /** As they were when the JVM started; of parts, whether they are woven. */
  private final Settings settings;

  private final LiveSettings live;
  private final Problems problems;
  private final OtelBridge bridge = new OtelBridge();
  private final ExportCounts counts = new ExportCounts();
  private final TailCounts tail = new TailCounts();
  private final MetricTap metricTap = new MetricTap();
  private final IncidentRecords records = new IncidentRecords();
  private final @Nullable SpanTap tap;
  private final PageAccess access;
  private final @Nullable TraceStore store;
  private final @Nullable Observer observer;
  private final Limits limits;
  private final Exemplars exemplars;
  private final AgentState state;
  private final Control control;
  private final SdkAdditions additions;
  private final JvmEnd end;
  private final TroubleControl troubles;

  /** Whether nothing is exported, since there is no SDK that could. */
  private volatile boolean isWithoutSdk;

  Composition(Settings settings, LiveSettings live, Problems problems) {
    this.settings = settings;
    this.live = live;
    this.problems = problems;
    tap = settings.get(Keys.TESTKIT) ? new SpanTap() : null;
    access = PageAccess.of(settings);
    store =
        settings.get(Keys.PAGE) && access.page() != PageAccessMode.OFF
            ? new TraceStore(
                StoreLimits.of(settings.get(Keys.TRACES_PER_SECOND), settings.get(Keys.SPANS_KEPT)))
            : null;
    long memory = settings.get(Keys.OBSERVER_MEMORY);
    LogBook logs = store != null && memory > 0 ? logs(settings, memory / SHARE_OF_LOGS) : null;
    observer =
        isShown() && memory > 0
            ? new Observer(
                    logs == null ? memory : memory - memory / SHARE_OF_LOGS,
                    settings.get(Keys.OBSERVER_CPU))
                .start()
            : null;
    limits = new Limits(settings.get(Keys.MAX_SERIES));
    exemplars = new Exemplars(settings.get(Keys.MAX_SERIES));
    state =
        new AgentState(
            problems,
            counts,
            tail,
            new LivePage(live),
            observer,
            Accountant.ofHeap(settings.get(Keys.OBSERVER_CPU), settings.get(Keys.PAGE_MEMORY)));
    state.mcp(settings.get(Keys.PAGE_MCP));
    if (observer != null) {
      state.checks(AllRules.checks(observer, live::current));
    }
    if (logs != null) {
      state.logs(logs);
    }
    control = new Control(live.current(), problems.from("rules for actors and messages"));
    additions = new SdkAdditions(settings, problems, counts);
    end = new JvmEnd(counts::unfinished, this::unexported);
    troubles =
        new TroubleControl(
            new IncidentNews(
                new IncidentLog(Log::line, this::pin),
                records,
                observer == null ? null : observer.incidents()));
  }

  /** Null if no log records are kept. */
  private static @Nullable LogBook logs(Settings settings, long bytes) {
    if (settings.get(Keys.CONTENT_LOGS) == KeptLevel.OFF) {
      return null;
    }
    LogBook logs = new LogBook(bytes);
    KeptLogs.keeper(logs::add);
    Memory.add(Memory.Purpose.OBSERVER, logs::bytes);
    return logs;
  }

  private void unexported(String line) {
    String target = additions.spanTargetOr("the configured exporter");
    String setting = additions.settingOr("otel.exporter.otlp.endpoint");
    Log.line(line + "; they were for " + target + " (" + setting + ")");
  }

  Settings settings() {
    return settings;
  }

  /**
   * Gets the recorder ready, before any class is woven.
   *
   * @param beforeActors awaited before an actor system makes its first actor
   */
  void begin(RecorderConfig config, Runnable beforeActors) {
    Recorder.configure(config, bridge);
    GaugeReaders.every(settings.get(Keys.GAUGES_INTERVAL));
    Housekeeping.start();
    RemoteCounts.tell(problems);
    Faults.listener(problems);
    ExceptionSignal.read(problems);
    live.onChange(control::settings);
    live.onChange(troubles);
    UnknownRules unknownRules = new UnknownRules(problems.from("check"));
    live.onChange(unknownRules);
    Reverts.of(live);
    troubles.accept(live.current());
    unknownRules.accept(live.current());
    SystemConfig ofSystem = new SystemConfig(live, control, problems);
    Systems.onFirstActor(
        system -> {
          beforeActors.run();
          ofSystem.accept(system);
        });
    if (settings.tracing()) {
      ContextStorage.addWrapper(bridge::wrap);
    }
  }

  /** These settings, but for what nobody would see. */
  private Settings seenWithoutSdk(Settings asked) {
    if (isShown()) {
      return asked;
    }
    Settings seen = asked.with(Keys.TRACING, false);
    return isScraped() ? seen : seen.with(Keys.METRICS, false);
  }

  /** Whether spans are seen in this process, wherever else they may go. */
  private boolean isShown() {
    return store != null || tap != null;
  }

  /** From now on nothing is recorded, whatever settings say: there is nobody who would read it. */
  void recordNothing() {
    control.reduceBy(asked -> asked.with(Keys.ENABLED, false));
    live.recordNothing();
    troubles.accept(live.current());
  }

  /** A trace that the log names can be looked up on the page. */
  private void pin(Incident written) {
    if (store != null && (written.traceHi() | written.traceLo()) != 0) {
      store.pin(written.traceHi(), written.traceLo());
    }
  }

  /** Takes part in the configuration of the SDK by {@code OTEL_*} settings. */
  void join(AutoConfigurationCustomizer customizer) {
    additions.addTo(customizer, ofSpans(), tap == null ? null : metricTap, isScraped());
  }

  /** Takes part in the configuration of the SDK by a file. */
  void join(ConfigurationModel model) {
    additions.addTo(model, ofSpans(), tap == null ? null : metricTap, isScraped());
  }

  private StoreProcessor ofSpans() {
    @Nullable Consumer<SpanData> toStore =
        store == null ? null : settings.tracing() ? store::offer : store::accept;
    return new StoreProcessor(toStore, tap, end::run);
  }

  private boolean isScraped() {
    return settings.get(Keys.PAGE) && access.metrics() != PageAccessMode.OFF;
  }

  SdkAdditions additions() {
    return additions;
  }

  /**
   * Sets all to work, now that the SDK is configured.
   *
   * @param isOfFile whether a file configured it
   */
  void connect(OpenTelemetrySdk sdk, boolean isOfFile) {
    additions.tellIfUnused();
    connect(sdk, isOfFile ? SdkEnd.claim(sdk) : sdk::shutdown);
  }

  /**
   * Sets to work what needs no exporter, where the SDK could not be configured. Nothing is recorded
   * that nobody would see.
   *
   * @param reason why it could not be
   * @param culprit the setting to be corrected
   * @return an SDK with nothing but what we add
   */
  OpenTelemetrySdk connectWithout(String reason, String culprit) {
    isWithoutSdk = true;
    control.reduceBy(this::seenWithoutSdk);
    if (!isShown()) {
      live.unseen(
          "until a restart nothing that it says of "
              + (isScraped() ? "spans" : "spans and metrics")
              + " has an effect, since OpenTelemetry's SDK could not be set up");
    }
    state.sdkFailed();
    problems.accept(
        "OpenTelemetry's SDK could not be set up ("
            + reason
            + "), so nothing is exported"
            + seenWhere()
            + ", and the application runs on. Correct "
            + culprit
            + ", and restart");
    OpenTelemetrySdk sdk = additions.alone(ofSpans(), tap == null ? null : metricTap, isScraped());
    connect(sdk, sdk::shutdown);
    return sdk;
  }

  private String seenWhere() {
    if (store != null) {
      return "; what is recorded is on the page";
    }
    if (tap != null) {
      return "; what is recorded is for the test kit alone";
    }
    return isScraped() ? " and no spans are recorded" : " and nothing is recorded";
  }

  private void connect(OpenTelemetrySdk sdk, Supplier<CompletableResultCode> shutDown) {
    end.install(shutDown);
    records.connect(sdk.getSdkLoggerProvider());
    ClockStart.asWanted(settings, problems);
    SpanPath spans = settings.tracing() ? connectSpans(sdk) : null;
    // Spans are on their way from here on; what follows is off by itself if it cannot be made.
    beside("the profile", this::profile);
    beside("what metrics say of durations", () -> durations(sdk));
    beside(
        "what metrics say of all else",
        () -> AllInstruments.register(sdk.getSdkMeterProvider(), settings, counts, tail, limits));
    PageServer page = page();
    if (tap != null) {
      if (store == null) {
        state.history().start(); // by which the check notes numbers
      }
      TestTap.offer(
          new TapSource(tap, metricTap, ms -> spans == null || spans.drain(ms), this::findings));
    }
    beside("the dump after a failure", this::dumpAfterFailures);
    beside(
        "the control file",
        () -> ControlFile.watch(live, problems.from("the control file"), Log::line));
    beside("the report", () -> report(page));
  }

  private @Nullable List<Map<String, Object>> findings(List<String> ignored) {
    Checks checks = state.checks();
    return checks == null || !checks.isOn() ? null : checks.told(ignored);
  }

  private void beside(String what, Runnable start) {
    try {
      start.run();
    } catch (Throwable t) {
      problems.failed(what, t);
    }
  }

  private void durations(OpenTelemetrySdk sdk) {
    if (settings.metrics()) {
      DurationMetrics.connect(sdk.getSdkMeterProvider(), limits, exemplars, problems);
    }
  }

  private @Nullable PageServer page() {
    if (!settings.get(Keys.PAGE) || access.servesNothing()) {
      return null;
    }
    try {
      PageServer page =
          PageStart.launch(settings, access, state, store, additions.prometheus(), problems);
      if (page != null) {
        end.first(page::ending);
      }
      return page;
    } catch (Throwable t) {
      problems.failed("the page", t);
      return null;
    }
  }

  private void report(@Nullable PageServer page) {
    String file = settings.reportFile();
    if (file != null) {
      RunReport report = new RunReport(file, state, page, problems);
      report.start();
      end.report(report, report::write);
    }
  }

  private void dumpAfterFailures() {
    String directory = settings.get(Keys.DUMP_DIRECTORY);
    if (directory.isEmpty()) {
      return;
    }
    if (store == null || observer == null) {
      problems.accept(
          EndDumps.KEY
              + directory
              + " has no effect, since there is no page, or it keeps no trouble: set"
              + " deimos.page.enabled=true and deimos.observer.memory to more than 0");
      return;
    }
    EndDumps dumps =
        new EndDumps(directory, observer, new DumpFile(access, state, store), Log::line, problems);
    GaugeReaders.onEnd(dumps::systemEnds);
    end.dump(dumps::writeIfFailed);
  }

  /** Only where it can be seen. */
  private void profile() {
    if (store != null) {
      Profile profile =
          new Profile(problems.from("the profile"), () -> profileLimits(live.current()));
      live.onChange(changed -> profile.keep(changed.get(Keys.PROFILE)));
      profile.keep(live.current().get(Keys.PROFILE));
      state.profile(profile);
    }
  }

  private static ProfileLimits profileLimits(Settings now) {
    return new ProfileLimits(
        now.get(Keys.PROFILE_WAITS).toNanos(),
        now.get(Keys.PROFILE_WAITS_PER_SECOND),
        now.get(Keys.PROFILE_ALLOCATIONS_PER_SECOND));
  }

  private SpanPath connectSpans(OpenTelemetrySdk sdk) {
    SpanForm.export(
        new SpanForm(
            SpanKind.valueOf(settings.get(Keys.SPAN_KIND).name()),
            settings.get(Keys.SPAN_START) == SpanStart.TAKE_OUT,
            settings.get(Keys.SPAN_NAME) == SpanName.DESTINATION));
    bridge.connect(sdk, problems);
    SdkView view = SdkView.of(sdk.getSdkTracerProvider(), problems);
    control.sampleBy(SamplerTranslator.sampling(sdk.getSdkTracerProvider().getSampler()));
    state.serviceName(view.serviceName());
    OtlpRoute route = RouteChoice.of(view, settings.get(Keys.EXPORT), problems);
    if (!view.processors().isEmpty()) {
      state.exportTarget(
          additions.spanTargetOr("the configured exporters")
              + (route == null ? ", by the SDK" : ", direct"));
    } else if (!isShown() && !isWithoutSdk) {
      problems.accept(
          "spans are recorded and go nowhere: no exporter is configured and the page is off. Set"
              + " otel.exporter.otlp.endpoint, or deimos.page.enabled=true, or"
              + " deimos.tracing.enabled=false");
    }
    SpanPath spans =
        new SpanPath(
            view,
            exemplars,
            (exporter, others) -> sampling(exporter, others, sdk),
            store,
            observer,
            tap,
            new SpanPath.Export(
                route,
                counts,
                additions.countsExports(),
                additions::requestLost,
                additions::requestTaken));
    spans.start();
    end.spans(spans);
    return spans;
  }

  private TailSampler sampling(SpanSink exporter, OtherSink others, OpenTelemetrySdk sdk) {
    TailSampler sampler = new TailSampler(exporter, others, tail, counts::unfinished);
    live.onChange(sampler::rule);
    sampler.rule(live.current());
    SdkView.hold(sdk.getSdkTracerProvider(), sampler, settings.get(Keys.TAIL), problems);
    return sampler;
  }
}
