// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer on its way to a client. It goes in small parts, since the JDK copies what it writes
 * into memory outside of the heap, as much as it is handed at once, and keeps that for the thread.
 */
public final class Outgoing {
  private static final int PART_BYTES = 64 * 1024;

  /** So many parts that have yet to be made are sent in one go, since others wait meanwhile. */
  private static final int PARTS_AT_ONCE = 8;

  private final List<ByteBuffer> buffers;
  private final @Nullable InputStream rest;
  private final Runnable whenOver;
  private final @Nullable Upgrade next;
  private ByteBuffer part = ByteBuffer.allocate(0);
  private @Nullable Further further;
  private int at;
  private long written;
  private long noted;
  private boolean over;

  /** One that is made already. */
  public Outgoing(List<ByteBuffer> buffers, Runnable whenOver, @Nullable Upgrade next) {
    this(buffers, null, whenOver, next, null);
  }

  /**
   * @param rest what comes behind the buffers, and is made as it is read; null for nothing
   * @param whenOver gives back what the answer takes
   * @param next what the connection becomes after the answer; null if that is its end
   * @param further what follows this part; null if nothing does
   */
  public Outgoing(
      List<ByteBuffer> buffers,
      @Nullable InputStream rest,
      Runnable whenOver,
      @Nullable Upgrade next,
      @Nullable Further further) {
    this.further = further;
    this.buffers = buffers;
    this.rest = rest;
    this.next = next;
    this.whenOver = whenOver;
  }

  /**
   * Writes what the channel takes.
   *
   * @return whether that was the last of it
   */
  public boolean writeTo(WritableByteChannel channel) throws IOException {
    while (at < buffers.size()) {
      ByteBuffer buffer = buffers.get(at);
      while (buffer.hasRemaining()) {
        int part = Math.min(PART_BYTES, buffer.remaining());
        int some = channel.write(buffer.slice(buffer.position(), part));
        buffer.position(buffer.position() + some);
        written += some;
        if (some < part) {
          return false;
        }
      }
      at++;
    }
    return rest == null || writeRest(rest, channel);
  }

  private boolean writeRest(InputStream from, WritableByteChannel channel) throws IOException {
    for (int i = 0; i < PARTS_AT_ONCE; i++) {
      if (!part.hasRemaining()) {
        byte[] bytes = part.capacity() == 0 ? new byte[PART_BYTES] : part.array();
        int read = from.readNBytes(bytes, 0, PART_BYTES);
        if (read == 0) {
          return true;
        }
        part = ByteBuffer.wrap(bytes, 0, read);
      }
      written += channel.write(part);
      if (part.hasRemaining()) {
        return false;
      }
    }
    return false;
  }

  /** Whether the channel has taken a part since this said so last; less is no reading. */
  boolean hasMoved() {
    boolean has = written - noted >= PART_BYTES;
    if (has) {
      noted = written;
    }
    return has;
  }

  /** The protocol of the connection after the answer; null if that is its end. */
  @Nullable Upgrade next() {
    return next;
  }

  /** The parts after this one, which are the caller's from now on; null if there are none. */
  @Nullable Further takeFurther() {
    Further taken = further;
    further = null;
    return taken;
  }

  /** Nothing more of it is sent, and nothing follows. */
  public void end() {
    if (!over) {
      over = true;
      try {
        if (rest != null) {
          rest.close();
        }
      } catch (IOException e) {
        // it is read from memory
      }
      whenOver.run();
      Further left = takeFurther();
      if (left != null) {
        left.end();
      }
    }
  }
}
