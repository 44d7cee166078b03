// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Pekko and Scala where their versions differ: private members, collections and futures, kill
 * switches, dispatchers, and the check before the start that everything is there.
 */
@NullMarked
package io.deimos.remote.engine.pekko;

import org.jspecify.annotations.NullMarked;
