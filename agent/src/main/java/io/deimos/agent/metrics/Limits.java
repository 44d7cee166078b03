// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.counts.AskMetrics;
import io.deimos.recorder.counts.Durations;
import io.opentelemetry.api.common.Attributes;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** The metrics of actors and of questions, within the number of series there may be. */
public final class Limits {
  static final int LIVE = 1;
  static final int STARTED = 0;
  static final int STOPPED = 2;
  static final int RESTARTED = 3;

  static final int ASK_SUM = Durations.BUCKETS + 1;
  static final int ASK_TIMEOUTS = Durations.BUCKETS + 2;

  private static final String OTHER = "other";

  private final SeriesLimit actors;
  private final SeriesLimit failures;
  private final SeriesLimit asks;

  /**
   * @param series how many series each metric may have, {@code other} included
   */
  public Limits(int series) {
    Attributes actor = Attributes.of(MetricNames.SYSTEM, OTHER, MetricNames.ACTOR_CLASS, OTHER);
    actors = new SeriesLimit(series, actor, false, true, false, false);
    failures =
        new SeriesLimit(
            series, actor.toBuilder().put(MetricNames.ERROR_TYPE, OTHER).build(), false);
    asks =
        new SeriesLimit(
            series,
            Attributes.of(MetricNames.ASKED_CLASS, OTHER, MetricNames.MESSAGE_CLASS, OTHER),
            new boolean[ASK_TIMEOUTS + 1]);
  }

  /** Has series that come back begin at zero, since somebody collects differences. */
  public void restart() {
    Recorder.restartSeries();
    actors.restart();
    failures.restart();
    asks.restart();
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

  /** How many questions, their buckets from 1 on, {@link #ASK_SUM} and {@link #ASK_TIMEOUTS}. */
  Map<Attributes, long[]> asks() {
    Map<Attributes, long[]> sums = new HashMap<>();
    for (AskMetrics.Series series : AskMetrics.series()) {
      long[] sum =
          sums.computeIfAbsent(
              Attributes.of(
                  MetricNames.ASKED_CLASS,
                  series.asked(),
                  MetricNames.MESSAGE_CLASS,
                  series.question().name()),
              a -> new long[ASK_TIMEOUTS + 1]);
      long[] buckets = series.buckets();
      for (int i = 0; i < buckets.length; i++) {
        sum[0] += buckets[i];
        sum[i + 1] += buckets[i];
      }
      sum[ASK_SUM] += series.sumNanos();
      sum[ASK_TIMEOUTS] += series.timeouts();
    }
    return asks.within(sums);
  }

  /** How many series are counted under {@code other} now, by what they are of. */
  Map<String, Integer> folded() {
    Map<String, Integer> folded = new TreeMap<>(Recorder.foldedSeries());
    folded.put("messages", Recorder.foldedPairs());
    folded.put("actors", actors.folded());
    folded.put("failures", failures.folded());
    folded.put("asks", asks.folded());
    return folded;
  }
}
