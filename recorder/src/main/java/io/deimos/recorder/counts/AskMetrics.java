// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.base.Folds;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Durations and time-outs of asks by who was asked and the request's class. Safe for any thread.
 */
public final class AskMetrics {
  /** How many are told apart; the rest count as {@code other}. */
  static final int CAPACITY = 1 << 13;

  private static final Key OTHER = new Key("other", MessageClasses.OTHER);
  private static final Map<Key, Series> SERIES = new ConcurrentHashMap<>();

  private AskMetrics() {}

  public static void add(String asked, MessageClass request, long durationNanos, boolean timedOut) {
    Key key = new Key(asked, request);
    Series series = SERIES.get(key);
    if (series == null) {
      boolean room = SERIES.size() < CAPACITY;
      if (!room) {
        Folds.ask(key);
      }
      series = SERIES.computeIfAbsent(room ? key : OTHER, Series::new);
    }
    series.add(durationNanos, timedOut);
  }

  public static Collection<Series> series() {
    return List.copyOf(SERIES.values());
  }

  private record Key(String asked, MessageClass request) {}

  /** The asks of one class of actors with one class of message. */
  public static final class Series {
    private static final int SUM = DurationBuckets.count();
    private static final int TIMEOUTS = SUM + 1;

    private final Key key;
    private final AtomicLongArray counts = new AtomicLongArray(TIMEOUTS + 1);

    private Series(Key key) {
      this.key = key;
    }

    private void add(long durationNanos, boolean timedOut) {
      counts.incrementAndGet(DurationBuckets.of(durationNanos));
      counts.addAndGet(SUM, durationNanos);
      if (timedOut) {
        counts.incrementAndGet(TIMEOUTS);
      }
    }

    /** The class of who was asked; {@code unknown} outside of this process. */
    public String asked() {
      return key.asked;
    }

    public MessageClass request() {
      return key.request;
    }

    /** How many took as long as each of {@link DurationBuckets}. */
    public long[] buckets() {
      long[] copy = new long[DurationBuckets.count()];
      for (int i = 0; i < copy.length; i++) {
        copy[i] = counts.get(i);
      }
      return copy;
    }

    public long sumNanos() {
      return counts.get(SUM);
    }

    public long timeouts() {
      return counts.get(TIMEOUTS);
    }
  }
}
