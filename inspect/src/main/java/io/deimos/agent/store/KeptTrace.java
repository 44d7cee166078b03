// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import io.deimos.agent.span.PlainSpan;
import io.deimos.agent.span.RecordedSpan;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The spans of one trace. Safe for any thread; its lock is taken inside the store's. Its shelf, its
 * pin and what it is called there belong to the store's lock.
 */
final class KeptTrace {
  /** How many spans a thinned trace keeps at most, beside its root. */
  static final int THINNED_SPANS = 16;

  /** How many it may have in all, with those that come later and show the way to the trouble. */
  private static final int MAX_SPANS_OF_THINNED = 2 * THINNED_SPANS;

  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(TraceStore.QUIET_SECONDS);
  private static final long UNFINISHED_NANOS =
      TimeUnit.SECONDS.toNanos(TraceStore.UNFINISHED_SECONDS);

  private final TraceKey key;
  private final long spread;
  private final int maxWeight;
  private final boolean late;
  private List<SpanData> spans = new ArrayList<>(4);
  private @Nullable SpanData first;
  private @Nullable SpanData root;
  private int weight;
  private long truncated;
  private int errors;
  private int timeouts;
  private int incidents;
  private long startEpochNanos = Long.MAX_VALUE;
  private long endEpochNanos = Long.MIN_VALUE;
  private long lastAddedNanos;
  private boolean evicted;
  private boolean thinned;
  private boolean reduced;
  private String thinnedName = "";
  private String trouble = "";
  private @Nullable TraceSummary summary;

  /** Spans that had ended by then, and were turned away before the trace was kept, may be lost. */
  private long lostUpToEpochNanos;

  /** The spans above those that a thinned trace has, which have not come yet. */
  private final Set<String> above = new HashSet<>();

  private Shelves.Shelf shelf = Shelves.Shelf.NONE;
  private Kinds.@Nullable Kind kind;
  private long sinceNanos;
  private boolean hasTroubleSince;
  private boolean pinned;
  private boolean counted;
  private boolean troubleCounted;
  private long sparedUntilNanos;

  /** How many of the spans have been sent to the page of another process. */
  private int sent;

  /**
   * @param late whether spans of the trace may have been turned away before
   */
  KeptTrace(TraceKey key, long spread, int maxWeight, boolean late, long nowNanos) {
    this.key = key;
    this.spread = spread;
    this.maxWeight = maxWeight;
    this.late = late;
    this.lostUpToEpochNanos = late ? Long.MAX_VALUE : Long.MIN_VALUE;
    this.lastAddedNanos = nowNanos;
  }

  TraceKey key() {
    return key;
  }

  String traceId() {
    return TraceId.fromLongs(key.hi(), key.lo());
  }

  long spread() {
    return spread;
  }

  Shelves.Shelf shelf() {
    return shelf;
  }

  /** False while it is not judged yet, and may go. */
  boolean isKept() {
    return shelf != Shelves.Shelf.HELD;
  }

  void shelf(Shelves.Shelf given, long nowNanos) {
    shelf = given;
    if (given == Shelves.Shelf.ORDINARY || (given.isTrouble() && !hasTroubleSince)) {
      sinceNanos = nowNanos;
      hasTroubleSince = given.isTrouble();
    }
  }

  /** The traces that it is counted with on its shelf; null where there are no kinds. */
  Kinds.@Nullable Kind kind() {
    return kind;
  }

  void kind(Kinds.@Nullable Kind given) {
    kind = given;
  }

  /** When it was found to be what it is: ordinary, or one with trouble in it. */
  long sinceNanos() {
    return sinceNanos;
  }

  /** Whether spans of it may have been turned away before it was kept. */
  boolean isLate() {
    return late;
  }

  /** Spans of it that were turned away have come after all, but for those that ended by then. */
  synchronized void lostUpTo(long epochNanos) {
    lostUpToEpochNanos = epochNanos;
    summary = null;
  }

  boolean isPinned() {
    return pinned;
  }

  void pin() {
    pinned = true;
  }

  /** Whether it counts already among the traces that were recorded. */
  boolean isCounted() {
    return counted;
  }

