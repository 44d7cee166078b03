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
 * @param errors spans that failed, time-outs aside
 * @param timeouts spans that ended because time ran out
 * @param complete whether the root and the parents of all spans are there and none is left out
 * @param actorClasses of the actors in it, in the order of their first message
 */
public record TraceSummary(
    String traceId,
    String name,
    long startEpochNanos,
    long durationNanos,
    int spans,
    long truncated,
    int errors,
    int timeouts,
    boolean complete,
    List<String> actorClasses) {}
