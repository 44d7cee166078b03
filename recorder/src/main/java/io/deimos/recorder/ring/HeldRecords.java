// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.spans.Rare;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies of records that a sink holds back, to show them again later. A copy is known by a number,
 * and copies can be strung together.
 *
 * <p><b>Threads.</b> The drainer's alone, but for {@link #bytes}.
 *
 * <p><b>Record.</b> As in {@link Ring}, with its {@link Rare}, its actors and the number of the
 * next copy, in chunks that are made as they are needed and then kept: {@value #BYTES} bytes a
 * copy, without what is beside it.
 *
 * <p><b>Full.</b> The holder's business: there is no bound here.
 */
public final class HeldRecords {
  /** The bytes of a copy. */
  public static final int BYTES = Ring.RECORD_LONGS * Long.BYTES + 4 * 4;

  /** The number of no copy. */
  public static final int NONE = -1;

  private static final int CHUNK_BITS = 10;
  private static final int CHUNK = 1 << CHUNK_BITS;

  private final List<Chunk> chunks = new ArrayList<>();
  private volatile int made;
  private int free = NONE;
  private int held;

  /** Copies what the view shows; returns its number, which no other copy has until it is let go. */
  public int hold(SpanView span) {
    if (free == NONE) {
      grow();
    }
    int number = free;
    Chunk chunk = chunk(number);
    int index = number & (CHUNK - 1);
    free = chunk.next[index];
    chunk.next[index] = NONE;
    span.copyTo(chunk.longs, index * Ring.RECORD_LONGS);
    chunk.rares[index] = span.rare();
    chunk.actors[index] = span.actor();
    chunk.senders[index] = span.sender();
    held++;
    return number;
  }

  private void grow() {
    int first = chunks.size() << CHUNK_BITS;
    Chunk chunk = new Chunk();
    chunks.add(chunk);
    made = chunks.size();
    for (int i = CHUNK - 1; i >= 0; i--) {
      chunk.next[i] = free;
      free = first + i;
    }
  }

  /** Has a view show a copy; valid until it is let go. */
  public void show(int number, SpanView in) {
    Chunk chunk = chunk(number);
    int index = number & (CHUNK - 1);
    in.wrap(
        chunk.longs,
        index * Ring.RECORD_LONGS,
        chunk.rares[index],
        chunk.actors[index],
        chunk.senders[index]);
  }

  /** Whether a copy is numbers only, with nothing beside it. */
  public boolean isPlain(int number) {
    return chunk(number).rares[number & (CHUNK - 1)] == null;
  }

  /** The copy that was strung behind this one; {@link #NONE} if none was. */
  public int next(int number) {
    return chunk(number).next[number & (CHUNK - 1)];
  }

  /** Strings a copy behind another. */
  public void next(int number, int behind) {
    chunk(number).next[number & (CHUNK - 1)] = behind;
  }

  /** Forgets a copy. */
  public void letGo(int number) {
    Chunk chunk = chunk(number);
    int index = number & (CHUNK - 1);
    chunk.rares[index] = null;
    chunk.actors[index] = null;
    chunk.senders[index] = null;
    chunk.next[index] = free;
    free = number;
    held--;
  }

  /** The bytes of all copies, and the room that is kept for more. Any thread. */
  public long bytes() {
    return (long) made * CHUNK * BYTES;
  }

  /** How many copies there are. */
  public int size() {
    return held;
  }

  private Chunk chunk(int number) {
    return chunks.get(number >> CHUNK_BITS);
  }

  private static final class Chunk {
    final long[] longs = new long[CHUNK * Ring.RECORD_LONGS];
    final @Nullable Rare[] rares = new Rare[CHUNK];
    final @Nullable ActorTelemetry[] actors = new ActorTelemetry[CHUNK];
    final @Nullable ActorTelemetry[] senders = new ActorTelemetry[CHUNK];
    final int[] next = new int[CHUNK];
  }
}
