// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.wire;

/**
 * How much of a connection's frames is believed.
 *
 * <p><b>Threads.</b> That of the connection's frames.
 */
public interface FrameGate {
  /** Up to here a frame is put together whoever sent it; no handshake is longer. */
  int SMALL_BYTES = 32 * 1024;

  /** The fate of a frame. */
  enum Verdict {
    KEEP,
    /** Its bytes are let go as they come. */
    SKIP
  }

  /** The longest frame that any peer may send; longer ones end the connection. */
  int longest();

  /**
   * Asked once for each frame of more than {@value #SMALL_BYTES} bytes, when its header is there.
   *
   * @param uid of the system that says it sent it
   * @throws BadFrameException if this ends the connection
   */
  Verdict judge(long uid, int length);
}
