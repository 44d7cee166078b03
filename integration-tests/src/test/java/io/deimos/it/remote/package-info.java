// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** Messages between nodes: the transport, and traces over the wire. */
@NullMarked
package io.deimos.it.remote;

import org.jspecify.annotations.NullMarked;
