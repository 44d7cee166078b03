// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The parts that one actor system's transport shares: Pekko's side of it, the settings, the event
 * loops, TLS, counters and refusals.
 */
@NullMarked
package io.deimos.remote.engine.core;

import org.jspecify.annotations.NullMarked;
