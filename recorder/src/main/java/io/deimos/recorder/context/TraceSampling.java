// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.context;

import io.deimos.recorder.actors.InForce;
import io.deimos.recorder.actors.RateLimit;
import io.deimos.recorder.actors.Sampling;
import io.deimos.recorder.counts.MessageCell;
import io.deimos.recorder.trace.Trace;

/** Decides by a {@link Sampling} whether a trace that begins here is recorded. */
public final class TraceSampling {
  private TraceSampling() {}

  /**
   * Whether a trace is recorded.
   *
   * @param hi the first eight bytes of the trace id
   * @param lo the last eight
   * @param cell of the message with which the trace begins
   */
  public static boolean decide(Sampling by, long hi, long lo, MessageCell cell) {
    boolean sampled =
        switch (by.mode()) {
          case Sampling.ALWAYS -> true;
          case Sampling.NEVER -> false;
          case Sampling.RATIO -> Math.abs(lo) < by.upperBound();
          default -> Bridges.current().sample(hi, lo, cell.message.name());
        };
    RateLimit most = by.limit();
    return sampled && (most == null || most.tryTake());
  }

  /**
   * The same for a message that is not entered yet.
   *
   * @param pending its frame
   */
  public static boolean decide(
      ThreadState s, Frame pending, Sampling by, long hi, long lo, MessageCell cell) {
    if (by.mode() != Sampling.CUSTOM) {
      return decide(by, hi, lo, cell);
    }
    return s.ask(pending, () -> decide(by, hi, lo, cell));
  }

  /** The trace of what a message sends that has neither a span nor a trace. */
  public static Trace gathered(ThreadState s, Frame f) {
    MessageCell cell = s.cell(f);
    Sampling own = cell == null ? null : cell.sampling;
    Sampling sampling = own == null ? InForce.sampling() : own;
    if (cell == null || sampling.mode() == Sampling.NEVER) {
      return Trace.UNSAMPLED;
    }
    long lo = s.nextId();
    long hi = s.lane().traceHigh(lo);
    return decide(sampling, hi, lo, cell) ? new Trace(hi, lo, true, null) : Trace.UNSAMPLED;
  }
}
