// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The end of the JVM: the rings are emptied, spans exported, the report written and the SDK shut
 * down, all before one deadline.
 *
 * <p><b>Words.</b> <i>Ending</i>: an actor system whose coordinated shutdown runs. <i>Deadline</i>:
 * the moment by which all steps must be over, however they share the time until then.
 *
 * <p><b>Threads.</b> The JVM's shutdown hook waits; a daemon thread does the work.
 */
@NullMarked
package io.deimos.agent.shutdown;

import org.jspecify.annotations.NullMarked;
