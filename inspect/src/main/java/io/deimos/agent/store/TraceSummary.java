// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import java.util.List;

/**
 * One kept trace in a line.
 *
 * @param name that of the root span, or of the earliest span if the root is not there
 * @param durationNanos from the first start to the last end
 * @param actorClasses of the actors in it, in the order of their first message
 * @param nodes how many processes its spans come from
 */
public record TraceSummary(
    String traceId,
    String name,
    long startEpochNanos,
    long durationNanos,
    Spans spans,
    Extent extent,
    List<String> actorClasses,
    int nodes) {
  /**
   * Its spans, counted.
   *
   * @param kept in the store
   * @param truncated had beyond those kept
   * @param errors that failed, time-outs aside
   * @param timeouts that ended because time ran out
   * @param incidents that did not fail, but in which a message became a dead letter or an actor was
   *     stuck
   */
  public record Spans(int kept, long truncated, int errors, int timeouts, int incidents) {}

  /**
   * How much of it is there.
   *
   * @param reduced whether it had to make room, so that only what shows its trouble is left
   * @param complete whether the root and the parents of all spans are there and none is left out
   * @param running whether it is not complete and spans still come; a trace that is neither is
   *     quiet, and a part of it is on another node or was not kept
   */
  public record Extent(boolean reduced, boolean complete, boolean running) {}

  public boolean complete() {
    return extent.complete;
  }

  TraceSummary running(boolean now) {
    return now == extent.running
        ? this
        : new TraceSummary(
            traceId,
            name,
            startEpochNanos,
            durationNanos,
            spans,
            new Extent(extent.reduced, extent.complete, now),
            actorClasses,
            nodes);
  }
}
