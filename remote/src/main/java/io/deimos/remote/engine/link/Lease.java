// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import io.deimos.remote.engine.net.DirectSocket;

/**
 * The right to write to a connection on a sender's own thread, one frame at a time. There is one
 * for each connection that allows it; {@link Outbox} says when, and to whom.
 *
 * @param epoch the number of the connection, by which what comes back late is known
 */
record Lease(Connection connection, DirectSocket socket, int epoch) {}
