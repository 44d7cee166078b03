// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.net;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A socket that other threads than its event loop may write to, one at a time, in a happens-before
 * order. A write does not wait.
 */
public interface DirectSocket {
  /**
   * Writes a frame with its length before it, as much as the socket takes.
   *
   * @param frame what is written of it is taken out
   */
  void writeNow(ByteBuffer frame) throws IOException;

  /** The rest of the length's bytes after the last {@link #writeNow}; mostly nothing. */
  ByteBuffer unwrittenHead();
}
