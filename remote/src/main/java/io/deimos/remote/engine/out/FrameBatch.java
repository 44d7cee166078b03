// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.out;

import io.deimos.remote.FlushReason;
import io.deimos.remote.engine.link.Chunk;
import io.deimos.remote.engine.link.OutboundLink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Gathers frames in chunks and hands these to a link, each when it is full.
 *
 * <p><b>Threads.</b> The lane's run.
 */
final class FrameBatch {
  private final OutboundLink link;
  private final ByteBufAllocator buffers;
  private @Nullable ByteBuf chunk;
  private int frames;

  FrameBatch(OutboundLink link, ByteBufAllocator buffers) {
    this.link = link;
    this.buffers = buffers;
  }

  /** Copies a frame, given from the buffer's position to its limit; returns its bytes. */
  int put(ByteBuffer frame) {
    int length = frame.remaining();
    ByteBuf target = room(length + Integer.BYTES);
    target.writeIntLE(length);
    target.writeBytes(frame);
    frames++;
    return length + Integer.BYTES;
  }

  private ByteBuf room(int bytes) {
    ByteBuf target = chunk;
    if (target != null && target.writableBytes() < bytes) {
      handOver(FlushReason.BUFFER);
      target = null;
    }
    if (target == null) {
      target = buffers.directBuffer(Math.max(bytes, Chunk.BYTES));
      chunk = target;
    }
    return target;
  }

  /**
   * Hands over what there is; the link is not flushed.
   *
   * @param reason why there is no more
   */
  void handOver(FlushReason reason) {
    ByteBuf full = chunk;
    if (full != null) {
      int count = frames;
      chunk = null;
      frames = 0;
      link.offer(full, count, reason);
    }
  }
}
