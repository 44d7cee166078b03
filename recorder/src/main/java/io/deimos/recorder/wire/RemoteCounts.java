// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.wire;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Contexts that did not cross the wire whole: counted, and the first of each kind told. Safe for
 * any thread.
 */
public final class RemoteCounts {
  private static final LongAdder UNREADABLE = new LongAdder();
  private static final LongAdder CUT = new LongAdder();
  private static final LongAdder OVER_LIMIT = new LongAdder();
  private static volatile boolean unreadableTold;
  private static volatile boolean cutTold;
  private static volatile boolean overLimitTold;
  private static volatile Consumer<String> problems = problem -> {};

  private RemoteCounts() {}

  /** Sets who is told, in one sentence each. */
  public static void tell(Consumer<String> who) {
    problems = who;
  }

  /** Messages whose context could not be read; they were delivered without it. */
  public static long unreadable() {
    return UNREADABLE.sum();
  }

  /** Headers (tracestate, baggage) that were too long to go with a message. */
  public static long cut() {
    return CUT.sum();
  }

  /** Messages whose trace is not recorded here, since too many came from other nodes. */
  public static long overLimit() {
    return OVER_LIMIT.sum();
  }

  public static void countOverLimit() {
    OVER_LIMIT.increment();
    if (!overLimitTold) {
      overLimitTold = true;
      problems.accept(
          "other nodes send more traces than are recorded here, which is ten times"
              + " deimos.sampling.max-traces-per-second; what goes beyond is missing in its trace."
              + " Reported once, counted in deimos.remote.context.dropped; raise the"
              + " setting, or see which node sends them");
    }
  }

  public static void countUnreadable(String why) {
    UNREADABLE.increment();
    if (!unreadableTold) {
      unreadableTold = true;
      problems.accept(
          "a message from another node carried an unreadable trace context ("
              + why
              + "); the message was delivered and starts a new trace. Reported once, counted in"
              + " deimos.remote.context.dropped; see which node sends it, or set"
              + " deimos.tracing.remote.enabled=false");
    }
  }

  public static void countCut(String header, int bytes) {
    CUT.increment();
    if (!cutTold) {
      cutTold = true;
      problems.accept(
          "the header "
              + header
              + " of a trace has "
              + bytes
              + " bytes and does not go to other nodes, which take "
              + WireContext.MAX_BYTES
              + " at most; the trace itself does. Reported once, counted in"
              + " deimos.remote.context.dropped; put less into the baggage");
    }
  }
}
