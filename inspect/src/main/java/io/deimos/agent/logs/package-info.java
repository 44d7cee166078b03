// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The last records of logs: of actors and traces of this process, and those that came as OTLP. Any
 * thread writes, and any reads.
 */
@NullMarked
package io.deimos.agent.logs;

import org.jspecify.annotations.NullMarked;
