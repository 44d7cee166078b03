// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.net;

import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A connection that a sender's thread may write to itself, as long as nothing else is under way in
 * it.
 *
 * <p><b>Threads.</b> {@link #writeNow} is for one at a time, in a happens-before order; Java's own
 * channel keeps it apart from the event loop, and does not wait. A thread that is interrupted does
 * not close the channel, since it does not block.
 *
 * <p>Public, as Netty makes it by reflection.
 */
public final class WritableSocket extends NioSocketChannel implements DirectSocket {
  private final ByteBuffer head =
      ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final ByteBuffer[] parts = {head, head};

  @Override
  public void writeNow(ByteBuffer frame) throws IOException {
    head.clear();
    head.putInt(0, frame.remaining());
    parts[1] = frame;
    try {
      javaChannel().write(parts);
    } finally {
      parts[1] = head;
    }
  }

  @Override
  public ByteBuffer unwrittenHead() {
    return head;
  }

  /** On the event loop: whether the connection has ended, unless by a failure that shows now. */
  public boolean hasEnded() {
    try {
      return !isOpen() || javaChannel().read(ByteBuffer.allocate(1)) < 0;
    } catch (IOException e) {
      return false;
    }
  }
}
