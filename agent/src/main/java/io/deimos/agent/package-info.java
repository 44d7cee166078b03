// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Joins the recorder to the OpenTelemetry agent: what the agent calls, and the order in which
 * things are set up.
 *
 * <p>The classes named in {@code META-INF/services} carry no recorder type in a field, a signature
 * or a body, since the JVM may look at those before the recorder is on the bootstrap path; they
 * hand over to {@link io.deimos.agent.DeimosRuntime}. Whatever they throw would stop the whole
 * agent, so they throw nothing.
 */
@NullMarked
package io.deimos.agent;

import org.jspecify.annotations.NullMarked;
