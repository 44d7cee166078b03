// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import io.deimos.agent.span.PlainSpan;
import io.deimos.agent.span.RecordedSpan;
import io.deimos.recorder.Clock;
import io.deimos.recorder.Rare;
import io.deimos.recorder.SpanSink;
import io.deimos.recorder.SpanView;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The latest traces, in memory, within {@link StoreLimits}.
 *
 * <p><b>Threads.</b> {@link #accept(SpanView)} and {@link #flush} belong to the drainer; all else
 * is safe for any thread. A span of a trace that is not kept takes no lock, as a rule.
 *
 * <p><b>Record.</b> A record is kept as a {@link RecordedSpan}, numbers and references, unless it
 * has a {@link Rare}: then as a {@link PlainSpan}, since the store must not keep the application's
 * exceptions and references alive.
 *
 * <p><b>Full.</b> The oldest trace is given up whole, and its later spans are turned away. All that
 * is not kept is counted.
 */
public final class TraceStore implements SpanSink {
  private static final int STACK_TRACES_PER_SECOND = 20;
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final StoreLimits limits;
  private final Map<TraceKey, KeptTrace> traces = new LinkedHashMap<>();
  private final KeptFilter filter = new KeptFilter();
  private final Admission admission;
  private final LongAdder spansTurnedAway = new LongAdder();
  private final LongAdder errorsTurnedAway = new LongAdder();
  private int weight;
  private int spansKept;
  private long spansTruncated;
  private long tracesEvicted;
  private long spansEvicted;

  private long stackTracesSince = Clock.now();
  private int stackTraces;

  public TraceStore(StoreLimits limits) {
    this.limits = limits;
    this.admission =
        new Admission(limits.tracesPerSecond(), Math.max(50, limits.spansKept() / 4), Clock.now());
  }

  @Override
  public void accept(SpanView span) {
    long spread = TraceKey.spread(span.traceHi(), span.traceLo());
    Rare rare = span.rare();
    boolean failed = rare != null && rare.error() != null;
    if (isTurnedAway(spread, failed)) {
      return;
    }
    KeptTrace trace = admit(new TraceKey(span.traceHi(), span.traceLo()), spread, failed);
    if (trace != null) {
      add(trace, copy(span, failed), failed);
    }
  }

  /** One span that OpenTelemetry has made. Those made from our own records must not come here. */
  public void accept(SpanData span) {
    TraceKey key = TraceKey.parse(span.getSpanContext().getTraceId());
    boolean failed = StoredSpans.isFailed(span);
    long spread = key == null ? 0 : key.spread();
    if (key == null || isTurnedAway(spread, failed)) {
      if (key == null) {
        countTurnedAway(failed);
      }
      return;
    }
    KeptTrace trace = admit(key, spread, failed);
    if (trace != null) {
      add(trace, PlainSpan.of(span), failed);
    }
  }

  /** Adapts to the load; called by the drainer when it has handed over what there was. */
  @Override
  public void flush() {
    long now = Clock.now();
    synchronized (traces) {
      tick(now);
    }
  }

  private SpanData copy(SpanView view, boolean failed) {
    RecordedSpan copy = new RecordedSpan(view, Resource.empty());
    if (copy.rare() == null) {
      return copy;
    }
    return failed && !mayPrintStackTrace() ? PlainSpan.withoutStackTrace(copy) : PlainSpan.of(copy);
  }

  private boolean mayPrintStackTrace() {
    long now = Clock.now();
    if (now - stackTracesSince >= SECOND_NANOS) {
      stackTracesSince = now;
      stackTraces = 0;
    }
    return stackTraces++ < STACK_TRACES_PER_SECOND;
  }

  private boolean isTurnedAway(long spread, boolean failed) {
    if (admission.isOutOfReach(spread) && !filter.mightHold(spread)) {
      countTurnedAway(failed);
      return true;
    }
    return false;
  }

  private void countTurnedAway(boolean failed) {
    spansTurnedAway.increment();
    if (failed) {
      errorsTurnedAway.increment();
    }
  }

  /** The trace to add to, or null if it is turned away. */
  private @Nullable KeptTrace admit(TraceKey key, long spread, boolean failed) {
    long now = Clock.now();
    synchronized (traces) {
      tick(now);
      KeptTrace trace = traces.get(key);
      if (trace == null && admission.admit(spread, now)) {
        trace = new KeptTrace(key, spread, limits.spansPerTrace());
        traces.put(key, trace);
        filter.add(spread);
      }
      if (trace != null) {
        admission.countSpan();
        return trace;
      }
    }
    countTurnedAway(failed);
    return null;
  }

  private void add(KeptTrace trace, SpanData span, boolean failed) {
    int spanWeight = StoredSpans.weight(span);
    synchronized (traces) {
      if (!trace.isEvicted()) {
        if (trace.add(span, spanWeight)) {
          weight += spanWeight;
          spansKept++;
          makeRoom();
        } else {
          spansTruncated++;
        }
        return;
      }
    }
    countTurnedAway(failed);
  }

  private void makeRoom() {
    Iterator<KeptTrace> oldest = traces.values().iterator();
    while (weight > limits.spansKept() || traces.size() > limits.spansKept()) {
      KeptTrace trace = oldest.next();
      oldest.remove();
      trace.evict();
      admission.turnAway(trace.spread());
      weight -= trace.weight();
      spansKept -= trace.size();
      spansEvicted += trace.size();
      tracesEvicted++;
    }
  }

  private void tick(long now) {
    if (admission.tick(now)) {
      filter.rebuild(traces.values());
    }
  }

  /**
   * The latest traces, by their start, newest first.
   *
   * @param limit how many at most
   * @param onlyErrors leaves out those in which nothing failed or timed out
   * @param text what the trace's id, a span's name or one of its values contains, in any case;
   *     empty for every trace
   */
  public List<TraceSummary> latest(int limit, boolean onlyErrors, String text) {
    TextSearch wanted = new TextSearch(text);
    List<TraceSummary> found = new ArrayList<>();
    for (Dated dated : byStart()) {
      if (found.size() == limit) {
        break;
      }
      KeptTrace trace = dated.trace;
      if ((!onlyErrors || trace.hasErrors()) && mentions(trace, wanted)) {
        found.add(trace.summary());
      }
    }
    return found;
  }

  private List<Dated> byStart() {
    List<KeptTrace> all;
    synchronized (traces) {
      all = new ArrayList<>(traces.values());
    }
    List<Dated> dated = new ArrayList<>(all.size());
    for (KeptTrace trace : all) {
      if (trace.size() > 0) {
        dated.add(new Dated(trace, trace.startEpochNanos()));
      }
    }
    dated.sort(Comparator.comparingLong(Dated::startEpochNanos).reversed());
    return dated;
  }

  private static boolean mentions(KeptTrace trace, TextSearch wanted) {
    if (wanted.isEmpty() || wanted.matchesId(trace.traceId())) {
      return true;
    }
    for (SpanData span : trace.spans()) {
      if (wanted.matches(span)) {
        return true;
      }
    }
    return false;
  }

  /** The trace with this id, or null if it is not kept. */
  public @Nullable StoredTrace trace(String traceId) {
    TraceKey key = TraceKey.parse(traceId);
    KeptTrace trace;
    synchronized (traces) {
      trace = key == null ? null : traces.get(key);
    }
    return trace == null || trace.size() == 0 ? null : trace.whole();
  }

  public StoreCounts counts() {
    synchronized (traces) {
      return new StoreCounts(
          traces.size(),
          spansKept,
          spansTurnedAway.sum(),
          errorsTurnedAway.sum(),
          spansTruncated,
          tracesEvicted,
          spansEvicted);
    }
  }

  /** The share of new traces that are admitted now, in (0, 1]. */
  public double share() {
    synchronized (traces) {
      return admission.share();
    }
  }

  private record Dated(KeptTrace trace, long startEpochNanos) {}
}
