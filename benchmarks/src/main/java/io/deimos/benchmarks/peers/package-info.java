// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What rivals need in the forked JVM beside their flags: a call at the start, or their code in the
 * actor.
 */
@NullMarked
package io.deimos.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
