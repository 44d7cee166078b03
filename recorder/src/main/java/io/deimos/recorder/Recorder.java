// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.actors.InForce;
import io.deimos.recorder.actors.RateLimit;
import io.deimos.recorder.actors.Rules;
import io.deimos.recorder.actors.Sampling;
import io.deimos.recorder.base.Folds;
import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.context.Bridge;
import io.deimos.recorder.context.Bridges;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.MetricsFold;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.counts.SeriesBudget;
import io.deimos.recorder.counts.Watched;
import io.deimos.recorder.hooks.BreakerHooks;
import io.deimos.recorder.housekeeping.GaugeReaders;
import io.deimos.recorder.ring.Lanes;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The recorder of this process: its configuration, its bridge, its totals. Configured once, before
 * the first woven class is loaded; the configuration is then a constant to the JIT compiler.
 */
public final class Recorder {
  private Recorder() {}

  /** Sets what is recorded. Without effect once a woven class has run. */
  public static void configure(RecorderConfig chosen, Bridge to) {
    RecorderConfig.use(chosen);
    Bridges.use(to);
    SeriesBudget.use(SeriesBudget.of(chosen));
  }

  /** Sets the sampler for traces that begin here; may be called at any time. */
  public static void sampleBy(Sampling chosen) {
    InForce.sampleBy(chosen);
  }

  /**
   * Sets how many traces that other nodes began are recorded each second; null for any number. May
   * be called at any time; a trace that is remembered stays as it is.
   */
  public static void limitReceived(@Nullable RateLimit most) {
    InForce.limitReceived(most);
  }

  /**
   * Sets what is recorded of whom, for the actors and messages that are there and for those to
   * come. May be called at any time; what is at work meanwhile ends by the old rules.
   */
  public static synchronized void ruleBy(Rules chosen) {
    Lanes.count(); // by the old rules, what was recorded under them
    InForce.ruleBy(chosen);
    Actors.rule(chosen);
    Lanes.rule();
  }

  public static RecorderConfig config() {
    return RecorderConfig.current();
  }

  /** Folds the cells of all threads, those that have ended included. */
  public static MetricsFold metrics() {
    return Lanes.fold();
  }

  /** Pairs of actor and message class that are counted under {@code other} now. */
  public static int foldedPairs() {
    return SeriesBudget.current().folded();
  }

  /** Somebody collects differences: series that come back shall begin at zero. */
  public static void restartSeries() {
    SeriesBudget.current().restart();
  }

  /** Records written to rings so far. */
  public static long recorded() {
    return Lanes.recorded();
  }

  /** Records taken out of the rings so far; all that will ever be, once the drainer has ended. */
  public static long drained() {
    return Lanes.drained();
  }

  /** Records dropped so far, for whatever reason. */
  public static long dropped() {
    return Lanes.dropped() + Lanes.withoutRing();
  }

  /** Records dropped so far because there was no memory left for a ring. */
  public static long droppedWithoutRing() {
    return Lanes.withoutRing();
  }

  /** Traces not begun so far because a ring was more than half full. */
  public static long thinned() {
    return Lanes.thinned();
  }

  /**
   * About how many series are counted under {@code other} since there was no room to tell them
   * apart: by the metric's name, or by what they are of. Without those of which there are none.
   */
  public static Map<String, Integer> foldedSeries() {
    Map<String, Integer> series = new TreeMap<>(Folds.series());
    Folds.put(series, "circuit_breakers", BreakerHooks.unread());
    Folds.put(series, "typed_stashes", Watched.TYPED_STASHES.unwatched());
    Folds.put(series, "typed_routers", Watched.TYPED_ROUTERS.unwatched());
    Folds.put(series, "actors", (int) Math.min(Integer.MAX_VALUE, Actors.unnumbered()));
    Folds.put(series, "lanes", (int) Math.min(Integer.MAX_VALUE, Lanes.beyond()));
    Readings last = GaugeReaders.last();
    for (Metric metric : Metric.values()) {
      Folds.put(series, metric.id(), metric.tally().folded() + last.folded(metric));
    }
    return series;
  }
}
