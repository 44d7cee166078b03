// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bytes of a connection may be anything: */
class FrameFuzzTest {
  private static final int LONGEST = 1 << 16;

  private static final FrameGate GATE =
      new FrameGate() {
        @Override
        public int longest() {
          return LONGEST;
        }

        @Override
        public Verdict judge(long uid, int length) {
          return (uid & 1) == 0 ? Verdict.KEEP : Verdict.SKIP;
        }
      };

  @FuzzTest
  void cut_anyBytes_inOnePieceOrInMany_isTheSame(byte[] bytes) {
    List<ByteBuffer> whole = new ArrayList<>();
    List<ByteBuffer> pieces = new ArrayList<>();
    String refused = cut(bytes, bytes.length, whole);
    assertThat(cut(bytes, 1 + bytes.length / 7, pieces)).isEqualTo(refused);
    assertThat(pieces).isEqualTo(whole);
    for (ByteBuffer frame : whole) {
      readHeader(frame, 0, frame.remaining());
    }
  }

  private static @Nullable String cut(byte[] bytes, int piece, List<ByteBuffer> frames) {
    FrameCutter cutter = new FrameCutter(GATE, frames::add);
    try {
      for (int from = 0; from < bytes.length; from += piece) {
        ByteBuf part = Unpooled.wrappedBuffer(bytes, from, Math.min(piece, bytes.length - from));
        cutter.cut(part);
        assertThat(part.isReadable()).isFalse();
      }
      return null;
    } catch (BadFrameException e) {
      return e.getMessage();
    }
  }

  /** A frame is part of a larger buffer, and never shorter than its fixed part. */
  @FuzzTest
  void readHeader_anyFrame_staysInside(byte[] bytes) {
    int length = Math.max(bytes.length, EnvelopeEncoder.FIXED_BYTES);
    ByteBuffer around = ByteBuffer.allocate(length + 64).order(ByteOrder.LITTLE_ENDIAN);
    around.put(32, bytes);
    readHeader(around, 32, 32 + length);
  }

  private static void readHeader(ByteBuffer buffer, int from, int end) {
    EnvelopeHeader header = new EnvelopeHeader();
    try {
      header.read(buffer.order(ByteOrder.LITTLE_ENDIAN), from, end);
    } catch (BadFrameException e) {
      return;
    }
    assertThat(header.payloadFrom).isBetween(from + EnvelopeEncoder.FIXED_BYTES, end);
    if (header.senderIndex == EnvelopeHeader.LITERAL) {
      assertInside(header.senderFrom, header.senderLength, from, end);
    }
    if (header.recipientIndex == EnvelopeHeader.LITERAL) {
      assertInside(header.recipientFrom, header.recipientLength, from, end);
    }
    if (header.manifestIndex == EnvelopeHeader.LITERAL) {
      assertInside(header.manifestFrom, header.manifestLength, from, end);
    }
  }

  private static void assertInside(int at, int length, int from, int end) {
    assertThat(at).isBetween(from, end);
    assertThat(at + length).isBetween(at, end);
  }
}
