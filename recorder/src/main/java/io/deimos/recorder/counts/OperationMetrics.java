// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.base.Folds;
import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.spans.Operation;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Durations and failures of operations by kind and class of actor, within {@link
 * RecorderConfig.Series#max}. Safe for any thread.
 */
public final class OperationMetrics {
  /** The class name for actors whose class has no series of its own. */
  private static final ActorKind OTHER = ActorKind.other("other");

  /** The word of OpenTelemetry's conventions for an error that is not told apart. */
  private static final String OTHER_ERROR = "_OTHER";

  /** Room for each kind of operation, and for each that failed. */
  private static final int OTHERS = 2 * Operation.Kind.values().length;

  private static final Map<Key, Series> SERIES = new ConcurrentHashMap<>();

  private OperationMetrics() {}

  /**
   * An operation has ended.
   *
   * @param error what it failed with, or null
   */
  public static void add(Operation operation, long durationNanos, @Nullable Throwable error) {
    Operation.Kind kind = operation.kind();
    ActorKind actor = operation.actor().kind().main();
    Key key = new Key(kind, actor, error == null ? null : error.getClass().getName());
    Series series = SERIES.get(key);
    if (series == null) {
      boolean room = SERIES.size() < RecorderConfig.current().series().max() - OTHERS;
      if (!room) {
        Folds.operation(key);
      }
      series = SERIES.computeIfAbsent(room ? key : key.folded(), Series::new);
    }
    series.buckets[DurationBuckets.of(durationNanos)].increment();
    series.sumNanos.add(durationNanos);
    if (error == null && operation.events() > 0) {
      Metric.PERSISTENCE_EVENTS
          .tally()
          .add(operation.events(), actor.system(), actor.className(), kind.word());
    }
  }

  public static Collection<Series> series() {
    return List.copyOf(SERIES.values());
  }

  /**
   * The sums that are counted together.
   *
   * @param error the class of what the operation failed with; null if it did not
   */
  public record Key(Operation.Kind kind, ActorKind actor, @Nullable String error) {
    private Key folded() {
      return new Key(kind, OTHER, error == null ? null : OTHER_ERROR);
    }
  }

  /** The durations of one kind of operation of one class of actor. */
  public static final class Series {
    private final Key key;
    private final LongAdder[] buckets = new LongAdder[DurationBuckets.count()];
    private final LongAdder sumNanos = new LongAdder();

    Series(Key key) {
      this.key = key;
      Arrays.setAll(buckets, i -> new LongAdder());
    }

    public Key key() {
      return key;
    }

    /** How many fell into each of {@link DurationBuckets}. */
    public long[] buckets() {
      return Arrays.stream(buckets).mapToLong(LongAdder::sum).toArray();
    }

    public long sumNanos() {
      return sumNanos.sum();
    }
  }
}
