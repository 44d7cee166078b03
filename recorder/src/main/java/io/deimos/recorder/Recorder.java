// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The recorder of this process: its configuration, its bridge, its totals. Configured once, before
 * the first woven class is loaded; the configuration is then a constant to the JIT compiler.
 */
public final class Recorder {
  private static volatile RecorderConfig config = RecorderConfig.DEFAULT;
  private static volatile Bridge bridge = NoBridge.INSTANCE;
  private static volatile Rules rules = Rules.NONE;
  private static volatile SeriesBudget messages = budget(RecorderConfig.DEFAULT);
  private static volatile Sampling sampling = new Sampling(Sampling.ALWAYS, 0);

  private Recorder() {}

  /** Sets what is recorded. Without effect once a woven class has run. */
  public static void configure(RecorderConfig chosen, Bridge to) {
    config = chosen;
    bridge = to;
    messages = budget(chosen);
  }

  private static SeriesBudget budget(RecorderConfig config) {
    return new SeriesBudget(config.maxSeries(), config.windowSeconds() * 1_000_000_000L);
  }

  /** Which pairs of actor and message class have counts of their own. */
  static SeriesBudget messages() {
    return messages;
  }

  /** Sets the sampler for traces that begin here; may be called at any time. */
  public static void sampleBy(Sampling chosen) {
    sampling = chosen;
  }

  /**
   * Sets what is recorded of whom, for the actors and messages that are there and for those to
   * come. May be called at any time; what is at work meanwhile ends by the old rules.
   */
  public static synchronized void ruleBy(Rules chosen) {
    rules = chosen;
    Parts.rule(chosen);
    Actors.rule(chosen);
    Lanes.rule();
  }

  static Rules rules() {
    return rules;
  }

  public static RecorderConfig config() {
    return config;
  }

  static Bridge bridge() {
    return bridge;
  }

  static Sampling sampling() {
    return sampling;
  }

  /** Folds the cells of all threads, those that have ended included. */
  public static MetricsFold metrics() {
    return Lanes.fold();
  }

  /** Pairs of actor and message class that are counted under {@code other} now. */
  public static int foldedPairs() {
    return messages.folded();
  }

  /** Somebody collects differences: series that come back shall begin at zero. */
  public static void restartSeries() {
    messages.restart();
  }

  /** Records written to rings so far. */
  public static long recorded() {
    return Lanes.recorded();
  }

  /** Records taken out of the rings so far; all that will ever be, once the drainer has ended. */
  public static long drained() {
    return Lanes.drained();
  }

  /** Records dropped so far because a ring was full. */
  public static long dropped() {
    return Lanes.dropped();
  }

  /** Traces not begun so far because a ring was more than half full. */
  public static long thinned() {
    return Lanes.thinned();
  }

  /** The bridge of a process without OpenTelemetry. */
  private static final class NoBridge implements Bridge {
    static final Bridge INSTANCE = new NoBridge();

    @Override
    public void capture(Object context, ThreadState into) {
      into.captured(null, 0);
    }

    @Override
    public Object materialise(ThreadState state) {
      return this;
    }

    @Override
    public @Nullable Object userSpan(Object context) {
      return null;
    }

    @Override
    public @Nullable String[] headers(Trace trace) {
      return new String[0];
    }

    @Override
    public int sampledFlags(Trace trace) {
      return 3;
    }

    @Override
    public void extract(Map<String, String> headers, ThreadState into) {
      into.captured(null, 0);
    }

    @Override
    public void leaked(@Nullable Object attached) {}

    @Override
    public boolean sample(long traceHi, long traceLo, String messageClass) {
      return true;
    }

    @Override
    public @Nullable String className(Object actor) {
      return actor.getClass().getName();
    }
  }
}
