// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Event loops, the sockets that they move bytes of, and the names of hosts. */
@NullMarked
package io.deimos.remote.engine.net;

import org.jspecify.annotations.NullMarked;
