// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Attaches the transport: routes the methods of Pekko that move bytes to the engine, which lives in
 * a class loader of its own below Pekko's. The only package that names Byte Buddy.
 */
@NullMarked
package io.deimos.remote.weave;

import org.jspecify.annotations.NullMarked;
