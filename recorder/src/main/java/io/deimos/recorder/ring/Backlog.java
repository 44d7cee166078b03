// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.spans.Rare;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Records that were taken out of the rings before the sink had room for them. Rings are short, so
 * that every thread may have one; a burst that the sink cannot take at once waits here.
 *
 * <p><b>Threads.</b> The drainer's alone, but for {@link #size} and {@link #bytes}.
 *
 * <p><b>Record.</b> As in {@link Ring}, with its actors, in chunks that are made as they are needed
 * and freed when they are empty.
 *
 * <p><b>Full.</b> At its capacity it takes no more: what comes then waits in the rings, which drop
 * the newest when they are full, and count it.
 */
public final class Backlog implements SpanSink {
  private static final int CHUNK = 4096;

  private final int capacity;
  private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
  private @Nullable Chunk spare;
  private volatile int size;
  private long taken;
  private volatile int made;

  /**
   * @param capacity records, 64 bytes each: 0 or more
   */
  public Backlog(int capacity) {
    this.capacity = capacity;
  }

  @Override
  public int room() {
    return capacity - size;
  }

  public int size() {
    return size;
  }

  /** How many records it has taken so far. */
  long taken() {
    return taken;
  }

  /** How many of them it has handed on. */
  long handedOn() {
    return taken - size;
  }

  /** The bytes that it takes now. Any thread. */
  public long bytes() {
    return made * (Ring.bytes(CHUNK) + CHUNK * 12L);
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void accept(SpanView span) {
    Chunk last = chunks.peekLast();
    if (last == null || last.written == CHUNK) {
      last = spare == null ? new Chunk() : spare;
      spare = null;
      chunks.addLast(last);
      made = chunks.size();
    }
    span.copyTo(last.longs, last.written * Ring.RECORD_LONGS);
    last.actors[last.written] = span.actor();
    last.senders[last.written] = span.sender();
    last.rares[last.written++] = span.rare();
    size++;
    taken++;
  }

  /** Hands at most {@code limit} records to the sink, oldest first; returns how many. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public int drain(SpanView view, SpanSink sink, int limit) {
    int moved = 0;
    for (Chunk first = chunks.peekFirst();
        first != null && moved < limit;
        first = chunks.peekFirst()) {
      while (first.read < first.written && moved < limit) {
        view.wrap(
            first.longs,
            first.read * Ring.RECORD_LONGS,
            first.rares[first.read],
            first.actors[first.read],
            first.senders[first.read]);
        first.read++;
        moved++;
        try {
          sink.accept(view);
        } catch (Throwable t) {
          Faults.caught(t); // as in a ring
        }
      }
      if (first.read == first.written) {
        chunks.removeFirst();
        first.clear();
        spare = first;
        made = chunks.size() + 1;
      }
    }
    size -= moved;
    return moved;
  }

  private static final class Chunk {
    final long[] longs = new long[CHUNK * Ring.RECORD_LONGS];
    final @Nullable Rare[] rares = new Rare[CHUNK];
    final @Nullable ActorTelemetry[] actors = new ActorTelemetry[CHUNK];
    final @Nullable ActorTelemetry[] senders = new ActorTelemetry[CHUNK];
    int written;
    int read;

    void clear() {
      Arrays.fill(rares, null);
      Arrays.fill(actors, null);
      Arrays.fill(senders, null);
      written = 0;
      read = 0;
    }
  }
}
