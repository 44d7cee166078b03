// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import io.deimos.agent.span.RecordedSpan;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Rare;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts by the name of the root span: all traces that were recorded, and not those alone that are
 * kept. A trace is counted by its root span, whether the store takes it or not. Its duration, and
 * whether it has trouble in it, is known of those that the store has taken, which follows from
 * their ids and not from what they are. Safe for any thread.
 *
 * <p><b>Full.</b> Names beyond {@value #MAX_NAMES}, and longer than {@value #MAX_CHARS}, share one.
 */
final class RootCounts {
  static final int MAX_NAMES = 256;
  static final int MAX_CHARS = 200;

  private static final int BINS_PER_DECADE = 8;
  private static final int DECADES = 9;
  private static final int BINS = BINS_PER_DECADE * DECADES + 2;
  private static final double LEAST_NANOS = 1_000;
  private static final int ROOT_BYTES = BINS * Long.BYTES + 2 * MAX_CHARS + 200;

  private final long sinceEpochNanos;
  private final Map<String, Root> byName = new HashMap<>();

  /** By a message's or an ask's class alone, so that no name is made for each record. */
  private final Map<String, Root> messages = new HashMap<>();

  private final Map<String, Root> asks = new HashMap<>();
  private final Root others = new Root();
  private long traces;
  private long trouble;

  RootCounts(long sinceEpochNanos) {
    this.sinceEpochNanos = sinceEpochNanos;
  }

  /** A trace has a record that is its root. */
  synchronized void began(SpanView root) {
    Rare rare = root.rare();
    if (rare != null && (rare.userSpan() != null || rare.operation() != null)) {
      count(root(new RecordedSpan(root, Resource.empty()).getName()));
      return;
    }
    Map<String, Root> known = root.isAsk() ? asks : messages;
    String message = root.message().simpleName();
    Root found = known.get(message);
    if (found == null) {
      found = root(new RecordedSpan(root, Resource.empty()).getName());
      if (known.size() < MAX_NAMES) {
        known.put(message, found);
      }
    }
    count(found);
  }

  /** A trace has a span that is its root. */
  synchronized void began(SpanData root) {
    count(root(root.getName()));
  }

  private void count(Root root) {
    root.traces++;
    traces++;
  }

  /**
   * A trace has ended.
   *
   * @param whole whether none of its spans has been turned away before it was kept
   */
  synchronized void ended(String name, long nanos, boolean hasTrouble, boolean whole) {
    Root root = root(name);
    if (whole) {
      root.durations[bin(nanos)]++;
      root.measured++;
    }
    if (hasTrouble) {
      root.trouble++;
      trouble++;
    }
  }

  /** A trace that had ended without trouble has some after all. */
  synchronized void troubled(String name) {
    root(name).trouble++;
    trouble++;
  }

  private Root root(String name) {
    Root known = byName.get(name);
    if (known != null) {
      return known;
    }
    if (byName.size() >= MAX_NAMES || name.length() > MAX_CHARS) {
      return others;
    }
    Root made = new Root();
    byName.put(name, made);
    return made;
  }

  private static int bin(long nanos) {
    double decades = Math.log10(Math.max(LEAST_NANOS, (double) nanos) / LEAST_NANOS);
    return Math.min(BINS - 1, (int) (decades * BINS_PER_DECADE) + (nanos < LEAST_NANOS ? 0 : 1));
  }

  synchronized RecordedTraces snapshot() {
    Map<String, RecordedTraces.Counted> counted = new HashMap<>();
    byName.forEach((name, root) -> counted.put(name, root.counted()));
    return new RecordedTraces(sinceEpochNanos, traces, trouble, others.traces, counted);
  }

  synchronized long bytes() {
    return (long) byName.size() * ROOT_BYTES;
  }

  private static final class Root {
    final long[] durations = new long[BINS];
    long traces;
    long trouble;
    long measured;

    RecordedTraces.Counted counted() {
      return new RecordedTraces.Counted(traces, trouble, measured, quantile(0.5), quantile(0.99));
    }

    /** The middle of the bin in which the value lies that this share do not exceed. */
    private long quantile(double share) {
      long left = (long) Math.ceil(share * measured);
      for (int bin = 0; bin < BINS; bin++) {
        left -= durations[bin];
        if (left <= 0 && measured > 0) {
          return Math.round(LEAST_NANOS * Math.pow(10, (bin - 0.5) / BINS_PER_DECADE));
        }
      }
      return 0;
    }
  }
}
