// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.pekko.remote.artery.ArterySettings;

/**
 * Cuts a stream of bytes into frames of their own heap buffers, as Artery's framing does. Memory is
 * taken as bytes come in, not as a length promises them, unless as long a frame has come before.
 *
 * <p><b>Threads.</b> One.
 */
final class FrameCutter {
  /**
   * A frame this many times the largest that is configured here is garbage, not a peer's other
   * setting.
   */
  private static final int TOLERANCE = 4;

  private static final int FIRST_BYTES = 64 * 1024;

  private final int longest;
  private final Consumer<ByteBuffer> frames;
  private int lengthBytes;
  private int length;
  private int filled;
  private int seen;
  private byte[] frame = new byte[0];

  FrameCutter(int longest, Consumer<ByteBuffer> frames) {
    this.longest = longest;
    this.frames = frames;
  }

  /** The longest frame that is believed. */
  static int longest(ArterySettings settings) {
    long configured =
        Math.max(
            settings.Advanced().MaximumFrameSize(), settings.Advanced().MaximumLargeFrameSize());
    return (int) Math.min(Integer.MAX_VALUE - Integer.BYTES, configured * TOLERANCE);
  }

  /** Checks a frame's length; the shortest has a header and three empty literals. */
  static int checkLength(int length, int longest) {
    if (length < EnvelopeEncoder.FIXED_BYTES || length > longest) {
      throw new BadFrameException(
          "a frame of " + length + " bytes, where 28 to " + longest + " are possible");
    }
    return length;
  }

  /** Whether a frame has begun and not ended. */
  boolean isInside() {
    return lengthBytes > 0;
  }

  /** Reads all of the buffer. */
  void cut(ByteBuf bytes) {
    while (bytes.isReadable()) {
      if (lengthBytes < Integer.BYTES) {
        length |= bytes.readUnsignedByte() << (8 * lengthBytes++);
        if (lengthBytes == Integer.BYTES) {
          checkLength(length, longest);
          filled = 0;
          frame = new byte[Math.min(length, Math.max(FIRST_BYTES, seen))];
        }
      } else {
        int part = Math.min(length - filled, bytes.readableBytes());
        if (filled + part > frame.length) {
          long doubled = Math.max(filled + (long) part, 2L * frame.length);
          frame = Arrays.copyOf(frame, (int) Math.min(length, doubled));
        }
        bytes.readBytes(frame, filled, part);
        filled += part;
        if (filled == length) {
          ByteBuffer whole = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
          frame = new byte[0];
          seen = Math.max(seen, length);
          length = 0;
          lengthBytes = 0;
          frames.accept(whole);
        }
      }
    }
  }
}
