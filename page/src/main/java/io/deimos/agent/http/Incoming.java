// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import io.deimos.agent.budget.AnswerMemory;
import java.nio.ByteBuffer;

/**
 * The body of a request on its way in, of a length that was said before or in chunks. It takes
 * memory as it comes, not as it says it will.
 */
final class Incoming {
  private static final int MAX_LINE = 256;

  private enum State {
    SIZE,
    DATA,
    AFTER_DATA,
    TRAILER,
    WHOLE
  }

  private final boolean isChunked;
  private final int mostBytes;
  private final Pieces pieces;
  private final StringBuilder line = new StringBuilder();
  private State state;
  private long left;
  private int trailerBytes;

  /**
   * @param length as the head says; negative if it comes in chunks
   * @param mostBytes how long it may be
   * @param memory what it takes
   */
  Incoming(long length, int mostBytes, AnswerMemory memory) throws Request.Malformed {
    this.isChunked = length < 0;
    this.mostBytes = mostBytes;
    this.pieces = new Pieces(memory);
    this.left = Math.max(0, length);
    this.state = isChunked ? State.SIZE : length == 0 ? State.WHOLE : State.DATA;
    checkLength();
  }

  private void checkLength() throws Request.Malformed {
    if (left > mostBytes - pieces.length()) {
      throw new Request.Malformed(413, "a body has at most " + mostBytes + " bytes here");
    }
  }

  /**
   * Takes what has come.
   *
   * @return whether the body is whole
   */
  boolean take(ByteBuffer from) throws Request.Malformed {
    while (from.hasRemaining() && state != State.WHOLE) {
      if (state == State.DATA) {
        data(from);
      } else if (endsLine(from)) {
        line(line.toString());
        line.setLength(0);
      }
    }
    return state == State.WHOLE;
  }

  private void data(ByteBuffer from) throws Request.Malformed {
    int some = (int) Math.min(left, from.remaining());
    try {
      pieces.write(from.array(), from.arrayOffset() + from.position(), some);
    } catch (AnswerMemory.ExceededException e) {
      throw Request.Malformed.noRoom();
    }
    from.position(from.position() + some);
    left -= some;
    if (left == 0) {
      state = isChunked ? State.AFTER_DATA : State.WHOLE;
    }
  }

  private boolean endsLine(ByteBuffer from) throws Request.Malformed {
    while (from.hasRemaining()) {
      char c = (char) (from.get() & 0xff);
      if (c == '\n') {
        return true;
      }
      if (c != '\r') {
        line.append(c);
      }
      if (line.length() > MAX_LINE) {
        throw new Request.Malformed(400, "a line of a chunked body is too long");
      }
    }
    return false;
  }

  private void line(String said) throws Request.Malformed {
    switch (state) {
      case SIZE -> {
        String size = said.replaceFirst("[;\\s].*", "");
        if (!size.matches("[0-9A-Fa-f]{1,8}")) {
          throw new Request.Malformed(400, "this is no size of a chunk");
        }
        left = Long.parseLong(size, 16);
        checkLength();
        state = left == 0 ? State.TRAILER : State.DATA;
      }
      case AFTER_DATA -> {
        if (!said.isEmpty()) {
          throw new Request.Malformed(400, "a chunk is longer than it said");
        }
        state = State.SIZE;
      }
      default -> {
        trailerBytes += said.length();
        if (trailerBytes > MAX_LINE) {
          throw new Request.Malformed(400, "too much comes after the body");
        }
        state = said.isEmpty() ? State.WHOLE : State.TRAILER;
      }
    }
  }

  /** All of it. */
  Body body() {
    return new Body(pieces);
  }

  /** Gives the memory back. */
  void release() {
    pieces.release();
  }
}
