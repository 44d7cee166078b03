// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameCutterTest {
  private static final int LONGEST = 1 << 20;
  private static final long FRIEND = 11;
  private static final long STRANGER = 12;
  private static final long LIAR = 13;

  /** Long frames of friends are kept, those of strangers skipped, those of liars end it all. */
  private static final FrameGate GATE =
      new FrameGate() {
        @Override
        public int longest() {
          return LONGEST;
        }

        @Override
        public Verdict judge(long uid, int length) {
          if (uid == LIAR) {
            throw new BadFrameException("a lie");
          }
          return uid == STRANGER ? Verdict.SKIP : Verdict.KEEP;
        }
      };

  private static ByteBuffer frame(int length, long uid, Random random) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return ByteBuffer.wrap(bytes)
        .order(java.nio.ByteOrder.LITTLE_ENDIAN)
        .putLong(EnvelopeEncoder.UID, uid);
  }

  private static void write(ByteBuf stream, ByteBuffer frame) {
    stream.writeIntLE(frame.capacity()).writeBytes(frame.duplicate().clear());
  }

  @Test
  void cut_atEveryPosition_givesTheSameFrames() {
    Random random = new Random(1);
    ByteBuf stream = Unpooled.buffer();
    List<ByteBuffer> expected = new ArrayList<>();
    for (int length : new int[] {28, 29, 200, 70_000, 28}) {
      ByteBuffer frame = frame(length, FRIEND, random);
      expected.add(frame);
      write(stream, frame);
    }
    for (int cut = 0; cut < 600; cut++) {
      List<ByteBuffer> frames = new ArrayList<>();
      FrameCutter cutter = new FrameCutter(GATE, frames::add);
      cutter.cut(stream.slice(0, cut));
      cutter.cut(stream.slice(cut, stream.readableBytes() - cut));
      assertThat(frames).as("cut at %d", cut).isEqualTo(expected);
      assertThat(cutter.isInside()).isFalse();
    }
    List<ByteBuffer> frames = new ArrayList<>();
    FrameCutter cutter = new FrameCutter(GATE, frames::add);
    for (int i = 0; i < stream.readableBytes(); i++) {
      cutter.cut(stream.slice(i, 1));
    }
    assertThat(frames).isEqualTo(expected);
  }

  @Test
  void cut_longFramesOfStrangers_keepsNothingOfThemAndAllOfTheOthers() {
    Random random = new Random(2);
    ByteBuf stream = Unpooled.buffer();
    List<ByteBuffer> expected = new ArrayList<>();
    for (int length : new int[] {40_000, 30_000, 100_000, 28, 32_769}) {
      ByteBuffer frame = frame(length, length > FrameGate.SMALL_BYTES ? STRANGER : 7, random);
      if (length <= FrameGate.SMALL_BYTES) {
        expected.add(frame);
      }
      write(stream, frame);
    }
    for (int step : new int[] {1, 3, 7, 1000, 65_536, stream.readableBytes()}) {
      List<ByteBuffer> frames = new ArrayList<>();
      FrameCutter cutter = new FrameCutter(GATE, frames::add);
      for (int from = 0; from < stream.readableBytes(); from += step) {
        cutter.cut(stream.slice(from, Math.min(step, stream.readableBytes() - from)));
      }
      assertThat(frames).as("in steps of %d", step).isEqualTo(expected);
      assertThat(cutter.isInside()).isFalse();
    }
  }

  @Test
  void fill_ofALongFrame_takesMemoryAsBytesCome() {
    List<Integer> taken = new ArrayList<>();
    PartialFrame partial =
        new PartialFrame(
            GATE,
            bytes -> {
              taken.add(bytes);
              return PartialFrame.newBuffer(bytes);
            });
    ByteBuf stream = Unpooled.buffer();
    write(stream, frame(LONGEST, FRIEND, new Random(3)));
    partial.fill(stream.nioBuffer(0, 1000));
    assertThat(taken).allMatch(bytes -> bytes <= FrameGate.SMALL_BYTES);
    assertThat(partial.fill(stream.nioBuffer(1000, LONGEST + 4 - 1000))).isTrue();
    assertThat(partial.frame().remaining()).isEqualTo(LONGEST);
    partial.next();
    assertThat(partial.shrink(4096)).isTrue();
    assertThat(taken).endsWith(4096);
  }

  @Test
  void cut_longFrameOfALiar_throwsWhenItsHeaderIsThere() {
    ByteBuf stream = Unpooled.buffer();
    write(stream, frame(100_000, LIAR, new Random(4)));
    FrameCutter cutter = new FrameCutter(GATE, frame -> {});
    cutter.cut(stream.slice(0, 31));
    assertThatThrownBy(() -> cutter.cut(stream.slice(31, 1)))
        .isInstanceOf(BadFrameException.class)
        .hasMessage("a lie");
  }

  @Test
  void cut_anyBytesAtAll_givesFramesOrABadFrameAndNothingElse() {
    Random random = new Random(5);
    for (int i = 0; i < 5000; i++) {
      byte[] bytes = new byte[random.nextInt(400)];
      random.nextBytes(bytes);
      for (int j = 0; j + 3 < bytes.length; j += 1 + random.nextInt(120)) {
        bytes[j] = (byte) (28 + random.nextInt(40)); // something like a length
        bytes[j + 1] = 0;
        bytes[j + 2] = 0;
        bytes[j + 3] = 0;
      }
      FrameCutter cutter =
          new FrameCutter(GATE, frame -> assertThat(frame.remaining()).isBetween(28, LONGEST));
      try {
        cutter.cut(ByteBuffer.wrap(bytes));
      } catch (BadFrameException e) {
        assertThat(e).hasMessageContaining("a ");
      }
    }
  }
}
