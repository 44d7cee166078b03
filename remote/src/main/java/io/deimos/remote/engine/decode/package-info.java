// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The way in: from the bytes of a connection to the mailboxes of actors.
 *
 * <p><b>Words.</b> <i>Lane</i>: the serial task that decodes ordinary messages of a connection.
 * Slow serialisers are spread over further lanes, by recipient.
 */
@NullMarked
package io.deimos.remote.engine.decode;

import org.jspecify.annotations.NullMarked;
