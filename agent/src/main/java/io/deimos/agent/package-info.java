// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Joins the recorder to the OpenTelemetry agent: what that agent calls by name, and the
 * composition.
 *
 * <p>{@link io.deimos.agent.DeimosRuntime} has the order of the agent's calls, {@link
 * io.deimos.agent.Composition} what is made and joined in each. The work of the parts is in the
 * packages below, each with its words; they use only those below them, as {@code ArchitectureTest}
 * says.
 *
 * <p>The classes named in {@code META-INF/services} carry no recorder type in a field, a signature
 * or a body, since the JVM may look at those before the recorder is on the bootstrap path; they
 * hand over to {@link io.deimos.agent.DeimosRuntime}. Their exceptions would stop the whole agent,
 * so they throw nothing.
 */
@NullMarked
package io.deimos.agent;

import org.jspecify.annotations.NullMarked;
