// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import java.util.List;

/**
 * One kept trace in a line.
 *
 * @param name that of the root span, or of the earliest span if the root is not there
 * @param durationNanos from the first start to the last end
 * @param truncated spans the trace has had beyond those kept
 * @param reduced whether it had to make room, so that only what shows its trouble is left
 * @param errors spans that failed, time-outs aside
 * @param timeouts spans that ended because time ran out
 * @param incidents spans that did not fail, but in which a message became a dead letter or an actor
 *     was stuck
 * @param complete whether the root and the parents of all spans are there and none is left out
 * @param running whether it is not complete and spans still come; what is neither is quiet, and a
 *     part of it is on another node or was not kept
 * @param actorClasses of the actors in it, in the order of their first message
 * @param nodes how many processes its spans come from
 */
public record TraceSummary(
    String traceId,
    String name,
    long startEpochNanos,
    long durationNanos,
    int spans,
    long truncated,
    boolean reduced,
    int errors,
    int timeouts,
    int incidents,
    boolean complete,
    boolean running,
    List<String> actorClasses,
    int nodes) {
  TraceSummary running(boolean now) {
    return now == running
        ? this
        : new TraceSummary(
            traceId,
            name,
            startEpochNanos,
            durationNanos,
            spans,
            truncated,
            reduced,
            errors,
            timeouts,
            incidents,
            complete,
            now,
            actorClasses,
            nodes);
  }
}
