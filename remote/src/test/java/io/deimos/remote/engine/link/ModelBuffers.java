// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.util.ArrayList;
import java.util.List;

/** Small buffers, and which of them were not given back. */
final class ModelBuffers extends AbstractByteBufAllocator {
  /** Room for two frames. */
  private static final int BYTES = 2 * LinkModel.FRAME_BYTES;

  private final List<ByteBuf> all = new ArrayList<>();

  long inUse() {
    return all.stream().filter(buffer -> buffer.refCnt() > 0).count();
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    ByteBuf buffer =
        new UnpooledHeapByteBuf(this, Math.min(initialCapacity, BYTES), maxCapacity) {
          @Override
          public String toString() {
            return refCnt() == 0 ? "" : ByteBufUtil.hexDump(this);
          }
        };
    all.add(buffer);
    return buffer;
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    return newHeapBuffer(initialCapacity, maxCapacity);
  }

  @Override
  public boolean isDirectBufferPooled() {
    return false;
  }
}
