// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Compression tables of incoming messages: Pekko's own, but apart for each peer. */
@NullMarked
package io.deimos.remote.engine.compress;

import org.jspecify.annotations.NullMarked;
