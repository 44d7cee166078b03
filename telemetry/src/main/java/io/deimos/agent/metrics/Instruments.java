// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.agent.export.ExportCounts;
import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.base.Folds;
import io.deimos.recorder.base.HookReport;
import io.deimos.recorder.counts.MetricsFold;
import io.deimos.recorder.trace.TraceGuard;
import io.deimos.recorder.wire.KeepNotices;
import io.deimos.recorder.wire.RemoteCounts;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.util.HashMap;
import java.util.Map;

/**
 * The counters and gauges. They are observed, so the SDK gives them the temporality, the views and
 * the limits that the user has configured.
 */
public final class Instruments {
  private final ExportCounts exports;
  private final Limits limits;
  private final ObservableLongMeasurement processed;
  private final ObservableLongMeasurement live;
  private final ObservableLongMeasurement started;
  private final ObservableLongMeasurement stopped;
  private final ObservableLongMeasurement restarted;
  private final ObservableLongMeasurement failed;
  private final ObservableLongMeasurement askTimeouts;
  private final ObservableLongMeasurement foldedSeries;
  private final ObservableLongMeasurement recorded;
  private final ObservableLongMeasurement exported;
  private final ObservableLongMeasurement lost;
  private final ObservableLongMeasurement cut;
  private final ObservableLongMeasurement folded;
  private final ObservableLongMeasurement late;
  private final ObservableLongMeasurement unruled;
  private final ObservableLongMeasurement contexts;
  private final ObservableLongMeasurement hooks;

  private Instruments(Meter meter, ExportCounts exports, Limits limits) {
    this.exports = exports;
    this.limits = limits;
    processed = Instrument.PROCESSED.whole(meter);
    live = Instrument.ACTORS.whole(meter);
    started = Instrument.STARTED.whole(meter);
    stopped = Instrument.STOPPED.whole(meter);
    restarted = Instrument.RESTARTED.whole(meter);
    failed = Instrument.FAILED.whole(meter);
    askTimeouts = Instrument.ASK_TIMEOUTS.whole(meter);
    foldedSeries = Instrument.SERIES_FOLDED.whole(meter);
    recorded = Instrument.SPANS_RECORDED.whole(meter);
    exported = Instrument.SPANS_EXPORTED.whole(meter);
    lost = Instrument.SPANS_DROPPED.whole(meter);
    cut = Instrument.TRACES_CUT.whole(meter);
    contexts = Instrument.REMOTE_CONTEXTS.whole(meter);
    folded = Instrument.CLASSES_FOLDED.whole(meter);
    late = Instrument.UNCOUNTED.whole(meter);
    unruled = Instrument.UNRULED.whole(meter);
    hooks = Instrument.HOOKS_MISSING.whole(meter);
  }

  /** Has the instruments observed whenever the meter's provider collects. */
  @SuppressWarnings("resource") // observed as long as the process runs
  public static void register(Meter meter, ExportCounts exports, Limits limits) {
    Instruments all = new Instruments(meter, exports, limits);
    RareInstruments.register(meter);
    meter.batchCallback(
        all::observe,
        all.processed,
        all.live,
        all.started,
        all.stopped,
        all.restarted,
        all.failed,
        all.askTimeouts,
        all.foldedSeries,
        all.recorded,
        all.exported,
        all.lost,
        all.cut,
        all.folded,
        all.late,
        all.unruled,
        all.contexts,
        all.hooks);
  }

  private void observe() {
    try {
      messages();
      actors();
      own();
    } catch (Throwable t) {
      Faults.caught(t);
    }
  }

  private void messages() {
    Map<Attributes, Long> sums = new HashMap<>();
    for (MetricsFold.Series series : Recorder.metrics().series()) {
      sums.merge(MetricNames.of(series.kind(), series.message()), series.processed(), Long::sum);
    }
    sums.forEach((attributes, sum) -> processed.record(sum, attributes));
  }

  private void actors() {
    limits
        .actors()
        .forEach(
            (attributes, sum) -> {
              live.record(sum[Limits.LIVE], attributes);
              started.record(sum[Limits.STARTED], attributes);
              stopped.record(sum[Limits.STOPPED], attributes);
              restarted.record(sum[Limits.RESTARTED], attributes);
            });
    limits.failures().forEach((attributes, sum) -> failed.record(sum[0], attributes));
    limits
        .asks()
        .forEach((attributes, sum) -> askTimeouts.record(sum[Limits.ASK_TIMEOUTS], attributes));
    limits
        .folded()
        .forEach((of, count) -> foldedSeries.record(count, Instrument.SERIES_FOLDED.of(of)));
  }

  private void own() {
    recorded.record(Recorder.recorded());
    exported.record(exports.exported());
    long noRing = Recorder.droppedWithoutRing();
    lost.record(Recorder.dropped() - noRing, Instrument.SPANS_DROPPED.of("ring_full"));
    lost.record(noRing, Instrument.SPANS_DROPPED.of("no_memory"));
    lost.record(exports.failed(), Instrument.SPANS_DROPPED.of("export_failed"));
    lost.record(exports.refused(), Instrument.SPANS_DROPPED.of("export_slow"));
    lost.record(exports.unfinished(), Instrument.SPANS_DROPPED.of("shutdown"));
    cut.record(TraceGuard.aged(), Instrument.TRACES_CUT.of(TraceGuard.AGE));
    cut.record(TraceGuard.deep(), Instrument.TRACES_CUT.of(TraceGuard.DEPTH));
    cut.record(TraceGuard.large(), Instrument.TRACES_CUT.of(TraceGuard.SPANS));
    folded.record(MessageClasses.folded());
    late.record(Folds.late());
    unruled.record(Folds.unruled());
    contexts.record(RemoteCounts.unreadable(), Instrument.REMOTE_CONTEXTS.of("unreadable"));
    contexts.record(RemoteCounts.overLimit(), Instrument.REMOTE_CONTEXTS.of("over_limit"));
    contexts.record(RemoteCounts.cut(), Instrument.REMOTE_CONTEXTS.of("too_long"));
    contexts.record(KeepNotices.forgotten(), Instrument.REMOTE_CONTEXTS.of("too_many_notices"));
    if (HookReport.state() != HookReport.State.PENDING) {
      hooks.record(HookReport.missing().size());
    }
  }
}
