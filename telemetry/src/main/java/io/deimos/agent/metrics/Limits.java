// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.counts.AskMetrics;
import io.deimos.recorder.counts.DurationBuckets;
import io.opentelemetry.api.common.Attributes;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The metrics of actors and of asks, within the number of series there may be. */
public final class Limits {
  static final int LIVE = 1;
  static final int STARTED = 0;
  static final int STOPPED = 2;
  static final int RESTARTED = 3;

  static final int ASK_SUM = 1;
  static final int ASK_TIMEOUTS = 2;

  /** From here on, how many fell into each of the recorder's buckets. */
  static final int ASK_BUCKETS = 3;

  private static final String OTHER = "other";

  private final SeriesLimit actors;
  private final SeriesLimit failures;
  private final int series;
  private @Nullable SeriesLimit asks;
  private boolean restart;

  /**
   * @param series how many series each metric may have, {@code other} included
   */
  public Limits(int series) {
    Attributes actor = Attributes.of(MetricNames.SYSTEM, OTHER, MetricNames.ACTOR_CLASS, OTHER);
    actors = new SeriesLimit(series, actor, false, true, false, false);
    failures =
        new SeriesLimit(
            series, actor.toBuilder().put(MetricNames.ERROR_TYPE, OTHER).build(), false);
    this.series = series;
  }

  /** Made when it is first read: by then the buckets have been chosen. */
  private synchronized SeriesLimit limitOfAsks() {
    if (asks == null) {
      asks =
          new SeriesLimit(
              series,
              Attributes.of(MetricNames.ASKED_CLASS, OTHER, MetricNames.MESSAGE_CLASS, OTHER),
              new boolean[ASK_BUCKETS + DurationBuckets.bounds().buckets()]);
      if (restart) {
        asks.restart();
      }
    }
    return asks;
  }

  /** Has series that come back begin at zero, since somebody collects differences. */
  public synchronized void restart() {
    Recorder.restartSeries();
    actors.restart();
    failures.restart();
    restart = true;
    if (asks != null) {
      asks.restart();
    }
  }

  /** {@link #STARTED} to {@link #RESTARTED} of each class of actors. */
  Map<Attributes, long[]> actors() {
    Map<Attributes, long[]> sums = new HashMap<>();
    for (ActorKind kind : ActorKinds.all()) {
      if (!kind.isSilent()) {
        long[] sum = sums.computeIfAbsent(MetricNames.of(kind), a -> new long[4]);
        sum[STARTED] += kind.started();
        sum[LIVE] += kind.live();
        sum[STOPPED] += kind.stopped();
        sum[RESTARTED] += kind.restarted();
      }
    }
    return actors.within(sums);
  }

  /** Failures of each class of actors by exception. */
  Map<Attributes, long[]> failures() {
    Map<Attributes, long[]> sums = new HashMap<>();
    for (ActorKind kind : ActorKinds.all()) {
      if (!kind.isSilent()) {
        Attributes actor = MetricNames.of(kind);
        kind.failures()
            .forEach(
                (type, count) ->
                    sums.computeIfAbsent(
                                actor.toBuilder().put(MetricNames.ERROR_TYPE, type).build(),
                                a -> new long[1])[0] +=
                        count);
      }
    }
    return failures.within(sums);
  }

  /** How many asks, {@link #ASK_SUM}, {@link #ASK_TIMEOUTS}, {@link #ASK_BUCKETS}. */
  Map<Attributes, long[]> asks() {
    Map<Attributes, long[]> sums = new HashMap<>();
    for (AskMetrics.Series series : AskMetrics.series()) {
      long[] buckets = series.buckets();
      long[] sum =
          sums.computeIfAbsent(
              Attributes.of(
                  MetricNames.ASKED_CLASS,
                  series.asked(),
                  MetricNames.MESSAGE_CLASS,
                  series.request().name()),
              a -> new long[ASK_BUCKETS + buckets.length]);
      for (int i = 0; i < buckets.length; i++) {
        sum[0] += buckets[i];
        sum[ASK_BUCKETS + i] += buckets[i];
      }
      sum[ASK_SUM] += series.sumNanos();
      sum[ASK_TIMEOUTS] += series.timeouts();
    }
    return limitOfAsks().within(sums);
  }

  /** How many series are counted under {@code other} now, by what they are of. */
  Map<String, Integer> folded() {
    Map<String, Integer> folded = new TreeMap<>(Recorder.foldedSeries());
    folded.put("messages", Recorder.foldedPairs());
    folded.put("actors", actors.folded());
    folded.put("failures", failures.folded());
    folded.put("asks", limitOfAsks().folded());
    return folded;
  }
}
