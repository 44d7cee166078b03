// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Records that were taken out of the rings before the sink had room for them. Rings are short, so
 * that every thread may have one; a burst that the sink cannot take at once waits here.
 *
 * <p><b>Threads.</b> The drainer's alone, but for {@link #size}.
 *
 * <p><b>Record.</b> As in {@link Ring}, in chunks that are made as they are needed and freed when
 * they are empty.
 *
 * <p><b>Full.</b> At its capacity it takes no more: what comes then waits in the rings, which drop
 * the newest when they are full, and count it.
 */
final class Backlog implements SpanSink {
  private static final int CHUNK = 4096;

  private final int capacity;
  private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
  private @Nullable Chunk spare;
  private volatile int size;

  /**
   * @param capacity records, 64 bytes each: 0 or more
   */
  Backlog(int capacity) {
    this.capacity = capacity;
  }

  @Override
  public int room() {
    return capacity - size;
  }

  int size() {
    return size;
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void accept(SpanView span) {
    Chunk last = chunks.peekLast();
    if (last == null || last.written == CHUNK) {
      last = spare == null ? new Chunk() : spare;
      spare = null;
      chunks.addLast(last);
    }
    span.copyTo(last.longs, last.written * Ring.RECORD_LONGS);
    last.rares[last.written++] = span.rare();
    size++;
  }

  /** Hands at most {@code limit} records to the sink, oldest first; returns how many. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  int drain(SpanView view, SpanSink sink, int limit) {
    int moved = 0;
    for (Chunk first = chunks.peekFirst();
        first != null && moved < limit;
        first = chunks.peekFirst()) {
      while (first.read < first.written && moved < limit) {
        view.wrap(first.longs, first.read * Ring.RECORD_LONGS, first.rares[first.read]);
        first.read++;
        moved++;
        sink.accept(view);
      }
      if (first.read == first.written) {
        chunks.removeFirst();
        first.clear();
        spare = first;
      }
    }
    size -= moved;
    return moved;
  }

  private static final class Chunk {
    final long[] longs = new long[CHUNK * Ring.RECORD_LONGS];
    final @Nullable Rare[] rares = new Rare[CHUNK];
    int written;
    int read;

    void clear() {
      Arrays.fill(rares, null);
      written = 0;
      read = 0;
    }
  }
}