  /** It counts from now on. False if it did before. */
  boolean count() {
    boolean first = !counted;
    counted = true;
    troubleCounted |= first && hasTrouble();
    return first;
  }

  /** Its trouble counts from now on. False if it did before. */
  boolean countTrouble() {
    boolean first = !troubleCounted;
    troubleCounted = true;
    return first;
  }

  /** Not chosen, but another process may still want it until then; 0 before it was judged. */
  long sparedUntilNanos() {
    return sparedUntilNanos;
  }

  void spare(long untilNanos) {
    sparedUntilNanos = untilNanos;
  }

  synchronized int unsent() {
    return spans.size() - sent;
  }

  /** The spans that have not been sent; from now on they have. */
  synchronized List<SpanData> takeUnsent() {
    List<SpanData> more = List.copyOf(spans.subList(sent, spans.size()));
    sent = spans.size();
    return more;
  }

  synchronized void sendAgain() {
    sent = 0;
  }

  synchronized Set<String> spanIds() {
    Set<String> ids = new HashSet<>();
    spans.forEach(span -> ids.add(span.getSpanContext().getSpanId()));
    return ids;
  }

  synchronized boolean isEvicted() {
    return evicted;
  }

  /** The first trouble; empty if there is none. */
  synchronized String trouble() {
    return trouble;
  }

  /** Whether only what shows its trouble is left. */
  synchronized boolean isReduced() {
    return reduced;
  }

  synchronized int weight() {
    return weight;
  }

  synchronized int size() {
    return spans.size();
  }

  synchronized long startEpochNanos() {
    return startEpochNanos;
  }

  synchronized long durationNanos() {
    return spans.isEmpty() ? 0 : endEpochNanos - startEpochNanos;
  }

  synchronized boolean hasTrouble() {
    return errors + timeouts + incidents > 0;
  }

  /** Whether no span has come for a while. */
  synchronized boolean isQuiet(long nowNanos) {
    return nowNanos - lastAddedNanos >= QUIET_NANOS;
  }

  /** Whether it has been quiet, and for long if a span is missing, such as an ask that waits. */
  synchronized boolean hasEnded(long nowNanos) {
    return isQuiet(nowNanos)
        && (nowNanos - lastAddedNanos >= UNFINISHED_NANOS || summary(true).complete());
  }

  /** That of the root span, or of the earliest if the root is not there. */
  synchronized String name() {
    SpanData named = root != null ? root : first;
    return named == null || (thinned && root == null) ? thinnedName : named.getName();
  }

  /** Whether another span of this weight may be added; if not, it counts as truncated. */
  synchronized boolean add(SpanData span, int spanWeight, boolean isTrouble, long nowNanos) {
    summary = null;
    lastAddedNanos = nowNanos;
    if (weight + spanWeight > maxWeight || (thinned && !isWanted(span, isTrouble))) {
      truncated++;
      return false;
    }
    spans.add(span);
    weight += spanWeight;
    long start = span.getStartEpochNanos();
    if (start < startEpochNanos) {
      startEpochNanos = start;
      first = span;
    }
    endEpochNanos = Math.max(endEpochNanos, span.getEndEpochNanos());
    if (StoredSpans.isRoot(span)) {
      root = earlier(root, span);
    }
    if (isFailed(span)) {
      if (StoredSpans.isTimeout(span)) {
        timeouts++;
      } else {
        errors++;
      }
    } else if (isTrouble) {
      incidents++;
    }
    if (isTrouble && trouble.isEmpty()) {
      trouble = StoredSpans.trouble(span);
    }
    return true;
  }

  /** Whether a span that comes to a thinned trace shows the trouble, or the way to it. */
  private boolean isWanted(SpanData span, boolean isTrouble) {
    boolean isAbove = above.remove(span.getSpanContext().getSpanId());
    if (!(isAbove || isTrouble) || spans.size() >= MAX_SPANS_OF_THINNED) {
      return false;
    }
    SpanContext parent = span.getParentSpanContext();
    if (parent.isValid()) {
      above.add(parent.getSpanId());
    }
    return true;
  }

  /** A plain record, which has nothing beside it, has not failed. */
  private static boolean isFailed(SpanData span) {
    return !(span instanceof RecordedSpan) && StoredSpans.isFailed(span);
  }

