// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Checks before anything of ours runs: the recorder on the bootstrap path, files that nobody else
 * can touch, and no second OpenTelemetry agent in the JVM.
 *
 * <p>Runs on the thread that starts the JVM. No class here names a type of the recorder: the
 * recorder may not be there yet.
 */
@NullMarked
package io.deimos.agent.bootstrap;

import org.jspecify.annotations.NullMarked;
