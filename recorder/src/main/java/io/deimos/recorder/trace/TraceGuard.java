// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trace;

import io.deimos.recorder.base.GuardConfig;
import io.deimos.recorder.base.RecorderConfig;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that no trace lives for ever. A message that would go on in a trace that is too old,
 * too deep or too large begins a new one, linked to the span it was sent from.
 *
 * <p><b>Cost.</b> The age is one comparison with a field of the trace that lies beside those that
 * are read anyway. Depth and size are estimated: the random id of a new span decides, once in
 * {@link #STEP} spans on average, that all of that many are counted, so that nothing is written to
 * memory that threads share but then. Up to a bound of {@value #EXACT} they are exact.
 *
 * <p>Safe for any thread.
 */
public final class TraceGuard {
  /** Bounds up to this are counted one by one. */
  static final int EXACT = 256;

  /** How many spans are counted at once: a power of two in [1, 64]. */
  static final int STEP;

  /** A span whose id has none of these bits is one that counts. */
  static final long MASK;

  /** Reasons for which a trace does not go on. */
  public static final String AGE = "age";

  public static final String DEPTH = "depth";
  public static final String SPANS = "spans";

  private static final long MAX_AGE_NANOS;
  private static final int MAX_DEPTH;
  private static final int MAX_SPANS;
  private static final long FAR = 1L << 62;
  private static final LongAdder AGED = new LongAdder();
  private static final LongAdder DEEP = new LongAdder();
  private static final LongAdder LARGE = new LongAdder();

  static {
    GuardConfig config = RecorderConfig.current().guard();
    MAX_AGE_NANOS = config.maxAgeNanos();
    MAX_DEPTH = config.maxDepth() == 0 ? Integer.MAX_VALUE : config.maxDepth();
    MAX_SPANS = config.maxSpans() == 0 ? Integer.MAX_VALUE : config.maxSpans();
    STEP = step(Math.min(MAX_DEPTH, MAX_SPANS));
    MASK = MAX_DEPTH == Integer.MAX_VALUE && MAX_SPANS == Integer.MAX_VALUE ? -1 : STEP - 1;
  }

  private TraceGuard() {}

  /** So many that a bound is some dozens of steps away. */
  static int step(int bound) {
    return bound <= EXACT ? 1 : Math.min(64, Integer.highestOneBit(bound / 32));
  }

  /** The reading of the clock after which a trace that began at {@code since} is too old. */
  static long deadline(long since) {
    return since + (MAX_AGE_NANOS == 0 ? FAR : MAX_AGE_NANOS);
  }

  /** True if a span with this id is one that {@link #counted} is told of. */
  public static boolean counts(long spanId) {
    return (spanId & MASK) == 0;
  }

  /**
   * A trace has got about {@link #STEP} more spans, and goes on that much further down.
   *
   * @return the trace as its next messages carry it; null if they shall carry it no further
   */
  public static @Nullable Trace counted(Trace trace) {
    if (trace.addSpans(STEP) > MAX_SPANS) {
      trace.isDue(); // nor shall the messages carry it that are not counted
      return null;
    }
    return trace.depth + STEP > MAX_DEPTH ? null : trace.deeper(STEP);
  }

  /** Whether a message sent at this time would go on in a trace that shall not. */
  public static boolean isOver(Trace trace, long sent) {
    return trace.spans() > MAX_SPANS || (MAX_AGE_NANOS != 0 && sent != 0 && sent - trace.ends > 0);
  }

  /**
   * A message begins a new trace after this one.
   *
   * @param told whether that is counted: not of the self-test's, which nobody sees
   */
  public static Link cut(Trace trace, long span, boolean told) {
    LongAdder count = AGED;
    String reason = AGE;
    if (trace.spans() > MAX_SPANS) {
      count = LARGE;
      reason = SPANS;
    } else if (trace.depth + STEP > MAX_DEPTH) {
      count = DEEP;
      reason = DEPTH;
    }
    if (told) {
      count.increment();
    }
    return new Link(trace.hi(), trace.lo(), span, reason);
  }

  /** Traces that did not go on. */
  public static long cuts() {
    return aged() + deep() + large();
  }

  /** Traces that did not go on because of their age. */
  public static long aged() {
    return AGED.sum();
  }

  /** Traces that did not go on because so many messages lay between. */
  public static long deep() {
    return DEEP.sum();
  }

  /** Traces that did not go on because of their number of spans. */
  public static long large() {
    return LARGE.sum();
  }
}
