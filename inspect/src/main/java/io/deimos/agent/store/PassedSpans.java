// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import io.deimos.agent.span.RecordedSpan;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The latest spans that were not kept, so that a trace that was not taken is whole nevertheless if
 * trouble comes to it. Safe for any thread.
 *
 * <p><b>Full.</b> A ring: the newest takes the place of the oldest. A span takes as many places as
 * it has room for, of {@value #PLACE_BYTES} bytes each.
 */
final class PassedSpans {
  static final int PLACE_BYTES = 160;

  private static final int PLACES_OF_AN_ASK = 2;
  private static final int PLACES_OF_A_SPAN = 8;
  private static final long NO_TRACE = -1;

  private final int places;
  private @Nullable SpanData[] spans = new SpanData[0];
  private long[] spreads = {};
  private long[] times = {};
  private boolean[] letGo = {};

  /** The number of the place before it that has the same bucket. */
  private long[] before = {};

  /** The number of the latest place of each bucket. */
  private long[] latest = {};

  /** Numbers begin at 1; that of a place is what is left of a division by their number. */
  private long next = 1;

  private long lostUpToNanos = Long.MIN_VALUE;

  /**
   * @param places how many there are; their memory is taken when the first span comes
   */
  PassedSpans(int places) {
    this.places = places;
  }

  /** A span of which nothing is known but its trace: this can never be whole. */
  synchronized void gap(long spread, long nowNanos) {
    put(null, spread, false, nowNanos);
  }

  /**
   * A span, which holds nothing of the application's.
   *
   * @param wasLetGo whether it was in the store, with its trace
   */
  synchronized void add(SpanData span, long spread, boolean wasLetGo, long nowNanos) {
    long more = placesOf(span) - 1;
    if (more >= places / 4) {
      gap(spread, nowNanos);
      return;
    }
    put(span, spread, wasLetGo, nowNanos);
    for (long i = 0; i < more; i++) {
      put(null, NO_TRACE, false, nowNanos);
    }
  }

  private static long placesOf(SpanData span) {
    if (span instanceof RecordedSpan record) {
      return record.rare() == null ? 1 : PLACES_OF_AN_ASK;
    }
    return PLACES_OF_A_SPAN + StoredSpans.text(span) / PLACE_BYTES;
  }

  private void put(@Nullable SpanData span, long spread, boolean wasLetGo, long nowNanos) {
    if (spans.length == 0) {
      spans = new SpanData[places];
      spreads = new long[places];
      times = new long[places];
      letGo = new boolean[places];
      before = new long[places];
      latest = new long[places];
      Arrays.fill(spreads, NO_TRACE);
    }
    int place = (int) (next % places);
    if (next > places) {
      lostUpToNanos = times[place];
    }
    spans[place] = span;
    spreads[place] = spread;
    times[place] = nowNanos;
    letGo[place] = wasLetGo;
    if (spread != NO_TRACE) {
      int bucket = (int) (spread % places);
      before[place] = latest[bucket];
      latest[bucket] = next;
    }
    next++;
  }

  /** The spans of a trace, which leave this by that. */
  synchronized Taken take(long spread) {
    List<SpanData> found = new ArrayList<>();
    boolean gap = false;
    int wereLetGo = 0;
    long oldest = next - Math.min(next - 1, places);
    long number = places == 0 || spans.length == 0 ? 0 : latest[(int) (spread % places)];
    while (number >= oldest && number > 0) {
      int place = (int) (number % places);
      if (spreads[place] == spread) {
        SpanData span = spans[place];
        if (span == null) {
          gap = true;
        } else {
          found.add(span);
          wereLetGo += letGo[place] ? 1 : 0;
        }
        spans[place] = null;
        spreads[place] = NO_TRACE;
      }
      number = before[place];
    }
    Collections.reverse(found);
    return new Taken(found, wereLetGo, gap ? Long.MAX_VALUE : lostUpToNanos);
  }

  /**
   * Spans of a trace.
   *
   * @param spans in the order in which they came
   * @param wereLetGo how many of them were in the store
   * @param lostUpToNanos none that has ended later is missing
   */
  record Taken(List<SpanData> spans, int wereLetGo, long lostUpToNanos) {}

  synchronized long bytes() {
    return Math.min(next - 1, places) * PLACE_BYTES;
  }
}
