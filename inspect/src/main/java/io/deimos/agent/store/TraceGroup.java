// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

/**
 * All traces of one name that match a query.
 *
 * @param traces how many
 * @param trouble in how many something went wrong
 * @param p50Nanos half of them took no longer
 * @param p99Nanos 99 of 100 took no longer
 * @param slowest the id of the one that took longest
 * @param latestEpochNanos when the last of them began
 */
public record TraceGroup(
    String name,
    int traces,
    int trouble,
    long p50Nanos,
    long p99Nanos,
    long maxNanos,
    String slowest,
    long latestEpochNanos) {}
