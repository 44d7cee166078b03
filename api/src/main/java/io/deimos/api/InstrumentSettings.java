// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.api;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded of an actor, for {@link Deimos#instrument}. What is not said is as configured.
 * Immutable; each method returns a new one.
 */
public final class InstrumentSettings {
  private static final InstrumentSettings NOTHING =
      new InstrumentSettings(null, null, null, null, false);

  private final @Nullable Boolean tracing;
  private final @Nullable Boolean metrics;
  private final @Nullable Boolean starts;
  private final @Nullable Double ratio;
  private final boolean children;

  private InstrumentSettings(
      @Nullable Boolean tracing,
      @Nullable Boolean metrics,
      @Nullable Boolean starts,
      @Nullable Double ratio,
      boolean children) {
    this.tracing = tracing;
    this.metrics = metrics;
    this.starts = starts;
    this.ratio = ratio;
    this.children = children;
  }

  /** Nothing said yet. */
  public static InstrumentSettings create() {
    return NOTHING;
  }

  /** Whether the actor's messages get spans. */
  public InstrumentSettings withTracing(boolean on) {
    return new InstrumentSettings(on, metrics, starts, ratio, children);
  }

  /** Whether the actor's messages are counted and timed. */
  public InstrumentSettings withMetrics(boolean on) {
    return new InstrumentSettings(tracing, on, starts, ratio, children);
  }

  /** Whether a message outside of all traces begins one at this actor. */
  public InstrumentSettings withStartTraces(boolean here) {
    return new InstrumentSettings(tracing, metrics, here, ratio, children);
  }

  /**
   * The share of traces that is sampled, of those that begin at this actor.
   *
   * @throws IllegalArgumentException if it is not in [0, 1]
   */
  public InstrumentSettings withSampling(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("sampling share " + share + " is not in [0, 1]");
    }
    return new InstrumentSettings(tracing, metrics, starts, share, children);
  }

  /** Whether all actors below get the same, where they are not told otherwise; by default not. */
  public InstrumentSettings withChildren(boolean inherit) {
    return new InstrumentSettings(tracing, metrics, starts, ratio, inherit);
  }

  /** As it travels with an actor's properties: as one of Pekko's actor tags. */
  String tag() {
    StringBuilder text = new StringBuilder(TAG);
    append(text, "tracing", tracing, "on", "off");
    append(text, "metrics", metrics, "on", "off");
    append(text, "start-traces", starts, "here", "only-inside-existing");
    if (ratio != null) {
      text.append("sampling=").append(String.format(Locale.ROOT, "%s", ratio)).append(',');
    }
    append(text, "children", children ? true : null, "inherit", "ignore");
    return text.append('}').toString();
  }

  static final String TAG = "deimos{";

  private static void append(
      StringBuilder to, String key, @Nullable Boolean value, String yes, String no) {
    if (value != null) {
      to.append(key).append('=').append(value ? yes : no).append(',');
    }
  }

  @Override
  public String toString() {
    return tag();
  }
}
