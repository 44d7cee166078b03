// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

/**
 * What the store holds, and what it was given but does not hold. All spans ever given are the sum
 * of {@code spansKept}, {@code spansTurnedAway}, {@code spansTruncated} and {@code spansEvicted}.
 *
 * @param tracesKept traces in the store
 * @param spansKept spans in the store
 * @param spansTurnedAway spans of traces that were not admitted, or had been evicted before
 * @param errorsTurnedAway those among them that failed or timed out
 * @param spansTruncated spans above what one trace may have
 * @param tracesEvicted traces given up for newer ones
 * @param spansEvicted their spans
 */
public record StoreCounts(
    int tracesKept,
    int spansKept,
    long spansTurnedAway,
    long errorsTurnedAway,
    long spansTruncated,
    long tracesEvicted,
    long spansEvicted) {}
