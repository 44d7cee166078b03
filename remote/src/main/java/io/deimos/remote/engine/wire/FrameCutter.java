// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.wire;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.apache.pekko.remote.artery.ArterySettings;

/**
 * Cuts a stream of bytes into frames of their own heap buffers, as Artery's framing does.
 *
 * <p><b>Threads.</b> One.
 */
public final class FrameCutter {
  /**
   * A frame this many times the largest that is configured here is garbage, not a peer's other
   * setting.
   */
  private static final int TOLERANCE = 4;

  private final Consumer<ByteBuffer> frames;
  private final PartialFrame partial;

  public FrameCutter(FrameGate gate, Consumer<ByteBuffer> frames) {
    this.frames = frames;
    partial = new PartialFrame(gate, PartialFrame::newBuffer);
  }

  /** The longest frame that is believed of a known peer. */
  public static int longest(ArterySettings settings) {
    long configured =
        Math.max(
            settings.Advanced().MaximumFrameSize(), settings.Advanced().MaximumLargeFrameSize());
    return (int) Math.min(Integer.MAX_VALUE - Integer.BYTES, configured * TOLERANCE);
  }

  /** Whether a frame has begun and not ended. */
  public boolean isInside() {
    return partial.isInside();
  }

  /** Reads all of the buffer. */
  public void cut(ByteBuf bytes) {
    if (bytes.isReadable()) {
      cut(bytes.nioBuffer());
      bytes.skipBytes(bytes.readableBytes());
    }
  }

  /** Reads all of the buffer. */
  public void cut(ByteBuffer bytes) {
    while (partial.fill(bytes)) {
      frames.accept(partial.take());
    }
  }
}
