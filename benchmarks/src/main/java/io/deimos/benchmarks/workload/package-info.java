// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The programs under test: plain Java on Pekko, with nothing of Deimos in them.
 *
 * <p>Each is the main class of a forked JVM. The agent at work (none, ours, a rival's) is decided
 * by the JVM's flags alone. A program prints its result as one line of JSON after {@link
 * io.deimos.benchmarks.workload.Results#PREFIX}; everything else on its output is noise.
 */
@NullMarked
package io.deimos.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
