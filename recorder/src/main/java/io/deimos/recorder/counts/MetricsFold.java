// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.MessageClass;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The cells of all threads, summed by kind and message class. Not for use by two threads. */
public final class MetricsFold {
  private final Map<Pair, Series> series = new HashMap<>();

  /** Adds one thread's cell of a pair that has a series of its own. */
  void add(Pair pair, MessageCell cell) {
    Series to = series.get(pair);
    if (to == null) {
      to = new Series(pair.kind, pair.message);
      pair.addPastTo(to.sums);
      series.put(pair, to);
    }
    cell.addTo(to.sums);
  }

  /** Adds a pair that has just lost its series. */
  void addPast(Pair pair) {
    pair.addPastTo(series.computeIfAbsent(pair, p -> new Series(p.kind, p.message)).sums);
  }

  /** Adds what one thread counted of all pairs without a series. */
  void addOther(Pair other, long[][] buckets) {
    Series to = series.get(other);
    if (to == null) {
      to = new Series(other.kind, other.message);
      other.addPastTo(to.sums);
      series.put(other, to);
    }
    for (long[] counts : buckets) {
      MessageCell.add(counts, to.sums);
    }
  }

  public Collection<Series> series() {
    return series.values();
  }

  /** The counts of one message class at one kind of actor since the process began. */
  public static final class Series {
    private final ActorKind kind;
    private final MessageClass message;
    private final long[] sums = new long[MessageCell.LONGS];

    Series(ActorKind kind, MessageClass message) {
      this.kind = kind;
      this.message = message;
    }

    public ActorKind kind() {
      return kind;
    }

    public MessageClass message() {
      return message;
    }

    public long processed() {
      return sums[MessageCell.PROCESSED];
    }

    public long failed() {
      return sums[MessageCell.FAILED];
    }

    public long processingNanos() {
      return sums[MessageCell.PROCESSING_SUM];
    }

    public long waitNanos() {
      return sums[MessageCell.WAIT_SUM];
    }

    /** How many messages fell into each bucket of {@link Durations}, by processing time. */
    public long[] processingBuckets() {
      return DurationBuckets.usual(processingCounts());
    }

    /** How many messages fell into each bucket of {@link Durations}, by time in the mailbox. */
    public long[] waitBuckets() {
      return DurationBuckets.usual(waitCounts());
    }

    /** How many messages fell into each of {@link DurationBuckets}, by processing time. */
    public long[] processingCounts() {
      return buckets(MessageCell.PROCESSING);
    }

    /** How many messages fell into each of {@link DurationBuckets}, by time in the mailbox. */
    public long[] waitCounts() {
      return buckets(MessageCell.WAIT);
    }

    private long[] buckets(int from) {
      return java.util.Arrays.copyOfRange(sums, from, from + DurationBuckets.count());
    }
  }
}
