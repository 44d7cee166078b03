// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import org.jspecify.annotations.Nullable;

/**
 * How it is decided whether a trace that begins here is recorded. Immutable, but for the limit.
 *
 * @param mode one of {@link #ALWAYS}, {@link #NEVER}, {@link #RATIO}, {@link #CUSTOM}
 * @param upperBound with {@link #RATIO}: the absolute value of the trace id's second half must lie
 *     below, as in OpenTelemetry's TraceIdRatioBased
 * @param limit how many traces may begin each second; null for any number
 */
public record Sampling(int mode, long upperBound, @Nullable RateLimit limit) {
  public static final int ALWAYS = 0;
  public static final int NEVER = 1;
  public static final int RATIO = 2;

  /** The bridge is asked for each trace. */
  public static final int CUSTOM = 3;

  /** Every trace. */
  public static final Sampling EVERY = new Sampling(ALWAYS, 0);

  /** Without a limit. */
  public Sampling(int mode, long upperBound) {
    this(mode, upperBound, null);
  }

  /** The share of traces that OpenTelemetry's TraceIdRatioBased would take. */
  public static Sampling ofRatio(double ratio) {
    return ratio >= 1
        ? EVERY
        : ratio <= 0
            ? new Sampling(NEVER, 0)
            : new Sampling(RATIO, (long) (ratio * Long.MAX_VALUE));
  }

  /** The same, with at most so many traces each second. */
  public Sampling limitedBy(@Nullable RateLimit to) {
    return new Sampling(mode, upperBound, to);
  }
}
