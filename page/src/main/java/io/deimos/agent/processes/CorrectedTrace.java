// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.processes;

import io.deimos.agent.nodes.ClockOffset;
import io.deimos.agent.store.StoredTrace;
import io.deimos.agent.store.TraceStore;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A trace by one clock, the page's: what another process has sent is earlier by as much as its
 * clock is ahead. For display only; what is kept and exported stays as it is.
 *
 * @param clocks those that differ for sure, by process
 * @param spans in the order of their corrected start
 * @param startEpochNanos of the earliest
 * @param durationNanos to the end of the latest
 */
public record CorrectedTrace(
    Map<String, ClockOffset> clocks,
    List<SpanData> spans,
    long startEpochNanos,
    long durationNanos) {
  public static CorrectedTrace of(StoredTrace trace, Map<String, ClockOffset> known) {
    Map<String, ClockOffset> clocks = new TreeMap<>();
    for (SpanData span : trace.spans()) {
      String node = span.getResource().getAttribute(TraceStore.NODE);
      ClockOffset clock = node == null ? null : known.get(node);
      if (node != null && clock != null && clock.correction() != 0) {
        clocks.put(node, clock);
      }
    }
    if (clocks.isEmpty()) {
      return new CorrectedTrace(
          clocks,
          trace.spans(),
          trace.summary().startEpochNanos(),
          trace.summary().durationNanos());
    }
    List<SpanData> spans = new ArrayList<>(trace.spans());
    spans.sort(
        Comparator.comparingLong(span -> span.getStartEpochNanos() - correction(span, clocks)));
    long start = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    for (SpanData span : spans) {
      long ahead = correction(span, clocks);
      start = Math.min(start, span.getStartEpochNanos() - ahead);
      end = Math.max(end, span.getEndEpochNanos() - ahead);
    }
    return new CorrectedTrace(clocks, spans, start, end - start);
  }

  /** By how much the span's clock is ahead. */
  public long of(SpanData span) {
    return correction(span, clocks);
  }

  private static long correction(SpanData span, Map<String, ClockOffset> clocks) {
    String node = span.getResource().getAttribute(TraceStore.NODE);
    ClockOffset clock = node == null ? null : clocks.get(node);
    return clock == null ? 0 : clock.correction();
  }
}
