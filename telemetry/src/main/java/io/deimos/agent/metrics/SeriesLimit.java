// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.opentelemetry.api.common.Attributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Keeps one group of metrics, which share their attributes, within a number of series: beyond it
 * the least used are told together, as {@code other}. For counts whose memory is bounded where they
 * are counted; messages have {@code SeriesBudget} in the recorder instead.
 *
 * <p>No series that is told ever goes down: what a series counted before it was folded stays out of
 * {@code other}, and what it counts while folded stays out of the series, should it come back.
 *
 * <p>Safe for any thread.
 */
final class SeriesLimit {
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long FEW = 16;

  private final int most;
  private final Attributes other;
  private final boolean[] gauge;
  private final Map<Attributes, Entry> entries = new HashMap<>();
  private final long[] others;
  private long windowBegan = System.nanoTime();
  private int told;
  private boolean restart;

  /**
   * @param most how many series may be told, {@code other} included
   * @param gauge which of the values go up and down and are told as they are
   */
  SeriesLimit(int most, Attributes other, boolean... gauge) {
    this.most = most - 1;
    this.other = other;
    this.gauge = gauge;
    this.others = new long[gauge.length];
  }

  /** Has a series that comes back begin at zero, since somebody collects differences. */
  synchronized void restart() {
    restart = true;
  }

  /** Series counted under {@code other} now. */
  synchronized int folded() {
    return entries.size() - told;
  }

  /**
   * The series to tell.
   *
   * @param totals of each series, the first value being how much it is used
   */
  synchronized Map<Attributes, long[]> within(Map<Attributes, long[]> totals) {
    List<Entry> folded = new ArrayList<>();
    totals.forEach(
        (attributes, values) -> {
          Entry entry = entries.get(attributes);
          if (entry == null) {
            entry = new Entry(gauge.length, told < most);
            told += entry.told ? 1 : 0;
            entries.put(attributes, entry);
          }
          entry.values = values;
          if (!entry.told) {
            folded.add(entry);
          }
        });
    if (folded.isEmpty()) {
      return totals;
    }
    for (Entry entry : folded) {
      for (int i = 0; i < gauge.length; i++) {
        long more = entry.values[i] - entry.seen[i];
        entry.seen[i] = entry.values[i];
        entry.hidden[i] += more;
        others[i] += gauge[i] ? 0 : more;
      }
    }
    Map<Attributes, long[]> result = new HashMap<>();
    long[] rest = others.clone();
    totals.forEach(
        (attributes, values) -> {
          Entry entry = entries.get(attributes);
          if (entry != null && entry.told) {
            result.put(attributes, visible(entry, values));
          } else {
            for (int i = 0; i < gauge.length; i++) {
              rest[i] += gauge[i] ? values[i] : 0;
            }
          }
        });
    result.put(other, rest);
    endWindow();
    return result;
  }

  private long[] visible(Entry entry, long[] values) {
    long[] visible = values.clone();
    for (int i = 0; i < gauge.length; i++) {
      visible[i] -= gauge[i] ? 0 : entry.hidden[i];
    }
    return visible;
  }

  private void endWindow() {
    long now = System.nanoTime();
    if (now - windowBegan < WINDOW_NANOS) {
      return;
    }
    windowBegan = now;
    exchange();
  }

  /** Lets folded series that were used much take the places of told ones that were not. */
  synchronized void exchange() {
    List<Entry> rising = new ArrayList<>();
    List<Entry> falling = new ArrayList<>();
    for (Entry entry : entries.values()) {
      entry.rate();
      (entry.told ? falling : rising).add(entry);
    }
    rising.sort(Comparator.comparingLong((Entry entry) -> entry.score).reversed());
    falling.sort(Comparator.comparingLong(entry -> entry.score));
    int changes = Math.min(Math.min(rising.size(), falling.size()), falling.size() / 8 + 1);
    for (int i = 0; i < changes; i++) {
      Entry up = rising.get(i);
      Entry down = falling.get(i);
      if (up.score <= 2 * down.score + FEW) {
        break;
      }
      up.told = true;
      if (restart) {
        up.hidden = up.values.clone();
      }
      down.told = false;
      down.seen = down.values.clone();
    }
  }

  /** One series, told or folded. */
  private static final class Entry {
    long[] hidden;
    long[] seen;
    long[] values;
    boolean told;
    long score;
    private long before;

    Entry(int size, boolean told) {
      hidden = new long[size];
      seen = new long[size];
      values = new long[size];
      this.told = told;
    }

    void rate() {
      score = Math.max(values[0] - before, score / 2);
      before = values[0];
    }
  }
}
