// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Durations and failures of operations by kind and class of actor, within {@link
 * RecorderConfig#maxSeries}. Safe for any thread.
 */
public final class OperationMetrics {
  /** What is told of actors whose class has no series of its own. */
  private static final ActorKind OTHER = ActorKind.other("other");

  /** Room for each kind of operation, and for each that failed. */
  private static final int OTHERS = 2 * Operation.Kind.values().length;

  private static final Map<Key, Series> SERIES = new ConcurrentHashMap<>();

  private OperationMetrics() {}

  static void add(Operation.Kind kind, ActorKind actor, long durationNanos, boolean failed) {
    Key key = new Key(kind, actor.main(), failed);
    Series series = SERIES.get(key);
    if (series == null) {
      boolean room = SERIES.size() < Recorder.config().maxSeries() - OTHERS;
      if (!room) {
        Folds.operation(key);
      }
      series = SERIES.computeIfAbsent(room ? key : new Key(kind, OTHER, failed), Series::new);
    }
    series.buckets[Durations.bucket(durationNanos)].increment();
    series.sumNanos.add(durationNanos);
  }

  public static Collection<Series> series() {
    return List.copyOf(SERIES.values());
  }

  /**
   * What is counted together.
   *
   * @param failed whether the operation did
   */
  public record Key(Operation.Kind kind, ActorKind actor, boolean failed) {}

  /** The durations of one kind of operation of one class of actor. */
  public static final class Series {
    private final Key key;
    private final LongAdder[] buckets = new LongAdder[Durations.BUCKETS];
    private final LongAdder sumNanos = new LongAdder();

    Series(Key key) {
      this.key = key;
      Arrays.setAll(buckets, i -> new LongAdder());
    }

    public Key key() {
      return key;
    }

    /** How many fell into each bucket of {@link Durations}. */
    public long[] buckets() {
      return Arrays.stream(buckets).mapToLong(LongAdder::sum).toArray();
    }

    public long sumNanos() {
      return sumNanos.sum();
    }
  }
}
