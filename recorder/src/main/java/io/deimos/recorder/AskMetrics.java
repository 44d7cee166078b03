// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Durations and time-outs of questions by their class. Safe for any thread. */
public final class AskMetrics {
  private static final Map<MessageClass, Series> SERIES = new ConcurrentHashMap<>();

  private AskMetrics() {}

  static void add(MessageClass question, long durationNanos, boolean timedOut) {
    Series series = SERIES.computeIfAbsent(question, Series::new);
    series.buckets[Durations.bucket(durationNanos)].increment();
    series.sumNanos.add(durationNanos);
    if (timedOut) {
      series.timeouts.increment();
    }
  }

  public static Collection<Series> series() {
    return List.copyOf(SERIES.values());
  }

  /** What was asked with one class of message. */
  public static final class Series {
    private final MessageClass question;
    private final LongAdder[] buckets = new LongAdder[Durations.BUCKETS];
    private final LongAdder sumNanos = new LongAdder();
    private final LongAdder timeouts = new LongAdder();

    Series(MessageClass question) {
      this.question = question;
      java.util.Arrays.setAll(buckets, i -> new LongAdder());
    }

    public MessageClass question() {
      return question;
    }

    public long[] buckets() {
      return java.util.Arrays.stream(buckets).mapToLong(LongAdder::sum).toArray();
    }

    public long sumNanos() {
      return sumNanos.sum();
    }

    public long timeouts() {
      return timeouts.sum();
    }
  }
}
