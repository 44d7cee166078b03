// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.recorder.base.Faults;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.counts.DurationBounds;
import io.deimos.recorder.counts.DurationBuckets;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.ExemplarFilter;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.metrics.internal.export.RegisteredReader;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Stands between a reader of the SDK and what it collects, and adds our duration histograms: in the
 * form, under the names and with the attributes that the user's views say, and as totals or deltas,
 * as the reader prefers.
 *
 * <p>Threads: any; one collection of a reader at a time.
 */
public final class DurationMetrics implements CollectionRegistration {
  private final List<MetricProducer> others;
  private final List<HistogramStream> streams;
  private final Resource resource;
  private final DurationReading reading;
  private final long since = Clock.epochNanos(Clock.now());

  private DurationMetrics(
      List<MetricProducer> others,
      List<HistogramStream> streams,
      Resource resource,
      DurationReading reading) {
    this.others = others;
    this.streams = streams;
    this.resource = resource;
    this.reading = reading;
  }

  /**
   * Has all readers of the provider get our histograms, and durations counted by the bounds that
   * these want.
   *
   * @param problems told if that cannot be, or not exactly
   */
  public static void connect(
      SdkMeterProvider provider, Limits limits, Exemplars exemplars, Consumer<String> problems) {
    try {
      MeterProviderParts parts = new MeterProviderParts(provider);
      boolean isOff = parts.shared().getExemplarFilter() == ExemplarFilter.alwaysOff();
      DurationReading reading = new DurationReading(limits, isOff ? null : exemplars);
      List<HistogramStream> all = new ArrayList<>();
      for (RegisteredReader reader : parts.readers()) {
        List<HistogramStream> streams = ReaderViews.of(reader);
        all.addAll(streams);
        reader
            .getReader()
            .register(
                new DurationMetrics(
                    parts.producers(reader), streams, parts.shared().getResource(), reading));
      }
      choose(all, problems);
      if (all.stream().anyMatch(HistogramStream::isDelta)) {
        limits.restart();
      }
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      problems.accept(
          "duration histograms are not exported, since this version of the SDK is not known ("
              + e
              + "). Use deimos.jar, which brings its own, or an agent as old as Deimos");
    }
  }

  /** Those of the usual bounds that are exact anyway need no choice. */
  private static void choose(List<HistogramStream> streams, Consumer<String> problems) {
    long[] wanted =
        streams.stream()
            .filter(HistogramStream::isOfDurations)
            .flatMapToLong(stream -> java.util.Arrays.stream(stream.form().boundsNanos()))
            .distinct()
            .toArray();
    if (wanted.length > DurationBounds.MOST / 2) {
      problems.accept(
          "views of duration histograms have "
              + wanted.length
              + " different bounds, and "
              + DurationBounds.MOST / 2
              + " can be told apart; durations count by 1, 2.5 and 5 in each decade, and what lies"
              + " between as the next longer. Use fewer bounds, or"
              + " base2_exponential_bucket_histogram");
    } else if (!DurationBuckets.choose(wanted)) {
      problems.accept(
          "actors were at work before the SDK was configured; views of duration histograms are told"
              + " from buckets of 1, 2.5 and 5 in each decade, what lies between as the next longer");
    }
  }

  @Override
  public synchronized Collection<MetricData> collectAllMetrics() {
    List<MetricData> all = new ArrayList<>();
    for (MetricProducer producer : others) {
      all.addAll(producer.produce(resource));
    }
    try {
      Map<Histogram, Map<Attributes, Counted>> now = reading.read();
      long at = Clock.epochNanos(Clock.now());
      for (HistogramStream stream : streams) {
        stream.addTo(all, resource, now, since, at);
      }
    } catch (Throwable t) {
      Faults.caught(t);
    }
    return all;
  }
}
