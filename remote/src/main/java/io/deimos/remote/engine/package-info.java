// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The transport itself: Artery's wire format, moved by an event loop that batches by itself.
 *
 * <p>Lives in a class loader below Pekko's, with a Netty of its own. The wire, the handshake, the
 * compression tables, quarantine and the delivery of system messages stay Pekko's: its classes are
 * called where they can be, and followed to the letter, with tests against them, where they cannot.
 *
 * <p>This package is the door: calls from woven methods, and the listening socket. The packages
 * below it have one concern each.
 *
 * <p><b>Words.</b> <i>Byte mover</i>: Netty under Pekko's streams. <i>Direct lane</i>: our lanes in
 * place of the streams.
 */
@NullMarked
package io.deimos.remote.engine;

import org.jspecify.annotations.NullMarked;
