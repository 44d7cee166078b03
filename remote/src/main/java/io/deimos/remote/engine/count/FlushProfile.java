// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.count;

import io.deimos.remote.Batches;
import io.deimos.remote.FlushReason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The {@link Batches} of one link. It allocates once, about 600 bytes.
 *
 * <p><b>Threads.</b> The thread that flushes writes, one at a time; any thread may read at any
 * time.
 *
 * <p><b>Order.</b> Cells are read and written opaquely: none is torn, and none is ordered after
 * another. So a snapshot may have a batch's messages without its reason; the next has both.
 */
public final class FlushProfile {
  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final long[] MESSAGE_BOUNDS = Batches.messageBounds();
  private static final long[] BYTE_BOUNDS = Batches.byteBounds();
  private static final long[] NANO_BOUNDS = Batches.nanoBounds();

  private static final int MESSAGES = FlushReason.values().length;
  private static final int BYTES = MESSAGES + MESSAGE_BOUNDS.length + 1;
  private static final int NANOS = BYTES + BYTE_BOUNDS.length + 1;
  private static final int MESSAGE_SUM = NANOS + NANO_BOUNDS.length + 1;
  private static final int BYTE_SUM = MESSAGE_SUM + 1;
  private static final int NANO_SUM = BYTE_SUM + 1;
  private static final int SIZE = NANO_SUM + 1;

  private final long[] cells = new long[SIZE];

  /** A batch goes to the socket. */
  public void flushed(FlushReason reason, int messages, long bytes) {
    add(reason.index(), 1);
    add(MESSAGES + bucket(MESSAGE_BOUNDS, messages), 1);
    add(BYTES + bucket(BYTE_BOUNDS, bytes), 1);
    add(MESSAGE_SUM, messages);
    add(BYTE_SUM, bytes);
  }

  /** One of them was timed. */
  public void took(long nanos) {
    add(NANOS + bucket(NANO_BOUNDS, nanos), 1);
    add(NANO_SUM, nanos);
  }

  private static int bucket(long[] bounds, long value) {
    int at = Arrays.binarySearch(bounds, value);
    return at < 0 ? -at - 1 : at;
  }

  private void add(int cell, long n) {
    CELLS.setOpaque(cells, cell, (long) CELLS.getOpaque(cells, cell) + n);
  }

  /** Takes over all that another has. */
  void add(FlushProfile other) {
    for (int i = 0; i < SIZE; i++) {
      add(i, (long) CELLS.getOpaque(other.cells, i));
    }
  }

  Batches snapshot() {
    return new Batches(
        copy(0, MESSAGES),
        copy(MESSAGES, BYTES),
        copy(BYTES, NANOS),
        copy(NANOS, MESSAGE_SUM),
        copy(MESSAGE_SUM, BYTE_SUM)[0],
        copy(BYTE_SUM, NANO_SUM)[0],
        copy(NANO_SUM, SIZE)[0]);
  }

  private long[] copy(int from, int to) {
    long[] copy = new long[to - from];
    Arrays.setAll(copy, i -> (long) CELLS.getOpaque(cells, from + i));
    return copy;
  }
}
