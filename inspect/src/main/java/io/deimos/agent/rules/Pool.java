// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Series;

/**
 * The threads of a dispatcher.
 *
 * @param wanted how many threads it is set to have
 * @param threads how many it has
 * @param busy how many of them have a task
 * @param shortOf in how many looks so far all were busy while tasks waited
 * @param looks how many looks there were so far
 * @param cpu the sum of the machine's load in the looks in which all were busy, in thousandths
 */
public record Pool(
    String dispatcher,
    long wanted,
    Series threads,
    Series busy,
    Series shortOf,
    Series looks,
    Series cpu) {}
