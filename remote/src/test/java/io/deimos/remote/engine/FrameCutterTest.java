// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameCutterTest {
  @Test
  void cut_atEveryPosition_givesTheSameFrames() {
    Random random = new Random(1);
    ByteBuf stream = Unpooled.buffer();
    List<ByteBuffer> expected = new ArrayList<>();
    for (int length : new int[] {28, 29, 200, 70_000, 28}) {
      byte[] frame = new byte[length];
      random.nextBytes(frame);
      expected.add(ByteBuffer.wrap(frame));
      stream.writeIntLE(length).writeBytes(frame);
    }
    for (int cut = 0; cut < 600; cut++) {
      List<ByteBuffer> frames = new ArrayList<>();
      FrameCutter cutter = new FrameCutter(1 << 20, frames::add);
      cutter.cut(stream.slice(0, cut));
      cutter.cut(stream.slice(cut, stream.readableBytes() - cut));
      assertThat(frames).as("cut at %d", cut).isEqualTo(expected);
      assertThat(cutter.isInside()).isFalse();
    }
    List<ByteBuffer> frames = new ArrayList<>();
    FrameCutter cutter = new FrameCutter(1 << 20, frames::add);
    for (int i = 0; i < stream.readableBytes(); i++) {
      cutter.cut(stream.slice(i, 1));
    }
    assertThat(frames).isEqualTo(expected);
  }
}
