// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Runs the programs under test in forked JVMs, one at a time, the modes interleaved, and makes one
 * table and one JSON object of what they print.
 *
 * <p><b>Words.</b> <i>Mode</i>: an agent and its settings, or none. <i>Fork</i>: one JVM that runs
 * one program in one mode. <i>Pass</i>: one fork of every mode. <i>Round</i>: one measurement
 * inside a fork.
 */
@NullMarked
package io.deimos.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