  /**
   * Leaves only what shows the trouble: the spans with trouble in them, those above, and the root,
   * without stack traces. Spans that it loses count as truncated. Among later spans it takes those
   * that show the trouble, too.
   *
   * @return how many spans it has lost
   */
  synchronized int thin() {
    thinnedName = name();
    Set<SpanData> wanted = wayToTrouble();
    int before = spans.size();
    int heavier = weight;
    List<SpanData> left = new ArrayList<>(wanted.size());
    weight = 0;
    first = null; // so that no span is held that is not counted
    root = null;
    for (SpanData span : spans) {
      if (wanted.contains(span)) {
        SpanData light = span instanceof PlainSpan ? PlainSpan.withoutStackTrace(span) : span;
        left.add(light);
        weight += StoredSpans.weight(light);
        root = StoredSpans.isRoot(light) ? earlier(root, light) : root;
      }
    }
    spans = left;
    sent = Math.min(sent, left.size());
    truncated += before - left.size();
    thinned = true;
    reduced |= weight < heavier;
    summary = null;
    return before - left.size();
  }

  /** Notes which spans above it are missing, too. */
  private Set<SpanData> wayToTrouble() {
    Map<String, SpanData> byId = new HashMap<>();
    spans.forEach(span -> byId.put(span.getSpanContext().getSpanId(), span));
    Set<SpanData> wanted = new LinkedHashSet<>();
    for (SpanData span : spans) {
      if (StoredSpans.isTrouble(span)) {
        SpanData at = span;
        while (at != null && wanted.size() < THINNED_SPANS && wanted.add(at)) {
          SpanContext parent = at.getParentSpanContext();
          at = byId.get(parent.getSpanId());
          if (at == null && parent.isValid()) {
            above.add(parent.getSpanId());
          }
        }
      }
    }
    if (root != null) {
      wanted.add(root);
    }
    return wanted;
  }

  synchronized void evict() {
    evicted = true;
  }

  /** A copy of the spans, in the order they came. */
  synchronized List<SpanData> spans() {
    return List.copyOf(spans);
  }

  synchronized StoredTrace whole(boolean quiet) {
    List<SpanData> sorted = new ArrayList<>(spans);
    sorted.sort(Comparator.comparingLong(SpanData::getStartEpochNanos));
    return new StoredTrace(summary(quiet), sorted);
  }

  /**
   * @param quiet whether no span has come for a while
   */
  synchronized TraceSummary summary(boolean quiet) {
    TraceSummary known = summary;
    if (known == null) {
      known = summarise();
      summary = known;
    }
    return known.running(!quiet && !known.complete());
  }

  private TraceSummary summarise() {
    Set<String> ids = new HashSet<>();
    Set<String> actors = new LinkedHashSet<>();
    Set<String> nodes = new HashSet<>();
    for (SpanData span : spans) {
      nodes.add(StoredSpans.node(span));
      ids.add(span.getSpanContext().getSpanId());
      String actor = StoredSpans.actorClass(span);
      if (actor != null) {
        actors.add(actor);
      }
    }
    return new TraceSummary(
        traceId(),
        name(),
        spans.isEmpty() ? 0 : startEpochNanos,
        durationNanos(),
        new TraceSummary.Spans(spans.size(), truncated, errors, timeouts, incidents),
        new TraceSummary.Extent(
            reduced,
            root != null
                && startEpochNanos > lostUpToEpochNanos
                && truncated == 0
                && hasAllParents(ids, nodes.size() > 1 || !nodes.contains("")),
            true),
        List.copyOf(actors),
        nodes.size());
  }

  private static SpanData earlier(@Nullable SpanData one, SpanData other) {
    return one == null || other.getStartEpochNanos() < one.getStartEpochNanos() ? other : one;
  }

  /**
   * @param remote whether parents in other processes have to be there, too
   */
  private boolean hasAllParents(Set<String> ids, boolean remote) {
    for (SpanData span : spans) {
      boolean isTop = remote ? !span.getParentSpanContext().isValid() : StoredSpans.isRoot(span);
      if (!isTop && !ids.contains(span.getParentSpanContext().getSpanId())) {
        return false;
      }
    }
    return true;
  }
}
