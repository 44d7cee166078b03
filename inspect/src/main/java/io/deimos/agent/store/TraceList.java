// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import io.deimos.agent.budget.Scan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The latest of some traces, by their start, newest first. Where nobody asks for anything special,
 * one root name takes a quarter of the list, or its share if there are fewer than four names.
 *
 * <p>Made for one list, by the thread that wants it, outside the store's lock.
 */
final class TraceList {
  /** The part of a list that one root name may take, if there are others. */
  private static final int PART_OF_A_NAME = 4;

  private final List<Dated> candidates;
  private final int limit;
  private final int ofAName;

  /**
   * @param traces in any order; those without spans are left out
   * @param limit how many at most
   * @param asked whether somebody asks for something special
   */
  TraceList(List<KeptTrace> traces, int limit, boolean asked) {
    this.limit = limit;
    this.candidates = newestFirst(traces);
    this.ofAName = asked || candidates.size() <= limit ? limit : ofAName();
  }

  private static List<Dated> newestFirst(List<KeptTrace> traces) {
    List<Dated> dated = new ArrayList<>(traces.size());
    for (KeptTrace trace : traces) {
      if (trace.size() > 0) {
        dated.add(new Dated(trace, trace.startEpochNanos()));
      }
    }
    dated.sort(Comparator.comparingLong(Dated::startEpochNanos).reversed());
    return dated;
  }

  private int ofAName() {
    long names = candidates.stream().map(dated -> dated.trace.name()).distinct().count();
    return Math.max(limit / PART_OF_A_NAME, (int) ((limit + names - 1) / names));
  }

  /**
   * The traces listed.
   *
   * @param wanted which of them may be
   * @param isQuiet which have ended, as far as can be told
   * @param scan told of the traces that were not looked at, if it has ended before
   */
  List<TraceSummary> summaries(
      Predicate<KeptTrace> wanted, Predicate<KeptTrace> isQuiet, Scan scan) {
    int looked = 0;
    Map<String, Integer> listed = new HashMap<>();
    List<TraceSummary> found = new ArrayList<>();
    for (Dated dated : candidates) {
      if (found.size() == limit) {
        break;
      }
      if (scan.isCut()) {
        scan.leftOut(
            "Among " + candidates.size() + " traces, those older than the latest " + (looked - 1));
        break;
      }
      looked++;
      KeptTrace trace = dated.trace;
      if (ofAName < limit && listed.merge(trace.name(), 1, Integer::sum) > ofAName) {
        continue;
      }
      if (wanted.test(trace)) {
        found.add(trace.summary(isQuiet.test(trace)));
      }
    }
    return found;
  }

  private record Dated(KeptTrace trace, long startEpochNanos) {}
}
