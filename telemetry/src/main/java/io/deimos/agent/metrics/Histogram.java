// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.recorder.counts.DurationBounds;
import io.deimos.recorder.counts.DurationBuckets;
import io.deimos.recorder.counts.Durations;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.MetricKind;
import io.deimos.remote.Batches;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A histogram of ours.
 *
 * @param id the name by which it is told
 * @param perUnit how many of what is counted make one of the unit
 * @param own the bounds by which it is always counted; null for those of {@link DurationBuckets}
 */
record Histogram(
    String id, String description, String unit, double perUnit, @Nullable DurationBounds own) {
  static final Histogram PROCESSING = durations(Instrument.PROCESSING);
  static final Histogram WAITING = durations(Instrument.WAITING);
  static final Histogram ASKING = durations(Instrument.ASKING);
  static final Histogram PERSISTENCE = durations(Instrument.PERSISTENCE);
  static final Histogram BATCH_LENGTH =
      of(Instrument.REMOTE_BATCH_LENGTH, 1, Batches.messageBounds());
  static final Histogram BATCH_SIZE = of(Instrument.REMOTE_BATCH_SIZE, 1, Batches.byteBounds());
  static final Histogram FLUSH_DURATION =
      of(Instrument.REMOTE_FLUSH_DURATION, 1e9, Batches.nanoBounds());

  /** All there are. */
  static List<Histogram> all() {
    List<Histogram> all =
        new ArrayList<>(
            List.of(
                PROCESSING,
                WAITING,
                ASKING,
                PERSISTENCE,
                BATCH_LENGTH,
                BATCH_SIZE,
                FLUSH_DURATION));
    for (Metric metric : Metric.values()) {
      if (metric.kind() == MetricKind.HISTOGRAM) {
        all.add(of(metric));
      }
    }
    return all;
  }

  static Histogram of(Metric metric) {
    return new Histogram(metric.id(), metric.description(), "s", 1e9, null);
  }

  private static Histogram durations(Instrument instrument) {
    return new Histogram(instrument.id(), instrument.description(), "s", 1e9, null);
  }

  private static Histogram of(Instrument instrument, double perUnit, long[] bounds) {
    return new Histogram(
        instrument.id(),
        instrument.description(),
        instrument.unit(),
        perUnit,
        DurationBounds.of(bounds));
  }

  /** By what it is counted now. */
  DurationBounds counted() {
    return own == null ? DurationBuckets.bounds() : own;
  }

  /** The bounds that it has where nobody wants others, in its unit. */
  List<Double> usual() {
    return Arrays.stream(own == null ? Durations.boundsNanos() : own.nanos())
        .mapToObj(bound -> bound / perUnit)
        .toList();
  }

  boolean isOfDurations() {
    return own == null;
  }
}
