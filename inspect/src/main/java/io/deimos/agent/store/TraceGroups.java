// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Traces added up: by name, by duration and by when they began.
 *
 * @param traces how many there are
 * @param trouble in how many something went wrong
 * @param groups by name, those with the most traces first
 * @param groupsLeftOut how many more names there are
 * @param durations by duration, four bins for each power of ten
 * @param times by when they began, at most {@value #TIME_BINS} bins of the same length
 */
public record TraceGroups(
    int traces,
    int trouble,
    List<TraceGroup> groups,
    int groupsLeftOut,
    List<Bin> durations,
    List<Bin> times) {
  static final int TIME_BINS = 60;

  private static final int BINS_PER_DECADE = 4;
  private static final long LEAST_NANOS = 1_000;
  private static final int DECADES = 9;
  private static final long SECOND = 1_000_000_000L;

  /** The lengths that a bin of time may have, so that its ends are round. */
  private static final long[] SECONDS = {
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 86_400
  };

  /**
   * Some of the traces.
   *
   * @param from the least value in it: nanoseconds, of a duration or since 1970
   * @param to the least value beyond it
   */
  public record Bin(long from, long to, int traces, int trouble) {}

  /** One trace, as far as it matters here. */
  record One(String traceId, String name, long startEpochNanos, long nanos, boolean trouble) {}

  static TraceGroups of(List<One> all, int limit) {
    Map<String, List<One>> byName = new HashMap<>();
    all.forEach(one -> byName.computeIfAbsent(one.name, any -> new ArrayList<>()).add(one));
    List<TraceGroup> groups =
        byName.values().stream()
            .map(TraceGroups::group)
            .sorted(
                Comparator.comparingInt(TraceGroup::traces)
                    .reversed()
                    .thenComparing(TraceGroup::name))
            .toList();
    return new TraceGroups(
        all.size(),
        (int) all.stream().filter(One::trouble).count(),
        groups.subList(0, Math.min(limit, groups.size())),
        Math.max(0, groups.size() - limit),
        durations(all),
        times(all));
  }

  private static TraceGroup group(List<One> traces) {
    One[] byDuration = traces.toArray(One[]::new);
    Arrays.sort(byDuration, Comparator.comparingLong(One::nanos));
    One slowest = byDuration[byDuration.length - 1];
    return new TraceGroup(
        slowest.name,
        byDuration.length,
        (int) traces.stream().filter(One::trouble).count(),
        quantile(byDuration, 0.5),
        quantile(byDuration, 0.99),
        slowest.nanos,
        slowest.traceId,
        traces.stream().mapToLong(One::startEpochNanos).max().orElse(0));
  }

  /** The value that this share of them do not exceed. */
  private static long quantile(One[] sorted, double share) {
    return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)].nanos;
  }

  /** From the first bin that has traces to the last. */
  private static List<Bin> durations(List<One> all) {
    long[] bounds =
        IntStream.rangeClosed(0, DECADES * BINS_PER_DECADE)
            .mapToLong(i -> Math.round(LEAST_NANOS * Math.pow(10, i / (double) BINS_PER_DECADE)))
            .toArray();
    int[] counts = new int[bounds.length + 1];
    int[] trouble = new int[bounds.length + 1];
    for (One one : all) {
      int found = Arrays.binarySearch(bounds, one.nanos);
      int bin = found >= 0 ? found + 1 : -found - 1;
      counts[bin]++;
      trouble[bin] += one.trouble ? 1 : 0;
    }
    List<Bin> bins = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      bins.add(
          new Bin(
              i == 0 ? 0 : bounds[i - 1],
              i == bounds.length ? Long.MAX_VALUE : bounds[i],
              counts[i],
              trouble[i]));
    }
    return trimmed(bins);
  }

  private static List<Bin> times(List<One> all) {
    if (all.isEmpty()) {
      return List.of();
    }
    long first = all.stream().mapToLong(One::startEpochNanos).min().orElse(0);
    long last = all.stream().mapToLong(One::startEpochNanos).max().orElse(0);
    long length = SECONDS[SECONDS.length - 1] * SECOND;
    for (int i = SECONDS.length - 1; i >= 0; i--) {
      long tried = SECONDS[i] * SECOND;
      if (last / tried - first / tried < TIME_BINS) {
        length = tried;
      }
    }
    long from = Math.max(first / length, last / length - TIME_BINS + 1);
    int[] counts = new int[(int) (last / length - from) + 1];
    int[] trouble = new int[counts.length];
    for (One one : all) {
      int bin = (int) Math.max(0, one.startEpochNanos / length - from);
      counts[bin]++;
      trouble[bin] += one.trouble ? 1 : 0;
    }
    List<Bin> bins = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      bins.add(new Bin((from + i) * length, (from + i + 1) * length, counts[i], trouble[i]));
    }
    return bins;
  }

  private static List<Bin> trimmed(List<Bin> bins) {
    int from = 0;
    int to = bins.size();
    while (from < to && bins.get(from).traces == 0) {
      from++;
    }
    while (to > from && bins.get(to - 1).traces == 0) {
      to--;
    }
    return List.copyOf(bins.subList(from, to));
  }
}
