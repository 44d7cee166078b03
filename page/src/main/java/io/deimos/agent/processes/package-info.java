// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Answers about more than this process: the processes on the page, their clusters and clocks, and
 * spans of applications that send OTLP. Called by the threads that make answers.
 */
@NullMarked
package io.deimos.agent.processes;

import org.jspecify.annotations.NullMarked;
