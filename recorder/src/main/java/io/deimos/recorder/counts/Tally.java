// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import io.deimos.recorder.base.Distinct;
import io.deimos.recorder.base.RecorderConfig;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts by the values of attributes; the last of each series' longs is the sum of a histogram's
 * durations. Safe for any thread. Values beyond {@link RecorderConfig.Series#max} count under
 * {@code other}.
 */
public final class Tally {
  private final boolean durations;
  private final List<String> other;
  private final Map<List<String>, AtomicLongArray> series = new ConcurrentHashMap<>();

  /** The same by the value alone, of a tally of one attribute: no list is made to count. */
  private final Map<String, AtomicLongArray> byValue = new ConcurrentHashMap<>();

  private final Distinct folded = new Distinct();

  /**
   * @param durations whether durations are counted, in {@link DurationBuckets} and a sum behind
   *     them
   * @param attributes how many values a series has
   */
  public Tally(boolean durations, int attributes) {
    this.durations = durations;
    this.other = Collections.nCopies(attributes, "other");
  }

  /** Tells zero for values of the one attribute from the beginning. */
  void beginWith(String... values) {
    for (String value : values) {
      add(0, value);
    }
  }

  /** Counts a number of events by the one attribute. */
  public void add(long by, String value) {
    AtomicLongArray counts = byValue.get(value);
    if (counts == null) {
      List<String> values = List.of(value);
      counts = of(values);
      if (counts == series.get(values)) {
        byValue.put(value, counts); // no more than there are series
      }
    }
    counts.addAndGet(0, by);
  }

  /** Counts a number of events. */
  public void add(long by, String... values) {
    of(List.of(values)).addAndGet(0, by);
  }

  /** Counts a duration. */
  public void duration(long nanos, String... values) {
    AtomicLongArray counts = of(List.of(values));
    counts.incrementAndGet(DurationBuckets.of(nanos));
    counts.addAndGet(counts.length() - 1, nanos);
  }

  private AtomicLongArray of(List<String> values) {
    AtomicLongArray known = series.get(values);
    if (known != null) {
      return known;
    }
    boolean room = series.size() < RecorderConfig.current().series().max() - 1;
    if (!room) {
      folded.add(values);
    }
    return series.computeIfAbsent(
        room ? values : other,
        v -> new AtomicLongArray(durations ? DurationBuckets.count() + 1 : 1));
  }

  /** The counts of all series. */
  public Map<List<String>, long[]> read() {
    Map<List<String>, long[]> copy = new HashMap<>();
    series.forEach(
        (values, counts) -> {
          long[] read = new long[counts.length()];
          for (int i = 0; i < read.length; i++) {
            read[i] = counts.get(i);
          }
          copy.put(values, read);
        });
    return copy;
  }

  /** The count under one value, by a tally of one attribute. */
  public long of(String value) {
    AtomicLongArray counts = series.get(List.of(value));
    return counts == null ? 0 : counts.get(0);
  }

  /** About how many series count under {@code other}. */
  public int folded() {
    return folded.count();
  }

  /** Over all series. */
  public long sum() {
    return series.values().stream().mapToLong(counts -> counts.get(0)).sum();
  }
}
