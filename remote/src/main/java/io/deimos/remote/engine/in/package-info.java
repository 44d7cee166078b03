// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Accepted connections: how far a stranger is believed, and where bytes go.
 *
 * <p><b>Words.</b> <i>Stranger</i>: a connection whose system has not completed a handshake.
 * <i>Receiver</i>: takes the bytes of one connection.
 */
@NullMarked
package io.deimos.remote.engine.in;

import org.jspecify.annotations.NullMarked;
