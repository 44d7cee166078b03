// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.remote.FlushReason;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The frames that wait for a connection, and whose turn it is. */
class ChunkQueueTest {
  private static final int FRAME_BYTES = 10;
  private static final int WITH_LENGTH = FRAME_BYTES + Integer.BYTES;

  private final ChunkQueue queue = new ChunkQueue(UnpooledByteBufAllocator.DEFAULT);

  private static Chunk chunk(int mark) {
    ByteBuf buffer = Unpooled.buffer();
    buffer.writeByte(mark);
    return new Chunk(buffer, 1, FlushReason.DRAINED);
  }

  private List<Chunk> take() {
    List<Chunk> batch = new ArrayList<>();
    queue.take(batch);
    return batch;
  }

  private int begin(int bytes) {
    queue.beginSendersTurn(bytes);
    return queue.epoch();
  }

  /** The first byte of each chunk. */
  private static List<Integer> marks(List<Chunk> batch) {
    List<Integer> marks = new ArrayList<>();
    batch.forEach(chunk -> marks.add((int) chunk.buffer.getByte(0)));
    return marks;
  }

  @Test
  void take_chunksWait_givesAllInOrder() {
    queue.add(chunk(1));
    queue.add(chunk(2));
    assertThat(marks(take())).containsExactly(1, 2);
    assertThat(take()).isEmpty();
  }

  @Test
  void pendingBytes_takenAndNotWritten_stillCount() {
    queue.add(chunk(1));
    Chunk taken = take().get(0);
    assertThat(queue.pendingBytes()).isEqualTo(1);
    assertThat(queue.isClear()).isFalse();
    queue.written(taken);
    assertThat(queue.isClear()).isTrue();
  }

  @Test
  void append_smallFrames_shareAChunk() {
    queue.append(ByteBuffer.allocate(FRAME_BYTES));
    queue.append(ByteBuffer.allocate(FRAME_BYTES));
    assertThat(queue.pendingBytes()).isEqualTo(2 * WITH_LENGTH);
    List<Chunk> batch = take();
    assertThat(batch).hasSize(1);
    assertThat(batch.get(0).frames()).isEqualTo(2);
    assertThat(batch.get(0).buffer.readableBytes()).isEqualTo(2 * WITH_LENGTH);
  }

  @Test
  void append_frameThatDoesNotFit_getsAChunkOfItsOwn() {
    queue.append(ByteBuffer.allocate(FRAME_BYTES));
    queue.append(ByteBuffer.allocate(2 * Chunk.BYTES));
    assertThat(take()).hasSize(2);
  }

  /** Another lane's chunk must not come between the parts of a frame. */
  @Test
  void sendersTurn_anotherLaneOffers_theLoopGetsNothingAndTheRestGoesFirst() {
    int turn = begin(WITH_LENGTH);
    queue.add(chunk(7));
    assertThat(queue.isDue()).isFalse();
    assertThat(take()).isEmpty();
    assertThat(queue.endSendersTurn(turn, WITH_LENGTH, chunk(5))).isTrue();
    assertThat(queue.isDue()).isTrue();
    assertThat(marks(take())).containsExactly(5, 7);
    assertThat(queue.pendingBytes()).isEqualTo(2);
  }

  @Test
  void sendersTurn_allWritten_leavesNothing() {
    int turn = begin(WITH_LENGTH);
    assertThat(queue.isClear()).isFalse();
    assertThat(queue.isSendersTurn()).isTrue();
    assertThat(queue.endSendersTurn(turn, WITH_LENGTH, null)).isFalse();
    assertThat(queue.isClear()).isTrue();
    assertThat(queue.isSendersTurn()).isFalse();
  }

  /** Half a frame is of no use for the next connection. */
  @Test
  void sendersTurn_connectionEndsMeanwhile_restIsRefusedAndNothingIsPending() {
    int turn = begin(WITH_LENGTH);
    queue.drop();
    int next = begin(3);
    assertThat(queue.endSendersTurn(turn, WITH_LENGTH, chunk(5))).isFalse();
    assertThat(queue.pendingBytes()).isEqualTo(3);
    assertThat(queue.isSendersTurn()).isTrue();
    queue.endSendersTurn(next, 3, null);
    assertThat(queue.isClear()).isTrue();
  }

  @Test
  void drop_chunksWait_countsFramesAndReleases() {
    Chunk waiting = chunk(1);
    queue.add(waiting);
    queue.append(ByteBuffer.allocate(FRAME_BYTES));
    assertThat(queue.drop()).isEqualTo(2);
    assertThat(waiting.buffer.refCnt()).isZero();
    assertThat(queue.isClear()).isTrue();
  }

  @Test
  void written_chunkOfAnEarlierConnection_countsForNothing() {
    queue.add(chunk(1));
    Chunk late = take().get(0);
    queue.drop();
    queue.add(chunk(2));
    queue.written(late);
    assertThat(queue.pendingBytes()).isEqualTo(1);
  }
}
