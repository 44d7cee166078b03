// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Artery's wire format: the header of a connection, frames, envelopes, control messages, and the
 * serialisers whose bytes are made here.
 *
 * <p><b>Words.</b> <i>Frame</i>: four bytes of length, little endian, and an envelope.
 * <i>Stream</i>: control (1), ordinary (2) or large (3); each has a connection per direction.
 *
 * <p>Nothing here knows of connections or threads. Whatever bytes come in, a {@link
 * io.deimos.remote.engine.wire.BadFrameException} is the worst that comes of them.
 */
@NullMarked
package io.deimos.remote.engine.wire;

import org.jspecify.annotations.NullMarked;
