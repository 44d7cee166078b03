// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The work of a thread, and how OpenTelemetry sees it.
 *
 * <p><b>Words.</b> <i>State</i>: all that is known of a thread. <i>Frame</i>: one message or
 * callback on it; frames nest. <i>Open record</i>: what is collected of a message until it has been
 * processed. <i>Capture</i>: to note the current context for something that is sent or kept.
 * <i>Attached</i>: a context that the application made current itself. <i>Bridge</i>:
 * OpenTelemetry, which only the agent's class loader has.
 *
 * <p><b>Threads.</b> A state belongs to its thread and nobody else touches it, but for the stuck
 * watch, which reads.
 */
@NullMarked
package io.deimos.recorder.context;

import org.jspecify.annotations.NullMarked;
