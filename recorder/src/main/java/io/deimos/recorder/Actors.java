// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Finds an actor by the number its records carry. Numbers are not used twice; the entry of a
 * stopped actor is kept for {@value #KEEP_SECONDS} s, since records that name it may still be under
 * way.
 *
 * <p><b>Threads.</b> {@link #register} and {@link #retire} by any thread, {@link #byId} and {@link
 * #release} by the drainer.
 */
final class Actors {
  static final int KEEP_SECONDS = 60;
  private static final int CHUNK = 1024;

  private static final AtomicInteger NEXT = new AtomicInteger(1);
  private static final Queue<ActorTelemetry> RETIRED = new ConcurrentLinkedQueue<>();
  private static final ArrayDeque<Retired> WAITING = new ArrayDeque<>();
  private static volatile @Nullable Chunk[] chunks = new Chunk[16];

  private Actors() {}

  static ActorTelemetry register(Object path, ActorKind kind) {
    int id = NEXT.getAndIncrement();
    ActorTelemetry actor = new ActorTelemetry(id, path, kind);
    chunk(id / CHUNK).slots[id % CHUNK] = actor;
    return actor;
  }

  /** The actor, or null if it stopped long ago. */
  static @Nullable ActorTelemetry byId(int id) {
    @Nullable Chunk[] now = chunks;
    int index = id / CHUNK;
    Chunk chunk = id > 0 && index < now.length ? now[index] : null;
    return chunk == null ? null : chunk.slots[id % CHUNK];
  }

  /** Puts other rules on all actors that are alive. */
  static void rule(Rules rules) {
    for (Chunk chunk : chunks) {
      if (chunk != null) {
        for (ActorTelemetry actor : chunk.slots) {
          if (actor != null) {
            actor.rule(rules, actor.kind().chosen());
          }
        }
      }
    }
  }

  static void retire(ActorTelemetry actor) {
    RETIRED.add(actor);
  }

  /** Frees the entries of actors that stopped long enough ago. Called by the drainer only. */
  static void release(long nowNanos) {
    for (ActorTelemetry actor = RETIRED.poll(); actor != null; actor = RETIRED.poll()) {
      WAITING.add(new Retired(actor.id(), nowNanos));
    }
    long before = nowNanos - KEEP_SECONDS * 1_000_000_000L;
    for (Retired first = WAITING.peek();
        first != null && first.sinceNanos - before < 0;
        first = WAITING.peek()) {
      WAITING.remove();
      free(first.id);
    }
  }

  private static void free(int id) {
    int index = id / CHUNK;
    Chunk chunk = chunks[index];
    if (chunk != null) {
      chunk.slots[id % CHUNK] = null;
      if (++chunk.freed == CHUNK) {
        synchronized (Actors.class) {
          chunks[index] = null;
        }
      }
    }
  }

  private static Chunk chunk(int index) {
    @Nullable Chunk[] now = chunks;
    Chunk chunk = index < now.length ? now[index] : null;
    return chunk != null ? chunk : addChunk(index);
  }

  private static synchronized Chunk addChunk(int index) {
    @Nullable Chunk[] now = chunks;
    if (index >= now.length) {
      now = java.util.Arrays.copyOf(now, Math.max(index + 1, now.length * 2));
    }
    Chunk chunk = now[index];
    if (chunk == null) {
      chunk = new Chunk();
      now[index] = chunk;
    }
    chunks = now;
    return chunk;
  }

  /** A run of consecutive numbers; dropped whole when all its actors have stopped. */
  private static final class Chunk {
    final @Nullable ActorTelemetry[] slots = new ActorTelemetry[CHUNK];
    int freed;
  }

  private record Retired(int id, long sinceNanos) {}
}
