// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Between the recorder's words and OpenTelemetry's: {@code Context.current()} and {@code
 * Span.current()} inside an actor, and the trace a message takes along.
 */
@NullMarked
package io.deimos.agent.context;

import org.jspecify.annotations.NullMarked;
