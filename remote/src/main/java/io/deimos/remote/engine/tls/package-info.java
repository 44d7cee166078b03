// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** TLS with the engines of the user's own provider, on threads of its own. */
@NullMarked
package io.deimos.remote.engine.tls;

import org.jspecify.annotations.NullMarked;
