// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import io.deimos.agent.span.PlainSpan;
import io.deimos.agent.span.RecordedSpan;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.housekeeping.Memory;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.ring.SpanView;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
 * <p><b>Threads.</b> {@link #accept(SpanView)} and {@link #flush} belong to the drainer; all else
 * is safe for any thread. A span of a trace that is not taken takes no lock, as a rule.
 *
 * <p><b>Full.</b> Fewer new traces are taken, those whose spread id is low; {@link Shelves} says
 * which traces go. All that is not kept is counted.
 */
public final class TraceStore implements SpanSink {
  static final int QUIET_SECONDS = 5;

  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(QUIET_SECONDS);
  private static final int SPAN_BYTES = 128;
  private static final long SECOND_NANOS = 1_000_000_000L;

  /** How many times as many traces are held as are kept, so that there is a choice. */
  private static final int HELD_FOR_ONE_KEPT = 8;

  /** How many seconds' worth of ordinary traces one round may keep after a pause. */
  private static final long MOST_SECONDS = 10;

  private final StoreLimits limits;
  private final LongSupplier clock;
  private final Map<TraceKey, KeptTrace> traces = new HashMap<>();
  private final SpanCopies copies;
  private final Shelves shelves;
  private final LostTraces evicted = new LostTraces();
  private final LostTraces refused = new LostTraces();
  private final KeptFilter filter = new KeptFilter();
  private final Admission admission;
  private final LongAdder spansTurnedAway = new LongAdder();
  private final LongAdder errorsTurnedAway = new LongAdder();
  private int spansKept;
  private long spansTruncated;
  private long tracesLetGo;
  private long spansLetGo;
  private long tracesThinned;
  private long spansThinned;
  private long tracesEvicted;
  private long troubleEvicted;
  private long spansEvicted;
  private long judgedAt;
  private boolean lettingGo;

  /** How many traces that were not taken may still be kept this second, for trouble in them. */
  private volatile int lateLeft;

  public TraceStore(StoreLimits limits) {
    this(limits, Clock::now);
  }

  TraceStore(StoreLimits limits, LongSupplier clock) {
    this.limits = limits;
    this.clock = clock;
    this.judgedAt = clock.getAsLong();
    this.copies = new SpanCopies(clock);
    this.shelves = new Shelves(limits.spansKept());
    this.lateLeft = limits.tracesPerSecond();
    Memory.add(Memory.Purpose.STORE, this::bytes);
    this.admission =
        new Admission(
            HELD_FOR_ONE_KEPT * limits.tracesPerSecond(),
            Math.max(50, limits.spansKept() / 4),
            clock.getAsLong());
  }

  @Override
  public void accept(SpanView span) {
    long spread = TraceKey.spread(span.traceHi(), span.traceLo());
    boolean trouble = StoredSpans.isTrouble(span);
    if (isTurnedAway(spread, trouble)) {
      return;
    }
    boolean bare = span.rare() == null;
    TraceKey key = new TraceKey(span.traceHi(), span.traceLo());
    long now = clock.getAsLong();
    KeptTrace trace;
    synchronized (traces) {
      trace = admit(key, spread, trouble, now);
      if (trace != null && bare) {
        add(trace, RecordedSpan.light(span), 1, false, now);
      }
    }
    if (trace == null) {
      countTurnedAway(trouble);
    } else if (!bare) {
      addLater(trace, copies.of(span, trouble), trouble);
    }
  }

  /** One span that OpenTelemetry has made. Those made from our own records must not come here. */
  public void accept(SpanData span) {
    TraceKey key = TraceKey.parse(span.getSpanContext().getTraceId());
    boolean trouble = StoredSpans.isTrouble(span);
    long spread = key == null ? 0 : key.spread();
    if (key == null || isTurnedAway(spread, trouble)) {
      if (key == null) {
        countTurnedAway(trouble);
      }
      return;
    }
    KeptTrace trace;
    long now = clock.getAsLong();
    synchronized (traces) {
      trace = admit(key, spread, trouble, now);
    }
    if (trace == null) {
      countTurnedAway(trouble);
    } else {
      addLater(trace, PlainSpan.of(span), trouble);
    }
  }

  /**
   * Keeps a trace that an incident line names, before its spans have come: as long as there is any
   * room, and before all other traces.
   */
  public void pin(long hi, long lo) {
    TraceKey key = new TraceKey(hi, lo);
    long now = clock.getAsLong();
    synchronized (traces) {
      KeptTrace trace = traces.get(key);
      if (trace == null) {
        trace = new KeptTrace(key, key.spread(), limits.spansPerTrace(), true, now);
        traces.put(key, trace);
        filter.add(key.spread());
      }
      shelves.remove(trace);
      trace.pin();
      shelves.place(trace, Shelves.Shelf.TROUBLE);
      makeRoom();
    }
  }

  /** Adapts to the load; called by the drainer when it has handed over what there was. */
  @Override
  public void flush() {
    long now = clock.getAsLong();
    synchronized (traces) {
      tick(now);
    }
  }

  private boolean isTurnedAway(long spread, boolean trouble) {
    if (admission.isOutOfReach(spread) && !(trouble && lateLeft > 0) && !filter.mightHold(spread)) {
      countTurnedAway(trouble);
      return true;
    }
    return false;
  }

  private void countTurnedAway(boolean trouble) {
    spansTurnedAway.increment();
    if (trouble) {
      errorsTurnedAway.increment();
    }
  }

  /** The trace to add to, or null if it is turned away. Under the lock. */
  private @Nullable KeptTrace admit(TraceKey key, long spread, boolean trouble, long now) {
    tick(now);
    KeptTrace trace = traces.get(key);
    if (trace == null) {
      int left = lateLeft;
      boolean taken = admission.admit(spread, now);
      if (!taken) {
        if (!trouble || left <= 0) {
          refused.add(spread);
          return null;
        }
        lateLeft = left - 1;
      }
      trace = new KeptTrace(key, spread, limits.spansPerTrace(), !taken, now);
      traces.put(key, trace);
      filter.add(spread);
      shelves.hold(trace);
    }
    admission.countSpan();
    return trace;
  }

  /** Adds a span that was copied outside the lock, unless the trace has gone meanwhile. */
  private void addLater(KeptTrace trace, SpanData span, boolean trouble) {
    int spanWeight = StoredSpans.weight(span);
    long now = clock.getAsLong();
    synchronized (traces) {
      if (!trace.isEvicted()) {
        add(trace, span, spanWeight, trouble, now);
        return;
      }
    }
    countTurnedAway(trouble);
  }

  /** Under the lock. */
  private void add(KeptTrace trace, SpanData span, int spanWeight, boolean trouble, long now) {
    if (!trace.add(span, spanWeight, trouble, now)) {
      spansTruncated++;
      return;
    }
    shelves.add(trace, spanWeight);
    spansKept++;
    if (trouble && trace.shelf() != Shelves.Shelf.TROUBLE) {
      shelves.place(trace, Shelves.Shelf.TROUBLE);
    }
    if (shelves.isFull()) {
      makeRoom();
    }
  }

  private void makeRoom() {
    while (shelves.isFull()) {
      KeptTrace trace = shelves.nextToThin();
      if (trace != null) {
        thin(trace);
        continue;
      }
      trace = shelves.nextToGo();
      if (trace == null) {
        return;
      }
      tracesEvicted++;
      troubleEvicted += trace.shelf() == Shelves.Shelf.TROUBLE ? 1 : 0;
      spansEvicted += trace.size();
      putOut(trace);
    }
  }

  private void thin(KeptTrace trace) {
    shelves.remove(trace);
    int lost = trace.thin();
    shelves.place(trace, Shelves.Shelf.TROUBLE);
    spansKept -= lost;
    spansThinned += lost;
    tracesThinned++;
  }

  private void putOut(KeptTrace trace) {
    shelves.remove(trace);
    traces.remove(trace.key());
    spansKept -= trace.size();
    trace.evict();
    admission.turnAway(trace.spread());
    evicted.add(trace.spread());
  }

  private void tick(long now) {
    if (admission.tick(now)) {
      judge(now);
      filter.rebuild(traces.values());
      lateLeft = limits.tracesPerSecond();
    }
  }

  /** Decides on what has been quiet; what has trouble in it has left the held ones before. */
  private void judge(long now) {
    List<KeptTrace> due = shelves.due(now, QUIET_NANOS);
    long seconds = Math.max(1, Math.min(MOST_SECONDS, (now - judgedAt) / SECOND_NANOS));
    judgedAt = now;
    Set<KeptTrace> chosen =
        FairShare.choose(
            due, (int) Math.min(Integer.MAX_VALUE, seconds * limits.tracesPerSecond()));
    for (KeptTrace trace : due) {
      if (chosen.contains(trace)) {
        shelves.place(trace, Shelves.Shelf.ORDINARY);
      } else {
        tracesLetGo++;
        spansLetGo += trace.size();
        putOut(trace);
      }
    }
    lettingGo = chosen.size() < due.size();
  }

  /**
   * The latest traces, by their start, newest first. While some of the traces that are not judged
   * yet will have to go, these are not listed. Without a query one root name takes a quarter of the
   * list, or its share if there are fewer than four names.
   *
   * @param limit how many at most
   * @param onlyTrouble leaves out those in which nothing went wrong
   */
  public List<TraceSummary> latest(int limit, boolean onlyTrouble, TraceQuery query) {
    long now = clock.getAsLong();
    boolean asked = onlyTrouble || !query.isEmpty();
    List<KeptTrace> candidates = new ArrayList<>();
    synchronized (traces) {
      tick(now);
      for (KeptTrace trace : traces.values()) {
        if (asked || !lettingGo || trace.shelf() != Shelves.Shelf.HELD) {
          candidates.add(trace);
        }
      }
    }
    return new TraceList(candidates, limit, asked)
        .summaries(
            trace -> (!onlyTrouble || trace.hasTrouble()) && query.matches(trace),
            trace -> trace.isQuiet(now, QUIET_NANOS));
  }

  /** The trace with this id, or null if it is not kept. One that is looked at is as good as new. */
  public @Nullable StoredTrace trace(String traceId) {
    TraceKey key = TraceKey.parse(traceId);
    long now = clock.getAsLong();
    KeptTrace trace;
    synchronized (traces) {
      trace = key == null ? null : traces.get(key);
      if (trace != null && trace.size() > 0 && trace.shelf() != Shelves.Shelf.TROUBLE) {
        shelves.place(trace, Shelves.Shelf.ORDINARY);
      }
    }
    return trace == null || trace.size() == 0 ? null : trace.whole(trace.isQuiet(now, QUIET_NANOS));
  }

  /** Why {@link #trace} has none of this id. */
  public Absence absence(String traceId) {
    TraceKey key = TraceKey.parse(traceId);
    if (key == null) {
      return Absence.NO_ID;
    }
    synchronized (traces) {
      if (traces.containsKey(key)) {
        return Absence.TO_COME;
      }
      if (evicted.contains(key.spread())) {
        return Absence.PUT_OUT;
      }
      return refused.contains(key.spread()) ? Absence.NOT_TAKEN : Absence.UNKNOWN;
    }
  }

  public StoreLimits limits() {
    return limits;
  }

  public StoreCounts counts() {
    synchronized (traces) {
      return new StoreCounts(
          traces.size(),
          spansKept,
          spansTurnedAway.sum(),
          errorsTurnedAway.sum(),
          spansTruncated,
          tracesLetGo,
          spansLetGo,
          tracesThinned,
          spansThinned,
          tracesEvicted,
          troubleEvicted,
          spansEvicted);
    }
  }

  /** What the spans take, about: numbers and references, and text for those that weigh more. */
  private long bytes() {
    synchronized (traces) {
      return (long) spansKept * SPAN_BYTES
          + Math.max(0L, shelves.weight() - spansKept) * StoreLimits.TEXT_PER_SPAN;
    }
  }

  /** The share of new traces that are taken now, in (0, 1]. */
  public double share() {
    synchronized (traces) {
      return admission.share();
    }
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
