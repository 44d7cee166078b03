// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import io.deimos.agent.span.RecordedSpan;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The spans of one admitted trace. Safe for any thread; its lock is taken inside the store's. */
final class KeptTrace {
  private final TraceKey key;
  private final long spread;
  private final int maxWeight;
  private final List<SpanData> spans = new ArrayList<>(4);
  private int weight;
  private long truncated;
  private int errors;
  private int timeouts;
  private long startEpochNanos = Long.MAX_VALUE;
  private long endEpochNanos = Long.MIN_VALUE;
  private boolean evicted;
  private @Nullable TraceSummary summary;

  KeptTrace(TraceKey key, long spread, int maxWeight) {
    this.key = key;
    this.spread = spread;
    this.maxWeight = maxWeight;
  }

  String traceId() {
    return TraceId.fromLongs(key.hi(), key.lo());
  }

  long spread() {
    return spread;
  }

  synchronized boolean isEvicted() {
    return evicted;
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

  synchronized boolean hasErrors() {
    return errors + timeouts > 0;
  }

  /** Whether another span of this weight may be added; if not, it counts as truncated. */
  synchronized boolean add(SpanData span, int spanWeight) {
    summary = null;
    if (weight + spanWeight > maxWeight) {
      truncated++;
      return false;
    }
    spans.add(span);
    weight += spanWeight;
    startEpochNanos = Math.min(startEpochNanos, span.getStartEpochNanos());
    endEpochNanos = Math.max(endEpochNanos, span.getEndEpochNanos());
    if (isFailed(span)) {
      if (StoredSpans.isTimeout(span)) {
        timeouts++;
      } else {
        errors++;
      }
    }
    return true;
  }

  /** A plain record, which has nothing beside it, has not failed. */
  private static boolean isFailed(SpanData span) {
    return !(span instanceof RecordedSpan) && StoredSpans.isFailed(span);
  }

  synchronized void evict() {
    evicted = true;
  }

  /** A copy of the spans, in the order they came. */
  synchronized List<SpanData> spans() {
    return List.copyOf(spans);
  }

  synchronized StoredTrace whole() {
    List<SpanData> sorted = new ArrayList<>(spans);
    sorted.sort(Comparator.comparingLong(SpanData::getStartEpochNanos));
    return new StoredTrace(summary(), sorted);
  }

  synchronized TraceSummary summary() {
    TraceSummary known = summary;
    if (known == null) {
      known = summarise();
      summary = known;
    }
    return known;
  }

  private TraceSummary summarise() {
    SpanData first = null;
    SpanData root = null;
    Set<String> ids = new HashSet<>();
    Set<String> actors = new LinkedHashSet<>();
    for (SpanData span : spans) {
      ids.add(span.getSpanContext().getSpanId());
      first = earlier(first, span);
      if (StoredSpans.isRoot(span)) {
        root = earlier(root, span);
      }
      String actor = StoredSpans.actorClass(span);
      if (actor != null) {
        actors.add(actor);
      }
    }
    SpanData named = root != null ? root : first;
    return new TraceSummary(
        traceId(),
        named == null ? "" : named.getName(),
        spans.isEmpty() ? 0 : startEpochNanos,
        spans.isEmpty() ? 0 : endEpochNanos - startEpochNanos,
        spans.size(),
        truncated,
        errors,
        timeouts,
        root != null && truncated == 0 && hasAllParents(ids),
        List.copyOf(actors));
  }

  private static SpanData earlier(@Nullable SpanData one, SpanData other) {
    return one == null || other.getStartEpochNanos() < one.getStartEpochNanos() ? other : one;
  }

  private boolean hasAllParents(Set<String> ids) {
    for (SpanData span : spans) {
      if (!StoredSpans.isRoot(span) && !ids.contains(span.getParentSpanContext().getSpanId())) {
        return false;
      }
    }
    return true;
  }
}
