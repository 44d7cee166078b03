// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

/**
 * How it is decided whether a trace that begins here is recorded. Immutable.
 *
 * @param mode one of {@link #ALWAYS}, {@link #NEVER}, {@link #RATIO}, {@link #CUSTOM}
 * @param upperBound with {@link #RATIO}: the absolute value of the trace id's second half must lie
 *     below, as in OpenTelemetry's TraceIdRatioBased
 */
public record Sampling(int mode, long upperBound) {
  public static final int ALWAYS = 0;
  public static final int NEVER = 1;
  public static final int RATIO = 2;

  /** The bridge is asked for each trace. */
  public static final int CUSTOM = 3;

  boolean decide(long hi, long lo, MessageCell cell) {
    return switch (mode) {
      case ALWAYS -> true;
      case NEVER -> false;
      case RATIO -> Math.abs(lo) < upperBound;
      default -> Recorder.bridge().sample(hi, lo, cell.message.name());
    };
  }
}
