// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.nodes.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An answer on its way to a client. It goes in small parts, since the JDK copies what it writes
 * into memory outside of the heap, as much as it is handed at once, and keeps that for the thread.
 */
final class Outgoing {
  private static final int PART_BYTES = 64 * 1024;

  private final List<ByteBuffer> buffers;
  private final Runnable whenOver;
  private final @Nullable Consumer<Wire> next;
  private int at;
  private boolean over;

  /**
   * @param whenOver gives back what the answer takes
   * @param next takes the connection after the answer; null if that is its end
   */
  Outgoing(List<ByteBuffer> buffers, Runnable whenOver, @Nullable Consumer<Wire> next) {
    this.buffers = buffers;
    this.next = next;
    this.whenOver = whenOver;
  }

  /**
   * Writes what the channel takes.
   *
   * @return whether that was the last of it
   */
  boolean writeTo(WritableByteChannel channel) throws IOException {
    while (at < buffers.size()) {
      ByteBuffer buffer = buffers.get(at);
      while (buffer.hasRemaining()) {
        int part = Math.min(PART_BYTES, buffer.remaining());
        int written = channel.write(buffer.slice(buffer.position(), part));
        buffer.position(buffer.position() + written);
        if (written < part) {
          return false;
        }
      }
      at++;
    }
    return true;
  }

  /** Takes the connection after the answer; null if that is its end. */
  @Nullable Consumer<Wire> next() {
    return next;
  }

  /** Nothing more of it is sent. */
  void end() {
    if (!over) {
      over = true;
      whenOver.run();
    }
  }
}
