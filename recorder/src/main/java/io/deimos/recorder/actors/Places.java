// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The table of actors: a place for each, which another gets when it is given back. Grows by {@value
 * #CHUNK} places, and never shrinks.
 *
 * <p><b>Threads.</b> Any. A place belongs to who took it until it is given back; {@link #next} of
 * it, too.
 *
 * <p><b>Full.</b> At most {@value #MOST}; then {@link #take} says so.
 */
final class Places {
  static final int BITS = 25;
  static final int MOST = 1 << BITS;
  private static final int TURNS = 1 << (31 - BITS);
  private static final int CHUNK = 1024;

  /** The next place that nobody has had; 0 stands for none. */
  private static final AtomicInteger NEXT = new AtomicInteger(1);

  /** The first of the free places (bits 0-31), under a count that tells a head from one before. */
  private static final AtomicLong FREE = new AtomicLong();

  private static volatile @Nullable Chunk[] chunks = new Chunk[16];

  private Places() {}

  /** A place of its own; 0 if all are taken. */
  static int take() {
    for (long head = FREE.get(); (int) head != 0; head = FREE.get()) {
      int place = (int) head;
      if (FREE.compareAndSet(head, head(head, next(place)))) {
        return place;
      }
    }
    int fresh = NEXT.get() < MOST ? NEXT.getAndIncrement() : MOST;
    return fresh < MOST ? fresh : 0;
  }

  /** Empties a place, for the next. */
  static void giveBack(int place) {
    Chunk chunk = chunk(place);
    int at = place % CHUNK;
    chunk.slots[at] = null;
    chunk.turns[at] = (byte) ((chunk.turns[at] + 1) & (TURNS - 1));
    int[] restarts = chunk.restarts;
    if (restarts != null) {
      restarts[at] = 0;
    }
    long head;
    do {
      head = FREE.get();
      chunk.next[at] = (int) head;
    } while (!FREE.compareAndSet(head, head(head, place)));
  }

  private static long head(long before, int place) {
    return (((before >>> 32) + 1) << 32) | place;
  }

  /** The number of the actor that has taken this place just now. */
  static int id(int place) {
    return (chunk(place).turns[place % CHUNK] << BITS) | place;
  }

  static void put(int place, ActorTelemetry actor, int second) {
    Chunk chunk = chunk(place);
    chunk.since[place % CHUNK] = second;
    chunk.slots[place % CHUNK] = actor;
  }

  /** The owner of this place; null if nobody has it. */
  static @Nullable ActorTelemetry get(int place) {
    @Nullable Chunk[] now = chunks;
    int index = place / CHUNK;
    Chunk chunk = index < now.length ? now[index] : null;
    return chunk == null ? null : chunk.slots[place % CHUNK];
  }

  /** Tells of everybody who has a place, by place. */
  static void forEach(Consumer<ActorTelemetry> told) {
    for (Chunk chunk : chunks) {
      if (chunk != null) {
        for (ActorTelemetry actor : chunk.slots) {
          if (actor != null) {
            told.accept(actor);
          }
        }
      }
    }
  }

  /** The second at which the actor was {@link #put}. */
  static int since(int place) {
    return chunk(place).since[place % CHUNK];
  }

  static void restarted(int place) {
    chunk(place).restarts()[place % CHUNK]++;
  }

  static int restarts(int place) {
    int[] restarts = chunk(place).restarts;
    return restarts == null ? 0 : restarts[place % CHUNK];
  }

  /** A place that its owner has noted beside this one. */
  static int next(int place) {
    return chunk(place).next[place % CHUNK];
  }

  static void next(int place, int next) {
    chunk(place).next[place % CHUNK] = next;
  }

  private static Chunk chunk(int place) {
    int index = place / CHUNK;
    @Nullable Chunk[] now = chunks;
    Chunk chunk = index < now.length ? now[index] : null;
    return chunk != null ? chunk : addChunk(index);
  }

  private static synchronized Chunk addChunk(int index) {
    @Nullable Chunk[] now = chunks;
    if (index >= now.length) {
      now = Arrays.copyOf(now, Math.max(index + 1, now.length * 2));
    }
    Chunk chunk = now[index];
    if (chunk == null) {
      chunk = new Chunk();
      now[index] = chunk;
    }
    chunks = now;
    return chunk;
  }

  /** A run of consecutive places. */
  private static final class Chunk {
    final @Nullable ActorTelemetry[] slots = new ActorTelemetry[CHUNK];

    /** The next free place after a free one. */
    final int[] next = new int[CHUNK];

    /** How often each has been given back, in few bits. */
    final byte[] turns = new byte[CHUNK];

    /** When the actor was made, in unsigned seconds since the epoch. */
    final int[] since = new int[CHUNK];

    /** How often each was restarted; made when the first one is. */
    volatile int @Nullable [] restarts;

    synchronized int[] restarts() {
      int[] made = restarts;
      if (made == null) {
        made = new int[CHUNK];
        restarts = made;
      }
      return made;
    }
  }
}
