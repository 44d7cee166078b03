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
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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

  /** Of a span that another process has sent: the process's id. */
  public static final AttributeKey<String> NODE = AttributeKey.stringKey("deimos.node");

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
  private final Map<TraceKey, KeptTrace> traces = new HashMap<>();
  private final MadeSpans made = new MadeSpans();
  private final SpanCopies copies;
  private final Shelves shelves;
  private final LostTraces evicted = new LostTraces();
  private final LostTraces refused = new LostTraces();
  private final KeptFilter filter = new KeptFilter();
  private final Admission admission;
  private final Sharing sharing = new Sharing();
  private final RootCounts roots;
  private final PassedSpans passed;

  /** Those with trouble in them that still run, as far as can be told. */
  private final Set<KeptTrace> unfinishedTrouble = new LinkedHashSet<>();

  private final LongAdder spansTurnedAway = new LongAdder();
  private final LongAdder errorsTurnedAway = new LongAdder();
  private final LongAdder spansSent = new LongAdder();
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

  public TraceStore(StoreLimits limits) {
    this(limits, Clock::now);
  }

  TraceStore(StoreLimits limits, LongSupplier clock) {
    this.limits = limits;
    this.clock = clock;
    this.judgedAt = clock.getAsLong();
    this.roots = new RootCounts(Clock.epochNanos(judgedAt));
    this.thinnedUpTo = judgedAt;
    this.copies = new SpanCopies(clock);
    this.passed = new PassedSpans(PASSED_FOR_ONE_KEPT * limits.spansKept());
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
    if (span.parentId() == 0) {
      roots.began(span);
    }
    long spread = TraceKey.spread(span.traceHi(), span.traceLo());
    boolean trouble = StoredSpans.isTrouble(span);
    if (isTurnedAway(spread, trouble)) {
      pass(span, spread);
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
      pass(span, spread);
    } else if (!bare) {
      addLater(trace, copies.of(span, trouble), trouble);
    }
  }

  /**
   * One span that OpenTelemetry has made, from the thread that ended it, which waits for nothing:
   * the drainer takes it in its next round. Those made from our own records must not come here.
   */
  public void offer(SpanData span) {
    if (!made.offer(span)) {
      countTurnedAway(StoredSpans.isTrouble(span));
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
      roots.began(span);
    }
    TraceKey key = TraceKey.parse(span.getSpanContext().getTraceId());
    boolean trouble = StoredSpans.isTrouble(span);
    long spread = key == null ? 0 : key.spread();
    if (key == null) {
      countTurnedAway(trouble);
      return;
    }
    if (isTurnedAway(spread, trouble)) {
      pass(PlainSpan.of(span), spread, false);
      return;
    }
    KeptTrace trace;
    long now = clock.getAsLong();
    synchronized (traces) {
      trace = admit(key, spread, trouble, now);
    }
    if (trace == null) {
      countTurnedAway(trouble);
      pass(PlainSpan.of(span), spread, false);
    } else {
      addLater(trace, PlainSpan.of(span), trouble);
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
        roots.began(span);
      }
      boolean trouble = StoredSpans.isTrouble(span);
      if (isTurnedAway(spread, trouble)) {
        pass(span, spread, false);
        turnedAway++;
        continue;
      }
      int weight = StoredSpans.weight(span);
      long now = clock.getAsLong();
      synchronized (traces) {
        KeptTrace trace = admit(key, spread, trouble, now);
        if (trace == null) {
          countTurnedAway(trouble);
          pass(span, spread, false);
          turnedAway++;
          continue;
        }
        if (known == null) {
          known = trace.spanIds();
        }
        if (known.add(span.getSpanContext().getSpanId())
            && !add(trace, span, weight, trouble, now)) {
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
    TraceKey key = new TraceKey(hi, lo);
    long now = clock.getAsLong();
    synchronized (traces) {
      KeptTrace trace = traces.get(key);
      if (trace == null) {
        boolean isLate = !admission.takes(key.spread());
        trace = new KeptTrace(key, key.spread(), limits.spansPerTrace(), isLate, now);
        traces.put(key, trace);
        filter.add(key.spread());
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
  }

  /** Adapts to the load; called by the drainer when it has handed over what there was. */
  @Override
  public void flush() {
    round();
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
      shelves.hold(trace, now);
      if (!taken) {
        recover(trace, now);
      }
    }
    admission.countSpan();
    return trace.isEvicted() ? null : trace;
  }

  /** A span that is not kept: if trouble comes to its trace in time, it is there. */
  private void pass(SpanView span, long spread) {
    if (RecordedSpan.isLight(span.rare())) {
      passed.add(RecordedSpan.light(span), spread, false, clock.getAsLong());
    } else {
      passed.gap(spread, clock.getAsLong());
    }
  }

  private void pass(SpanData span, long spread, boolean wasLetGo) {
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

  /** Under the lock. False if the trace has as many as it may have. */
  private boolean add(KeptTrace trace, SpanData span, int spanWeight, boolean trouble, long now) {
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
    } else if (trace.shelf() != Shelves.Shelf.HELD) {
      sharing.more(trace);
    }
    if (shelves.isFull()) {
      makeRoom(now);
    }
    return true;
  }

  /** Under the lock: a trace stays, as far as there is room. */
  private void place(KeptTrace trace, Shelves.Shelf shelf, long now) {
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

  private void tick(long now) {
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

  /** Whether spans of kept traces are sent to the page of another process; all, if so. */
  public void sends(boolean now) {
    synchronized (traces) {
      sharing.sends(now);
      for (KeptTrace trace : traces.values()) {
        trace.sendAgain();
        if (now && trace.shelf() != Shelves.Shelf.HELD) {
          sharing.more(trace);
        }
      }
    }
  }

  /** Whether other processes send spans of traces to this one. */
  public void asks(boolean now) {
    synchronized (traces) {
      sharing.asks(now);
    }
  }

  /** Spans of kept traces that have not been sent yet; from now on they count as sent. */
  public List<SpanData> toSend(int mostSpans) {
    List<KeptTrace> next;
    synchronized (traces) {
      next = sharing.nextToSend(mostSpans);
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
    synchronized (traces) {
      return sharing.newlyKept();
    }
  }

  /** So many kept traces whose other parts a process was not asked for: there was no room. */
  public void countNotAskedFor(int newlyKept) {
    synchronized (traces) {
      sharing.notAskedFor(newlyKept);
    }
  }

  /** How often a process was not asked for its part of a kept trace, since there was no room. */
  public long tracesNotAskedFor() {
    synchronized (traces) {
      return sharing.tracesNotAskedFor();
    }
  }

  /** Keeps what is here of traces that another process has kept. */
  public void keep(List<TraceKey> wanted) {
    long now = clock.getAsLong();
    synchronized (traces) {
      for (TraceKey key : wanted) {
        KeptTrace trace = traces.get(key);
        if (trace != null && trace.shelf() == Shelves.Shelf.HELD) {
          place(trace, Shelves.Shelf.ORDINARY, now);
        }
      }
    }
  }

  /**
   * Adds spans of another process to their traces, and keeps these. A span that is there already is
   * left out.
   */
  public void adopt(List<SpanData> spans) {
    byTrace(spans).forEach(this::adopt);
  }

  private void adopt(TraceKey key, List<SpanData> spans) {
    long now = clock.getAsLong();
    synchronized (traces) {
      KeptTrace trace = traces.get(key);
      if (trace == null) {
        trace = new KeptTrace(key, key.spread(), limits.spansPerTrace(), false, now);
        trace.count(); // by the process that has recorded it
        boolean unused = trace.countTrouble();
        traces.put(key, trace);
        filter.add(key.spread());
        shelves.hold(trace, now);
      }
      Set<String> known = trace.spanIds();
      for (SpanData span : spans) {
        if (!trace.isEvicted() && known.add(span.getSpanContext().getSpanId())) {
          add(trace, span, StoredSpans.weight(span), StoredSpans.isTrouble(span), now);
        }
      }
      if (!trace.isEvicted() && trace.shelf() == Shelves.Shelf.HELD) {
        place(trace, Shelves.Shelf.ORDINARY, now);
      }
    }
  }

  /** Of the traces that stay, how many are whole and have spans of several processes. */
  public Kept kept() {
    List<KeptTrace> staying = new ArrayList<>();
    synchronized (traces) {
      for (KeptTrace trace : traces.values()) {
        if (trace.shelf() != Shelves.Shelf.HELD && trace.size() > 0) {
          staying.add(trace);
        }
      }
    }
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
    synchronized (traces) {
      sharing.notSent(spans);
    }
  }

  /** Spans of kept traces that had to go before they could be sent. */
  public long spansNotSent() {
    synchronized (traces) {
      return sharing.spansNotSent();
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
    synchronized (traces) {
      KeptTrace trace = traces.get(new TraceKey(hi, lo));
      return trace != null && trace.size() > 0 && !(toStay && trace.shelf() == Shelves.Shelf.HELD);
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
    List<KeptTrace> candidates = new ArrayList<>();
    synchronized (traces) {
      tick(clock.getAsLong());
      for (KeptTrace trace : traces.values()) {
        if (!lettingGo || trace.shelf() != Shelves.Shelf.HELD) {
          candidates.add(trace);
        }
      }
    }
    List<TraceGroups.One> matching = new ArrayList<>();
    int looked = 0;
    for (KeptTrace trace : candidates) {
      if (scan.isCut()) {
        scan.leftOut("Of " + candidates.size() + " traces, all but " + (looked - 1));
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

  /** What this process has recorded, of which the store keeps a part. */
  public RecordedTraces recorded() {
    return roots.snapshot();
  }

  /** The trace with this id, or null if it is not kept. One that is looked at is as good as new. */
  public @Nullable StoredTrace trace(String traceId) {
    TraceKey key = TraceKey.parse(traceId);
    long now = clock.getAsLong();
    KeptTrace trace;
    synchronized (traces) {
      trace = key == null ? null : traces.get(key);
      if (trace != null && trace.size() > 0 && !trace.shelf().isTrouble()) {
        place(trace, Shelves.Shelf.ORDINARY, now);
      }
    }
    return trace == null || trace.size() == 0 ? null : trace.whole(trace.isQuiet(now));
  }

  /**
   * For how long traces with trouble in them stay whole now: the age from which on the first had to
   * be thinned, counted from the first trouble in them. Those that take more than an eighth of the
   * room do not count.
   */
  public long wholeForNanos() {
    long now = clock.getAsLong();
    synchronized (traces) {
      return now - thinnedUpTo;
    }
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
          spansEvicted,
          wholeForNanos());
    }
  }

  /** What the spans take, about: numbers and references, and text for those that weigh more. */
  private long bytes() {
    synchronized (traces) {
      return made.bytes()
          + roots.bytes()
          + passed.bytes()
          + (long) spansKept * SPAN_BYTES
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
