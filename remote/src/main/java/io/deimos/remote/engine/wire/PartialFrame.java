// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntFunction;

/**
 * Puts a frame together that comes in pieces. Memory is taken as bytes come in, not as a length
 * promises them, unless as long a frame has come before; for frames that are not believed none is.
 *
 * <p><b>Threads.</b> One at a time, in a happens-before order.
 */
public final class PartialFrame {
  /** Where it stands with the frame that comes in. */
  private enum Stage {
    LENGTH,
    /** Until the uid is there, without which nobody knows whom a long frame is from. */
    HEADER,
    REST,
    SKIPPING,
    WHOLE
  }

  /** A frame up to this length has a buffer of its size at once. */
  private static final int FIRST_BYTES = FrameGate.SMALL_BYTES;

  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  private final FrameGate gate;
  private final IntFunction<ByteBuffer> buffers;
  private Stage stage = Stage.LENGTH;
  private int lengthBytes;
  private int length;
  private int filled;
  private int longestSeen;
  private ByteBuffer frame;

  /**
   * Nothing has come yet.
   *
   * @param buffers makes buffers of at least so many bytes
   */
  public PartialFrame(FrameGate gate, IntFunction<ByteBuffer> buffers) {
    this.gate = gate;
    this.buffers = buffers;
    frame = buffers.apply(0);
  }

  /** A heap buffer in the byte order of frames. */
  public static ByteBuffer newBuffer(int bytes) {
    return bytes == 0 ? EMPTY : ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Checks a frame's length; the shortest has a header and three empty literals. */
  public static int checkLength(int length, int longest) {
    if (length < EnvelopeEncoder.FIXED_BYTES || length > longest) {
      throw new BadFrameException(
          "a frame of " + length + " bytes, where 28 to " + longest + " are possible");
    }
    return length;
  }

  /** Whether a frame has begun that was not yet taken. */
  public boolean isInside() {
    return lengthBytes > 0;
  }

  /**
   * Takes bytes up to the end of the frame.
   *
   * @return whether it is whole; then {@link #frame} has it until {@link #next}
   */
  public boolean fill(ByteBuffer source) {
    while (stage != Stage.WHOLE) {
      if (stage == Stage.LENGTH && !readLength(source)) {
        return false;
      }
      int wanted = stage == Stage.HEADER ? EnvelopeEncoder.FIXED_BYTES : length;
      int part = Math.min(wanted - filled, source.remaining());
      if (stage == Stage.SKIPPING) {
        source.position(source.position() + part);
      } else {
        append(source, part);
      }
      filled += part;
      if (filled < wanted) {
        return false;
      }
      stage = next(stage);
    }
    return true;
  }

  private Stage next(Stage done) {
    switch (done) {
      case HEADER -> {
        return gate.judge(frame.getLong(EnvelopeEncoder.UID), length) == FrameGate.Verdict.KEEP
            ? Stage.REST
            : Stage.SKIPPING;
      }
      case SKIPPING -> {
        begin();
        return Stage.LENGTH;
      }
      default -> {
        longestSeen = Math.max(longestSeen, length);
        return Stage.WHOLE;
      }
    }
  }

  private boolean readLength(ByteBuffer source) {
    while (lengthBytes < Integer.BYTES) {
      if (!source.hasRemaining()) {
        return false;
      }
      length |= (source.get() & 0xFF) << (8 * lengthBytes++);
    }
    checkLength(length, gate.longest());
    frame.clear(); // whoever had the last one may have set marks in it
    stage = length > FrameGate.SMALL_BYTES ? Stage.HEADER : Stage.REST;
    return true;
  }

  private void append(ByteBuffer source, int part) {
    int needed = filled + part;
    if (frame.capacity() < needed) {
      int believed = stage == Stage.HEADER ? needed : Math.max(FIRST_BYTES, longestSeen);
      long room = Math.max(Math.max(believed, needed), 2L * frame.capacity());
      ByteBuffer grown = buffers.apply((int) Math.min(length, room));
      grown.put(0, frame, 0, filled);
      frame = grown;
    }
    frame.put(filled, source, source.position(), part);
    source.position(source.position() + part);
  }

  /** How long the whole frame is. */
  public int length() {
    return length;
  }

  /** The whole frame, from position 0 on. */
  public ByteBuffer frame() {
    return frame.clear().limit(length);
  }

  /** Begins with the next frame, in the same buffer. */
  public void next() {
    begin();
    stage = Stage.LENGTH;
  }

  /** Begins with the next frame in another buffer, as somebody keeps this one. */
  ByteBuffer take() {
    ByteBuffer whole = frame();
    next();
    frame = buffers.apply(0);
    return whole;
  }

  private void begin() {
    lengthBytes = 0;
    length = 0;
    filled = 0;
  }

  /** The buffer, for other use while no frame is inside. */
  public ByteBuffer borrow(int bytes) {
    if (frame.capacity() < bytes) {
      frame = buffers.apply(bytes);
    }
    return frame.clear().limit(bytes);
  }

  /**
   * Lets a buffer go that is larger than this, if nothing is in it.
   *
   * @return whether it did
   */
  public boolean shrink(int bytes) {
    if (isInside() || frame.capacity() <= bytes) {
      return false;
    }
    frame = buffers.apply(bytes);
    return true;
  }
}
