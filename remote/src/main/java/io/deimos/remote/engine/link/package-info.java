// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Outgoing connections.
 *
 * <p><b>Words.</b> <i>Link</i>: an outgoing connection of one stream to one peer and its
 * reconnects; a <i>connector</i> is one of them. <i>Chunk</i>: some frames in one buffer.
 * <i>Outbox</i>: all that senders and event loop share. <i>Lease</i>: a sender's right to write by
 * itself. <i>Epoch</i>: the number of a connection, by which what comes back late is known.
 *
 * <p><b>Threads.</b> The event loop owns the connection; senders come as far as the outbox. {@code
 * LinkModelTest} tries every order of their steps.
 */
@NullMarked
package io.deimos.remote.engine.link;

import org.jspecify.annotations.NullMarked;
