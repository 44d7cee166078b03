// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.span.PlainSpan;
import io.deimos.agent.span.RecordedSpan;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.housekeeping.Memory;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.ring.SpanView;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The traces worth a look, in memory, within {@link StoreLimits}.
 *
 * <p>A trace is judged when it has been quiet for {@value #QUIET_SECONDS} seconds, not when it
 * begins. Traces with a failure, a time-out, a dead letter or a stuck actor stay; of the others as
 * many a second as the limits say, fairly by root name. A span with trouble in it is kept although
 * its trace was not taken, and so is every trace that {@link #pin} names.
 *
 * <p><b>Threads.</b> {@link #accept(SpanView)}, {@link #round} and {@link #flush} belong to the
 * drainer; all else is safe for any thread. A span of a trace that is not taken takes no lock, as a
 * rule, and {@link #offer} takes none.
 *
 * <p><b>Full.</b> Fewer new traces are taken, those whose spread id is low; {@link Shelves} says
 * which traces go. All that is not kept is counted.
 */
public final class TraceStore implements SpanSink {
  static final int QUIET_SECONDS = 5;

  /** For how long a trace may be quiet before it is judged while one of its spans is missing. */
  static final int UNFINISHED_SECONDS = 30;

  /** The id of the process that has sent the span, if it was another one. */
  public static final AttributeKey<String> NODE = AttributeKey.stringKey("deimos.node");

  private final StoreLimits limits;
  private final LongSupplier clock;
  private final KeptTraces kept;
  private final MadeSpans made = new MadeSpans();
  private final SpanCopies copies;
  private final LongAdder spansSent = new LongAdder();

  public TraceStore(StoreLimits limits) {
    this(limits, Clock::now);
  }

  TraceStore(StoreLimits limits, LongSupplier clock) {
    this.limits = limits;
    this.clock = clock;
    this.kept = new KeptTraces(limits, clock);
    this.copies = new SpanCopies(clock);
    Memory.add(Memory.Purpose.STORE, () -> made.bytes() + kept.bytes());
  }

  @Override
  public void accept(SpanView span) {
    if (span.parentId() == 0) {
      kept.roots().began(span);
    }
    long spread = TraceKey.spread(span.traceHi(), span.traceLo());
    boolean trouble = StoredSpans.isTrouble(span);
    if (kept.isTurnedAway(spread, trouble)) {
      kept.pass(span, spread);
      return;
    }
    boolean bare = span.rare() == null;
    TraceKey key = new TraceKey(span.traceHi(), span.traceLo());
    long now = clock.getAsLong();
    KeptTrace trace;
    synchronized (kept) {
      trace = kept.admit(key, spread, trouble, now);
      if (trace != null && bare) {
        kept.add(trace, RecordedSpan.light(span), 1, false, now);
      }
    }
    if (trace == null) {
      kept.countTurnedAway(trouble);
      kept.pass(span, spread);
    } else if (!bare) {
      kept.addLater(trace, copies.of(span, trouble), trouble);
    }
  }

  /**
   * One span that OpenTelemetry has made, from the thread that ended it, which waits for nothing:
   * the drainer takes it in its next round. Those made from our own records must not come here.
   */
  public void offer(SpanData span) {
    if (!made.offer(span)) {
      kept.countTurnedAway(StoredSpans.isTrouble(span));
    }
  }

  /** The drainer takes what was {@linkplain #offer offered}. */
  @Override
  public void round() {
    for (int i = 0; i < MadeSpans.CAPACITY; i++) {
      SpanData span = made.poll();
      if (span == null) {
        return;
      }
      accept(span);
    }
  }

  /** As {@link #offer}, at once, under the lock; where there is no drainer. */
  public void accept(SpanData span) {
    if (StoredSpans.isRoot(span)) {
      kept.roots().began(span);
    }
    TraceKey key = TraceKey.parse(span.getSpanContext().getTraceId());
    boolean trouble = StoredSpans.isTrouble(span);
    long spread = key == null ? 0 : key.spread();
    if (key == null) {
      kept.countTurnedAway(trouble);
      return;
    }
    if (kept.isTurnedAway(spread, trouble)) {
      kept.pass(PlainSpan.of(span), spread, false);
      return;
    }
    KeptTrace trace;
    long now = clock.getAsLong();
    synchronized (kept) {
      trace = kept.admit(key, spread, trouble, now);
    }
    if (trace == null) {
      kept.countTurnedAway(trouble);
      kept.pass(PlainSpan.of(span), spread, false);
    } else {
      kept.addLater(trace, PlainSpan.of(span), trouble);
    }
  }

  /**
   * Takes spans that another program has sent over OTLP, as it takes those of this process: not all
   * under load, and fairly. A span that is there already is left out.
   *
   * @return how many were turned away, or were more than their trace may have
   */
  public int receive(List<SpanData> spans) {
    int turnedAway = 0;
    for (Map.Entry<TraceKey, List<SpanData>> some : byTrace(spans).entrySet()) {
      turnedAway += receive(some.getKey(), some.getValue());
    }
    return turnedAway;
  }

  private int receive(TraceKey key, List<SpanData> spans) {
    long spread = key.spread();
    int turnedAway = 0;
    Set<String> known = null;
    for (SpanData span : spans) {
      if (StoredSpans.isRoot(span)) {
        kept.roots().began(span);
      }
      boolean trouble = StoredSpans.isTrouble(span);
      if (kept.isTurnedAway(spread, trouble)) {
        kept.pass(span, spread, false);
        turnedAway++;
        continue;
      }
      int weight = StoredSpans.weight(span);
      long now = clock.getAsLong();
      synchronized (kept) {
        KeptTrace trace = kept.admit(key, spread, trouble, now);
        if (trace == null) {
          kept.countTurnedAway(trouble);
          kept.pass(span, spread, false);
          turnedAway++;
          continue;
        }
        if (known == null) {
          known = trace.spanIds();
        }
        if (known.add(span.getSpanContext().getSpanId())
            && !kept.add(trace, span, weight, trouble, now)) {
          turnedAway++;
        }
      }
    }
    return turnedAway;
  }

  private static Map<TraceKey, List<SpanData>> byTrace(List<SpanData> spans) {
    Map<TraceKey, List<SpanData>> byTrace = new LinkedHashMap<>();
    for (SpanData span : spans) {
      TraceKey key = TraceKey.parse(span.getSpanContext().getTraceId());
      if (key != null) {
        byTrace.computeIfAbsent(key, any -> new ArrayList<>()).add(span);
      }
    }
    return byTrace;
  }

  /**
   * Keeps a trace that an incident line names, before its spans have come: as long as there is any
   * room, and before all other traces.
   */
  public void pin(long hi, long lo) {
    kept.pin(new TraceKey(hi, lo));
  }

  /** Adapts to the load; called by the drainer when it has handed over what there was. */
  @Override
  public void flush() {
    round();
    long now = clock.getAsLong();
    synchronized (kept) {
      kept.tick(now);
    }
  }

  /** Whether spans of kept traces are sent to the page of another process; all, if so. */
  public void sends(boolean now) {
    synchronized (kept) {
      kept.sharing().sends(now);
      for (KeptTrace trace : kept.all()) {
        trace.sendAgain();
        if (now && trace.isKept()) {
          kept.sharing().more(trace);
        }
      }
    }
  }

  /** Whether other processes send spans of traces to this one. */
  public void asks(boolean now) {
    synchronized (kept) {
      kept.sharing().asks(now);
    }
  }

  /** Spans of kept traces that have not been sent yet; from now on they count as sent. */
  public List<SpanData> toSend(int mostSpans) {
    List<KeptTrace> next;
    synchronized (kept) {
      next = kept.sharing().nextToSend(mostSpans);
    }
    List<SpanData> spans = new ArrayList<>();
    next.forEach(trace -> spans.addAll(trace.takeUnsent()));
    return spans;
  }

  /** So many spans are on their way to the page that this process has joined. */
  public void countSent(int spans) {
    spansSent.add(spans);
  }

  /** Spans that were sent to the page that this process has joined. */
  public long spansSent() {
    return spansSent.sum();
  }

  /** The ids of the traces kept since this was asked last. */
  public List<TraceKey> newlyKept() {
    synchronized (kept) {
      return kept.sharing().newlyKept();
    }
  }

  /** So many kept traces whose other parts a process was not asked for: there was no room. */
  public void countNotAskedFor(int newlyKept) {
    synchronized (kept) {
      kept.sharing().notAskedFor(newlyKept);
    }
  }

  /** How often a process was not asked for its part of a kept trace, since there was no room. */
  public long tracesNotAskedFor() {
    synchronized (kept) {
      return kept.sharing().tracesNotAskedFor();
    }
  }

  /** Keeps what is here of traces that another process has kept. */
  public void keep(List<TraceKey> wanted) {
    long now = clock.getAsLong();
    synchronized (kept) {
      for (TraceKey key : wanted) {
        KeptTrace trace = kept.get(key);
        if (trace != null && !trace.isKept()) {
          kept.place(trace, Shelves.Shelf.ORDINARY, now);
        }
      }
    }
  }

  /**
   * Adds spans of another process to their traces, and keeps these. A span that is there already is
   * left out.
   */
  public void adopt(List<SpanData> spans) {
    byTrace(spans).forEach(kept::adopt);
  }

  /** Among the traces that stay, those that are whole and have spans of several processes. */
  public Kept kept() {
    List<KeptTrace> staying = kept.staying();
    long overNodes =
        staying.stream()
            .map(trace -> trace.summary(true))
            .filter(trace -> trace.complete() && trace.nodes() > 1)
            .count();
    return new Kept(staying.size(), overNodes);
  }

  /**
   * How many traces stay in the store.
   *
   * @param wholeOverNodes those of them that are whole and have spans of several processes
   */
  public record Kept(long traces, long wholeOverNodes) {}

  /** Spans of kept traces that were to be sent, and for which there was no room on the way. */
  public void countNotSent(int spans) {
    synchronized (kept) {
      kept.sharing().notSent(spans);
    }
  }

  /** Spans of kept traces that had to go before they could be sent. */
  public long spansNotSent() {
    synchronized (kept) {
      return kept.sharing().spansNotSent();
    }
  }

  /** The latest traces, as below, of all. For who does not search for a request. */
  public List<TraceSummary> latest(int limit, boolean onlyTrouble, TraceQuery query) {
    return latest(limit, onlyTrouble, query, Scan.unbounded());
  }

  /**
   * The latest traces, by their start, newest first. While some of the traces that are not judged
   * yet will have to go, these are not listed. Without a query one root name takes a quarter of the
   * list, or its share if there are fewer than four names.
   *
   * @param limit how many at most
   * @param onlyTrouble leaves out those in which nothing went wrong
   * @param scan told of what was not looked at, if it has ended before
   */
  public List<TraceSummary> latest(int limit, boolean onlyTrouble, TraceQuery query, Scan scan) {
    long now = clock.getAsLong();
    boolean asked = onlyTrouble || !query.isEmpty();
    return new TraceList(kept.listed(asked), limit, asked)
        .summaries(
            trace -> (!onlyTrouble || trace.hasTrouble()) && query.matches(trace, scan),
            trace -> trace.isQuiet(now),
            scan);
  }

  /**
   * Whether there is anything of a trace.
   *
   * @param toStay whether one that is not judged yet, and may go, is left out
   */
  public boolean has(long hi, long lo, boolean toStay) {
    synchronized (kept) {
      KeptTrace trace = kept.get(new TraceKey(hi, lo));
      return trace != null && trace.size() > 0 && (trace.isKept() || !toStay);
    }
  }

  /** All traces that match, added up as below. For who does not search for a request. */
  public TraceGroups groups(int limit, boolean onlyTrouble, TraceQuery query) {
    return groups(limit, onlyTrouble, query, Scan.unbounded());
  }

  /**
   * The traces that match, added up. While some of those that are not judged yet will have to go,
   * these do not count.
   *
   * @param limit how many names at most
   * @param scan told of what was not looked at, if it has ended before
   */
  public TraceGroups groups(int limit, boolean onlyTrouble, TraceQuery query, Scan scan) {
    List<KeptTrace> candidates = kept.listed(false);
    List<TraceGroups.One> matching = new ArrayList<>();
    int looked = 0;
    for (KeptTrace trace : candidates) {
      if (scan.isCut()) {
        scan.leftOut("Among " + candidates.size() + " traces, all but " + (looked - 1));
        break;
      }
      looked++;
      boolean trouble = trace.hasTrouble();
      if (trace.size() > 0 && (trouble || !onlyTrouble) && query.matches(trace, scan)) {
        matching.add(
            new TraceGroups.One(
                trace.traceId(),
                trace.name(),
                trace.startEpochNanos(),
                trace.durationNanos(),
                trouble));
      }
    }
    return TraceGroups.of(matching, limit);
  }

  /**
   * The traces that match against the others of the same name.
   *
   * @param limit how many differences at most
   * @param scan told of what was not looked at, if it has ended before
   */
  public TraceComparison compare(int limit, boolean onlyTrouble, TraceQuery query, Scan scan) {
    return TraceComparer.compare(
        kept.listed(false),
        trace -> (!onlyTrouble || trace.hasTrouble()) && query.matches(trace, scan),
        limit,
        scan);
  }

  /** The counts of all that this process has recorded, of which the store keeps a part. */
  public RecordedTraces recorded() {
    return kept.roots().snapshot();
  }

  /** The trace with this id, or null if it is not kept. One that is looked at is as good as new. */
  public @Nullable StoredTrace trace(String traceId) {
    TraceKey key = TraceKey.parse(traceId);
    long now = clock.getAsLong();
    KeptTrace trace;
    synchronized (kept) {
      trace = key == null ? null : kept.get(key);
      if (trace != null && trace.size() > 0 && !trace.shelf().isTrouble()) {
        kept.place(trace, Shelves.Shelf.ORDINARY, now);
      }
    }
    return trace == null || trace.size() == 0 ? null : trace.whole(trace.isQuiet(now));
  }

  /** Why {@link #trace} has none of this id. */
  public Absence absence(String traceId) {
    TraceKey key = TraceKey.parse(traceId);
    return key == null ? Absence.NO_ID : kept.absence(key);
  }

  public StoreCounts counts() {
    return kept.counts();
  }

  public StoreLimits limits() {
    return limits;
  }

  /** The share of new traces that are taken now, in (0, 1]. */
  public double share() {
    return kept.share();
  }

  /** Why a trace is not in the store. */
  public enum Absence {
    /** The text is no trace id. */
    NO_ID,
    /** An incident line names it, and no span of it has come yet. */
    TO_COME,
    /** It was kept once, and was put out. */
    PUT_OUT,
    /** It came while fewer traces were taken than came. */
    NOT_TAKEN,
    /** It is not of this process, or was turned away or put out too long ago to be known. */
    UNKNOWN
  }
}
