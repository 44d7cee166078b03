// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.in;

import io.netty.buffer.ByteBuf;

/** Takes what a connection reads, on its event loop. */
public interface FrameReceiver {
  /** Bytes that followed those given before; the receiver owns the buffer. */
  void data(ByteBuf bytes);

  /** The connection is over. */
  void ended();
}
