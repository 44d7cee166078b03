// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The page's sources: what the agent tells it, who may ask, settings, and figures of the past.
 * Histories have one thread that writes; any thread may read.
 */
@NullMarked
package io.deimos.agent.source;

import org.jspecify.annotations.NullMarked;
