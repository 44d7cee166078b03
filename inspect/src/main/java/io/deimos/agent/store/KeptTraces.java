// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import io.deimos.agent.span.RecordedSpan;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.SpanView;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The traces in memory: which are admitted, which stay once they are quiet, and which make room.
 *
 * <p><b>Threads.</b> One lock, this object, which callers hold where a method says so. {@link
 * #isTurnedAway}, {@link #countTurnedAway} and {@link #pass} take none.
 */
final class KeptTraces {
  /** For how long a trace that was not chosen stays, while another process may want it. */
  private static final long SPARED_NANOS = TimeUnit.SECONDS.toNanos(4);

  private static final int SPAN_BYTES = 128;

  private static final long SECOND_NANOS = 1_000_000_000L;

  /** How many times as many traces are held as are kept, so that there is a choice. */
  private static final int HELD_FOR_ONE_KEPT = 8;

  /** How many places there are for the latest spans that are not kept, for one that is. */
  private static final int PASSED_FOR_ONE_KEPT = 4;

  /** How many seconds' worth of ordinary traces one round may keep after a pause. */
  private static final long MAX_SECONDS = 10;

  private final StoreLimits limits;
  private final LongSupplier clock;
  private final Sharing sharing = new Sharing();
  private final RootCounts roots;
  private final Map<TraceKey, KeptTrace> traces = new HashMap<>();
  private final Shelves shelves;
  private final LostTraces evicted = new LostTraces();
  private final LostTraces refused = new LostTraces();
  private final KeptFilter filter = new KeptFilter();
  private final Admission admission;
  private final PassedSpans passed;

  /** Those with trouble in them that still run, as far as can be told. */
  private final Set<KeptTrace> unfinishedTrouble = new LinkedHashSet<>();

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

  /** When the latest trace that had to be thinned was found to have trouble in it. */
  private long thinnedUpTo;

  private boolean lettingGo;

  /** How many traces that were taken turned out to have trouble in them this second. */
  private int troubleInSecond;

  /**
   * How many traces that were not taken may still be kept this second, for trouble in them; none if
   * there are enough that were taken, since a part of these is missing.
   */
  private volatile int lateLeft;

  KeptTraces(StoreLimits limits, LongSupplier clock) {
    this.limits = limits;
    this.clock = clock;
    this.judgedAt = clock.getAsLong();
    this.roots = new RootCounts(Clock.epochNanos(judgedAt));
    this.thinnedUpTo = judgedAt;
    this.passed = new PassedSpans(PASSED_FOR_ONE_KEPT * limits.spansKept());
    this.shelves = new Shelves(limits.spansKept());
    this.lateLeft = limits.tracesPerSecond();
    this.admission =
        new Admission(
            HELD_FOR_ONE_KEPT * limits.tracesPerSecond(),
            Math.max(50, limits.spansKept() / 4),
            clock.getAsLong());
  }

  boolean isTurnedAway(long spread, boolean trouble) {
    if (admission.isOutOfReach(spread) && !(trouble && lateLeft > 0) && !filter.mightHold(spread)) {
      countTurnedAway(trouble);
      return true;
    }
    return false;
  }

  void countTurnedAway(boolean trouble) {
    spansTurnedAway.increment();
    if (trouble) {
      errorsTurnedAway.increment();
    }
  }

  /** The trace to add to, or null if it is turned away. Under the lock. */
  @Nullable KeptTrace admit(TraceKey key, long spread, boolean trouble, long now) {
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
      trace = begin(key, spread, !taken, now);
      shelves.hold(trace, now);
      if (!taken) {
        recover(trace, now);
      }
    }
    admission.countSpan();
    return trace.isEvicted() ? null : trace;
  }

  private KeptTrace begin(TraceKey key, long spread, boolean isLate, long now) {
    KeptTrace trace = new KeptTrace(key, spread, limits.spansPerTrace(), isLate, now);
    traces.put(key, trace);
    filter.add(spread);
    return trace;
  }

  /** A span that is not kept: if trouble comes to its trace in time, it is there. */
  void pass(SpanView span, long spread) {
    if (RecordedSpan.isLight(span.rare())) {
      passed.add(RecordedSpan.light(span), spread, false, clock.getAsLong());
    } else {
      passed.gap(spread, clock.getAsLong());
    }
  }

  void pass(SpanData span, long spread, boolean wasLetGo) {
    passed.add(span, spread, wasLetGo, clock.getAsLong());
  }

  /** Under the lock: spans of a trace that came before it was kept. */
  private void recover(KeptTrace trace, long now) {
    PassedSpans.Taken taken = passed.take(trace.spread());
    trace.lostUpTo(
        taken.lostUpToNanos() == Long.MIN_VALUE || taken.lostUpToNanos() == Long.MAX_VALUE
            ? taken.lostUpToNanos()
            : Clock.epochNanos(taken.lostUpToNanos()));
    spansLetGo -= taken.wereLetGo();
    spansTurnedAway.add(taken.wereLetGo() - taken.spans().size());
    for (SpanData span : taken.spans()) {
      if (trace.isEvicted()) {
        countTurnedAway(false);
      } else {
        add(trace, span, StoredSpans.weight(span), false, now);
      }
    }
  }

  /** Adds a span that was copied outside the lock, unless the trace has gone meanwhile. */
  void addLater(KeptTrace trace, SpanData span, boolean trouble) {
    int spanWeight = StoredSpans.weight(span);
    long now = clock.getAsLong();
    synchronized (this) {
      if (!trace.isEvicted()) {
        add(trace, span, spanWeight, trouble, now);
        return;
      }
    }
    countTurnedAway(trouble);
  }

  /** Under the lock. False if the trace has as many as it may have. */
  boolean add(KeptTrace trace, SpanData span, int spanWeight, boolean trouble, long now) {
    boolean first = trouble && trace.trouble().isEmpty();
    if (!trace.add(span, spanWeight, trouble, now)) {
      spansTruncated++;
      return false;
    }
    shelves.add(trace, spanWeight);
    spansKept++;
    if (first) {
      troubleInSecond += trace.isLate() ? 0 : 1;
      place(trace, trace.shelf().isTrouble() ? trace.shelf() : Shelves.Shelf.TROUBLE, now);
    } else if (trace.isKept()) {
      sharing.more(trace);
    }
    if (shelves.isFull()) {
      makeRoom(now);
    }
    return true;
  }

  /** Under the lock: a trace stays, as far as there is room. */
  void place(KeptTrace trace, Shelves.Shelf shelf, long now) {
    shelves.place(trace, shelf, now);
    sharing.kept(trace);
    if (shelf == Shelves.Shelf.ORDINARY) {
      count(trace);
    } else if (!trace.isCounted()) {
      unfinishedTrouble.add(trace);
    } else if (trace.hasTrouble() && trace.countTrouble()) {
      roots.troubled(trace.name());
    }
  }

  /** A trace has ended, or goes: it counts for its name, once. */
  private void count(KeptTrace trace) {
    if (trace.size() > 0 && trace.count()) {
      roots.ended(trace.name(), trace.durationNanos(), trace.hasTrouble(), !trace.isLate());
    }
  }

  private void makeRoom(long now) {
    while (shelves.isFull()) {
      KeptTrace trace = shelves.nextToThin(now);
      if (trace != null) {
        thin(trace, now);
        continue;
      }
      trace = shelves.nextToGo(now);
      if (trace == null) {
        return;
      }
      tracesEvicted++;
      troubleEvicted += trace.shelf().isTrouble() ? 1 : 0;
      spansEvicted += trace.size();
      putOut(trace);
    }
  }

  private void thin(KeptTrace trace, long now) {
    if (!shelves.isHuge(trace)) {
      thinnedUpTo = Math.max(thinnedUpTo, trace.sinceNanos());
    }
    shelves.remove(trace);
    int lost = trace.thin();
    shelves.place(trace, Shelves.Shelf.THINNED, now);
    spansKept -= lost;
    spansThinned += lost;
    tracesThinned++;
  }

  private void putOut(KeptTrace trace) {
    count(trace);
    unfinishedTrouble.remove(trace);
    sharing.gone(trace);
    shelves.remove(trace);
    traces.remove(trace.key());
    spansKept -= trace.size();
    trace.evict();
    admission.turnAway(trace.spread());
    evicted.add(trace.spread());
  }

  void tick(long now) {
    if (admission.tick(now)) {
      judge(now);
      filter.rebuild(traces.values());
      lateLeft = Math.max(0, limits.tracesPerSecond() - troubleInSecond);
      troubleInSecond = 0;
    }
  }

  /** Decides on what has been quiet; what has trouble in it has left the held ones before. */
  private void judge(long now) {
    List<KeptTrace> due = new ArrayList<>();
    List<KeptTrace> spared = new ArrayList<>();
    for (KeptTrace trace : shelves.due(now)) {
      (trace.sparedUntilNanos() == 0 ? due : spared).add(trace);
    }
    long seconds = Math.max(1, Math.min(MAX_SECONDS, (now - judgedAt) / SECOND_NANOS));
    judgedAt = now;
    Set<KeptTrace> chosen =
        FairShare.choose(
            due, (int) Math.min(Integer.MAX_VALUE, seconds * limits.tracesPerSecond()));
    for (KeptTrace trace : due) {
      if (chosen.contains(trace)) {
        place(trace, Shelves.Shelf.ORDINARY, now);
      } else if (sharing.isOn() && !shelves.isCrowded()) {
        trace.spare(now + SPARED_NANOS);
      } else {
        letGo(trace);
      }
    }
    for (KeptTrace trace : spared) {
      if (now - trace.sparedUntilNanos() >= 0 || shelves.isCrowded()) {
        letGo(trace);
      }
    }
    lettingGo = chosen.size() < due.size();
    for (Iterator<KeptTrace> all = unfinishedTrouble.iterator(); all.hasNext(); ) {
      KeptTrace trace = all.next();
      if (trace.hasEnded(now)) {
        count(trace);
        all.remove();
      }
    }
  }

  private void letGo(KeptTrace trace) {
    tracesLetGo++;
    spansLetGo += trace.size();
    for (SpanData span : trace.spans()) {
      pass(span, trace.spread(), true);
    }
    putOut(trace);
  }

  synchronized void pin(TraceKey key) {
    long now = clock.getAsLong();
    KeptTrace trace = traces.get(key);
    if (trace == null) {
      trace = begin(key, key.spread(), !admission.takes(key.spread()), now);
    }
    Shelves.Shelf shelf = trace.shelf();
    shelves.remove(trace);
    trace.pin();
    place(trace, shelf.isTrouble() ? shelf : Shelves.Shelf.TROUBLE, now);
    if (trace.size() == 0 && trace.isLate()) {
      recover(trace, now);
    }
    makeRoom(now);
  }

  /** Adds spans of another process to their trace, and keeps it. */
  synchronized void adopt(TraceKey key, List<SpanData> spans) {
    long now = clock.getAsLong();
    KeptTrace trace = traces.get(key);
    if (trace == null) {
      trace = begin(key, key.spread(), false, now);
      trace.count(); // by the process that has recorded it
      boolean unused = trace.countTrouble();
      shelves.hold(trace, now);
    }
    Set<String> known = trace.spanIds();
    for (SpanData span : spans) {
      if (!trace.isEvicted() && known.add(span.getSpanContext().getSpanId())) {
        add(trace, span, StoredSpans.weight(span), StoredSpans.isTrouble(span), now);
      }
    }
    if (!trace.isEvicted() && !trace.isKept()) {
      place(trace, Shelves.Shelf.ORDINARY, now);
    }
  }

  /** Under the lock: the trace, if there is anything of it. */
  @Nullable KeptTrace get(TraceKey key) {
    return traces.get(key);
  }

  /** Under the lock. */
  Collection<KeptTrace> all() {
    return traces.values();
  }

  /** All that stay, and those that are not judged yet unless some of them have to go. */
  synchronized List<KeptTrace> listed(boolean evenThoseThatGo) {
    List<KeptTrace> listed = new ArrayList<>();
    tick(clock.getAsLong());
    for (KeptTrace trace : traces.values()) {
      if (evenThoseThatGo || !lettingGo || trace.isKept()) {
        listed.add(trace);
      }
    }
    return listed;
  }

  /** Those that stay. */
  synchronized List<KeptTrace> staying() {
    return traces.values().stream().filter(trace -> trace.isKept() && trace.size() > 0).toList();
  }

  /** Under the lock. */
  Sharing sharing() {
    return sharing;
  }

  RootCounts roots() {
    return roots;
  }

  /** The share of new traces that are taken now, in (0, 1]. */
  synchronized double share() {
    return admission.share();
  }

  synchronized long wholeForNanos() {
    long now = clock.getAsLong();
    return now - thinnedUpTo;
  }

  /** Why there is nothing of a trace. */
  synchronized TraceStore.Absence absence(TraceKey key) {
    if (traces.containsKey(key)) {
      return TraceStore.Absence.TO_COME;
    }
    if (evicted.contains(key.spread())) {
      return TraceStore.Absence.PUT_OUT;
    }
    return refused.contains(key.spread())
        ? TraceStore.Absence.NOT_TAKEN
        : TraceStore.Absence.UNKNOWN;
  }

  synchronized StoreCounts counts() {
    return new StoreCounts(
        new StoreCounts.Amount(traces.size(), spansKept),
        new StoreCounts.TurnedAway(spansTurnedAway.sum(), errorsTurnedAway.sum()),
        spansTruncated,
        new StoreCounts.Amount(tracesLetGo, spansLetGo),
        new StoreCounts.Amount(tracesThinned, spansThinned),
        new StoreCounts.Amount(tracesEvicted, spansEvicted),
        troubleEvicted,
        wholeForNanos());
  }

  /** The memory of the spans, about: numbers and references, and text for those that weigh more. */
  synchronized long bytes() {
    return roots.bytes()
        + passed.bytes()
        + (long) spansKept * SPAN_BYTES
        + Math.max(0L, shelves.weight() - spansKept) * StoreLimits.TEXT_PER_SPAN;
  }
}
