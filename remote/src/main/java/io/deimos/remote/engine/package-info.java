// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The transport itself: Artery's wire format, moved by an event loop that batches by itself.
 *
 * <p>Lives in a class loader below Pekko's, with a Netty of its own. The wire, the handshake, the
 * compression tables, quarantine and the delivery of system messages stay Pekko's: its classes are
 * called where they can be, and followed to the letter, with tests against them, where they cannot.
 *
 * <p><b>Words.</b> <i>Frame</i>: four bytes of length, little endian, and an envelope.
 * <i>Stream</i>: control (1), ordinary (2) or large (3); each has a connection per direction.
 * <i>Link</i>: an outgoing connection and its reconnects; a <i>connector</i> is one of them.
 * <i>Chunk</i>: some frames in one buffer. <i>Lane</i>: the serial task that encodes, or decodes,
 * ordinary messages. <i>Byte mover</i>: Netty under Pekko's streams. <i>Direct lane</i>: our lanes
 * in place of the streams.
 */
@NullMarked
package io.deimos.remote.engine;

import org.jspecify.annotations.NullMarked;
