// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Calls of gRPC over HTTP/2, as the page of its own takes them: one message in, one message out.
 *
 * <p>A <i>connection</i> is driven by whoever has its channel, on one thread, and waits for nobody.
 * A <i>call</i> is one stream of it. HTTP/2 itself is Apache HttpCore's: frames, headers, windows.
 * A client's bounds of time and room are ours, in {@link GrpcBounds}. No application loads a class
 * of this room.
 */
@NullMarked
package io.deimos.agent.grpc;

import org.jspecify.annotations.NullMarked;
