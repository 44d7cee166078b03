// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.recorder.Recorder;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.MetricKind;
import io.deimos.recorder.counts.MetricsFold;
import io.deimos.recorder.counts.OperationMetrics;
import io.deimos.remote.Batches;
import io.deimos.remote.RemoteStats;
import io.opentelemetry.api.common.Attributes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what every duration histogram comes to, since the process began and before any view. */
final class DurationReading {
  private final Limits limits;
  private final @Nullable Exemplars exemplars;

  /**
   * @param exemplars null if the user wants none
   */
  DurationReading(Limits limits, @Nullable Exemplars exemplars) {
    this.limits = limits;
    this.exemplars = exemplars;
  }

  Map<Histogram, Map<Attributes, Counted>> read() {
    Map<Histogram, Map<Attributes, Counted>> all = new HashMap<>();
    messages(all);
    Map<Attributes, Counted> asking = new HashMap<>();
    limits
        .asks()
        .forEach(
            (attributes, sums) ->
                asking.put(
                    attributes,
                    new Counted(
                        Arrays.copyOfRange(sums, Limits.ASK_BUCKETS, sums.length),
                        sums[Limits.ASK_SUM])));
    all.put(Histogram.ASKING, asking);
    Map<Attributes, Counted> persistence = new HashMap<>();
    for (OperationMetrics.Series series : OperationMetrics.series()) {
      persistence.merge(
          MetricNames.of(series.key()),
          new Counted(series.buckets(), series.sumNanos()),
          Counted::plus);
    }
    all.put(Histogram.PERSISTENCE, persistence);
    for (Metric metric : Metric.values()) {
      if (metric.kind() == MetricKind.HISTOGRAM) {
        all.put(Histogram.of(metric), rare(metric));
      }
    }
    transport(all);
    return all;
  }

  private static void transport(Map<Histogram, Map<Attributes, Counted>> all) {
    for (RemoteStats.Peer peer : RemoteStats.snapshot()) {
      Batches batches = peer.batches();
      if (batches != null && batches.count() > 0) {
        Attributes attributes = RemoteMetrics.attributes(peer);
        add(all, Histogram.BATCH_LENGTH, attributes, batches.messages(), batches.messageSum());
        add(all, Histogram.BATCH_SIZE, attributes, batches.bytes(), batches.byteSum());
        if (batches.timed() > 0) {
          long nanos = batches.flushNanoSum();
          add(all, Histogram.FLUSH_DURATION, attributes, batches.flushNanos(), nanos);
        }
      }
    }
  }

  private static void add(
      Map<Histogram, Map<Attributes, Counted>> all,
      Histogram to,
      Attributes attributes,
      long[] counts,
      long sum) {
    all.computeIfAbsent(to, any -> new HashMap<>())
        .merge(attributes, new Counted(counts, sum), Counted::plus);
  }

  private void messages(Map<Histogram, Map<Attributes, Counted>> all) {
    Map<Attributes, Counted> processing = new HashMap<>();
    Map<Attributes, Counted> waiting = new HashMap<>();
    for (MetricsFold.Series series : Recorder.metrics().series()) {
      Attributes attributes = MetricNames.of(series.kind(), series.message());
      processing.merge(
          attributes,
          exemplars == null
              ? new Counted(series.processingCounts(), series.processingNanos())
              : new Counted(
                  series.processingCounts(),
                  series.processingNanos(),
                  exemplars.processing(series.kind(), series.message())),
          Counted::plus);
      waiting.merge(
          attributes,
          exemplars == null
              ? new Counted(series.waitCounts(), series.waitNanos())
              : new Counted(
                  series.waitCounts(),
                  series.waitNanos(),
                  exemplars.waiting(series.kind(), series.message())),
          Counted::plus);
    }
    all.put(Histogram.PROCESSING, processing);
    all.put(Histogram.WAITING, waiting);
  }

  private static Map<Attributes, Counted> rare(Metric metric) {
    Map<Attributes, Counted> rare = new HashMap<>();
    metric
        .tally()
        .read()
        .forEach(
            (values, n) ->
                rare.merge(
                    RareInstruments.attributes(metric, values),
                    new Counted(Arrays.copyOf(n, n.length - 1), n[n.length - 1]),
                    Counted::plus));
    return rare;
  }
}
