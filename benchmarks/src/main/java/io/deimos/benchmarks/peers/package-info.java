// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The needs of rivals in the forked JVM beside their flags: a call at the start, or their code in
 * the actor.
 */
@NullMarked
package io.deimos.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
