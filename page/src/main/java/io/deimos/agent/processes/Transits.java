// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.processes;

import io.deimos.agent.nodes.ClockOffset;
import io.deimos.agent.store.StoredTrace;
import io.deimos.agent.store.TraceQuery;
import io.deimos.agent.store.TraceStore;
import io.deimos.agent.store.TraceSummary;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long messages take from one process to another, by the traces that are kept: from the start
 * of the span in which one was sent to its arrival, by clocks that have been corrected. The
 * sender's work before it sent the message is in it, so the least is the nearest to the way itself.
 */
final class Transits {
  private static final int TRACES = 200;
  private static final int MAX_SPANS = 50_000;

  private final Map<String, List<Long>> nanos = new HashMap<>();

  /** Times of the latest traces. */
  static Transits of(TraceStore store, String own, Map<String, ClockOffset> clocks) {
    Transits transits = new Transits();
    int left = MAX_SPANS;
    for (TraceSummary summary : store.latest(TRACES, false, TraceQuery.of(""))) {
      StoredTrace trace =
          summary.nodes() > 1 && summary.spans().kept() <= left
              ? store.trace(summary.traceId())
              : null;
      if (trace != null) {
        left -= trace.spans().size();
        transits.add(trace, own, clocks);
      }
    }
    transits.nanos.values().forEach(Collections::sort);
    return transits;
  }

  private void add(StoredTrace trace, String own, Map<String, ClockOffset> clocks) {
    Map<String, SpanData> spans = new HashMap<>();
    trace.spans().forEach(span -> spans.put(span.getSpanContext().getSpanId(), span));
    for (SpanData span : trace.spans()) {
      SpanData parent = spans.get(span.getParentSpanContext().getSpanId());
      String to = node(span, own);
      String from = parent == null ? to : node(parent, own);
      if (parent != null && !from.equals(to)) {
        long took = start(span, to, clocks) - start(parent, from, clocks);
        nanos.computeIfAbsent(key(from, to), any -> new ArrayList<>()).add(Math.max(0, took));
      }
    }
  }

  private static String node(SpanData span, String own) {
    String node = span.getResource().getAttribute(TraceStore.NODE);
    return node == null ? own : node;
  }

  private static long start(SpanData span, String node, Map<String, ClockOffset> clocks) {
    ClockOffset clock = clocks.get(node);
    return span.getStartEpochNanos() - (clock == null ? 0 : clock.nanos());
  }

  private static String key(String from, String to) {
    return from + " " + to;
  }

  /** How many messages were seen on the way between two processes. */
  int count(String from, @Nullable String to) {
    return of(from, to).size();
  }

  /** Not a number if none was. */
  double least(String from, @Nullable String to) {
    List<Long> sorted = of(from, to);
    return sorted.isEmpty() ? Double.NaN : sorted.get(0);
  }

  double median(String from, @Nullable String to) {
    List<Long> sorted = of(from, to);
    return sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() / 2);
  }

  private List<Long> of(String from, @Nullable String to) {
    return to == null ? List.of() : nanos.getOrDefault(key(from, to), List.of());
  }
}
