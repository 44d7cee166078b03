// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Outgoing connections.
 *
 * <p><b>Words.</b> <i>Link</i>: an outgoing connection of one stream to one peer and its
 * reconnects; a <i>connector</i> is one of them. <i>Chunk</i>: some frames in one buffer.
 */
@NullMarked
package io.deimos.remote.engine.link;

import org.jspecify.annotations.NullMarked;
