// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

/**
 * The traces and spans that the store holds, and those that it was given but does not hold. All
 * spans ever given are the sum of {@code spansKept} and of all other counts of spans here but
 * {@code errorsTurnedAway}.
 *
 * @param tracesKept traces in the store
 * @param spansKept spans in the store
 * @param spansTurnedAway spans of traces that were not taken, or had been put out before
 * @param errorsTurnedAway those among them with a failure, a time-out, a dead letter or a stuck
 *     actor
 * @param spansTruncated spans above what one trace may have
 * @param tracesLetGo ordinary traces that ended beyond the traces a second that are kept
 * @param spansLetGo their spans
 * @param tracesThinned traces with trouble of which only the way to the trouble is left
 * @param spansThinned the spans they lost
 * @param tracesEvicted traces put out to make room
 * @param troubleEvicted those among them with trouble in them
 * @param spansEvicted spans of all traces that were put out
 * @param troubleWholeNanos for how long traces with trouble in them stay whole now
 */
public record StoreCounts(
    int tracesKept,
    int spansKept,
    long spansTurnedAway,
    long errorsTurnedAway,
    long spansTruncated,
    long tracesLetGo,
    long spansLetGo,
    long tracesThinned,
    long spansThinned,
    long tracesEvicted,
    long troubleEvicted,
    long spansEvicted,
    long troubleWholeNanos) {}
