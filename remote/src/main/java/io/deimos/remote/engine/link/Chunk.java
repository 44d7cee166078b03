// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import io.deimos.remote.FlushReason;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** Some whole frames, or the rest of one, on their way to a socket. */
public final class Chunk {
  /** The room of a chunk, unless a single frame is longer. */
  public static final int BYTES = 32 * 1024;

  final ByteBuf buffer;

  /** Why no more was put into it, or into the batch that it ends. */
  final FlushReason reason;

  private int frames;
  private int bytes;

  /** The connection it waits for or is written to; the queue's. */
  int epoch;

  /** When it was flushed as the last one of its batch; 0 if it was not, or is not timed. */
  long flushedNanos;

  Chunk(ByteBuf buffer, int frames, FlushReason reason) {
    this.buffer = buffer;
    this.frames = frames;
    this.reason = reason;
    bytes = buffer.readableBytes();
  }

  /** Copies a frame behind those that are there. */
  void append(ByteBuffer frame) {
    int length = frame.remaining();
    buffer.writeIntLE(length);
    buffer.writeBytes(frame);
    frames++;
    bytes += length + Integer.BYTES;
  }

  int frames() {
    return frames;
  }

  /** As many as were put in, whatever has been read from the buffer since. */
  int bytes() {
    return bytes;
  }

  @Override
  public String toString() {
    return frames + " frames in " + buffer;
  }
}
