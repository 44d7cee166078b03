// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import io.deimos.recorder.base.HousekeepingCall;
import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.clock.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds an actor by the number its records carry.
 *
 * <p><b>Threads.</b> {@link #register}, {@link #retire} and {@link #byId} by any thread, {@link
 * #release} by housekeeping.
 *
 * <p><b>Record.</b> A number is a place in a table (bits 0-24) and how often the place has been
 * taken before (25-30), so that a number which is read late finds nobody rather than the next
 * actor.
 *
 * <p><b>Order.</b> The place of a stopped actor is given to another once the drainer has passed
 * every record that was written before it stopped. What is copied out of a ring keeps its actors by
 * reference. A message may have been sent by an actor that stopped since: so the last {@value
 * #KEPT} are kept for some seconds more, and after that the record names its sender by reference,
 * see {@link Hooks}. Without spans there are no records, and a place is free at once.
 *
 * <p><b>Full.</b> Where the drainer does not get on, at most {@value #MOST_RETIRED} stopped actors
 * are kept; records of the others do not say whose they are. An actor that finds all places taken
 * has no number and no spans.
 */
public final class Actors {
  /** How many stopped actors are kept longer than they must. */
  static final int KEPT = 4096;

  static final long KEPT_NANOS = 5_000_000_000L;
  static final int MOST_RETIRED = 1 << 16;

  private static final int PLACE_BITS = 25;
  private static final int PLACES = 1 << PLACE_BITS;
  private static final int TURNS = 1 << (31 - PLACE_BITS);
  private static final int CHUNK = 1024;

  /** So many more have stopped: somebody should look at them. */
  private static final int MANY = 1024;

  private static final boolean TRACING = RecorderConfig.current().tracing();

  /** The next place that nobody has had; 0 stands for none. */
  private static final AtomicInteger NEXT = new AtomicInteger(1);

  /** The first of the free places (bits 0-31), under a count that tells a head from one before. */
  private static final AtomicLong FREE = new AtomicLong();

  private static final Queue<ActorTelemetry> RETIRED = new ConcurrentLinkedQueue<>();
  private static final AtomicInteger RETIREES = new AtomicInteger();
  private static final ArrayDeque<Batch> BATCHES = new ArrayDeque<>();
  private static final LongAdder TAKEN = new LongAdder();
  private static final LongAdder UNNUMBERED = new LongAdder();
  private static int kept;
  private static volatile @Nullable Chunk[] chunks = new Chunk[16];

  private Actors() {}

  public static ActorTelemetry register(Object path, ActorKind kind) {
    int place = takePlace();
    if (place == 0) {
      UNNUMBERED.increment();
      return new ActorTelemetry(0, path, kind);
    }
    Chunk chunk = chunk(place / CHUNK);
    int id = (chunk.turns[place % CHUNK] << PLACE_BITS) | place;
    ActorTelemetry actor = new ActorTelemetry(id, path, kind);
    chunk.since[place % CHUNK] = (int) Clock.second();
    chunk.slots[place % CHUNK] = actor;
    TAKEN.increment();
    return actor;
  }

  /** What stands for something that is no actor, and so has no number. */
  public static ActorTelemetry unnumbered(Object path, ActorKind kind) {
    return new ActorTelemetry(0, path, kind);
  }

  private static int takePlace() {
    for (long head = FREE.get(); (int) head != 0; head = FREE.get()) {
      int place = (int) head;
      int next = chunk(place / CHUNK).next[place % CHUNK];
      if (FREE.compareAndSet(head, head(head, next))) {
        return place;
      }
    }
    int fresh = NEXT.get() < PLACES ? NEXT.getAndIncrement() : PLACES;
    return fresh < PLACES ? fresh : 0;
  }

  private static long head(long before, int place) {
    return (((before >>> 32) + 1) << 32) | place;
  }

  /** The actor, or null if its number has been taken away. */
  public static @Nullable ActorTelemetry byId(int id) {
    int place = id & (PLACES - 1);
    @Nullable Chunk[] now = chunks;
    int index = place / CHUNK;
    Chunk chunk = id > 0 && index < now.length ? now[index] : null;
    ActorTelemetry actor = chunk == null ? null : chunk.slots[place % CHUNK];
    return actor != null && actor.id() == id ? actor : null;
  }

  /** Puts other rules on all actors that are alive. */
  public static void rule(Rules rules) {
    forEach(actor -> actor.rule(rules, actor.kind().chosen()));
  }

  /** Tells of each actor that has a number, by number; those that have just stopped included. */
  public static void forEach(Consumer<ActorTelemetry> told) {
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

  /** When an actor was made, in seconds since the epoch; 0 if it has no number. */
  public static long madeAtSecond(ActorTelemetry actor) {
    int place = actor.id() & (PLACES - 1);
    return place == 0 ? 0 : Integer.toUnsignedLong(chunk(place / CHUNK).since[place % CHUNK]);
  }

  /** An actor goes on after a failure. On the thread that restarts it, and rarely. */
  public static void restarted(ActorTelemetry actor) {
    int place = actor.id() & (PLACES - 1);
    if (place != 0) {
      chunk(place / CHUNK).restarts()[place % CHUNK]++;
    }
  }

  /** How often an actor has been restarted; 0 if it has no number. */
  public static int restarts(ActorTelemetry actor) {
    int place = actor.id() & (PLACES - 1);
    int[] restarts = place == 0 ? null : chunk(place / CHUNK).restarts;
    return restarts == null ? 0 : restarts[place % CHUNK];
  }

  /** How many actors have a place now, those included that have just stopped. */
  public static long taken() {
    return TAKEN.sum();
  }

  /** How many actors found no place. */
  public static long unnumbered() {
    return UNNUMBERED.sum();
  }

  /** An actor has stopped for good. */
  public static void retire(ActorTelemetry actor) {
    if (!TRACING) {
      actor.release("");
      free(actor);
      return;
    }
    RETIRED.add(actor);
    if (RETIREES.incrementAndGet() % MANY == 0) {
      HousekeepingCall.wake();
    }
  }

  /** True while there are stopped actors to be looked at again. */
  public static boolean areWaiting() {
    return !RETIRED.isEmpty() || !BATCHES.isEmpty();
  }

  /**
   * Frees the places of actors that no record to come can name. By housekeeping.
   *
   * @param untilDrained gives what says later whether all records that are there now are drained
   * @param drains whether anybody drains records at all
   */
  public static void release(
      long nowNanos, Supplier<BooleanSupplier> untilDrained, boolean drains) {
    collect(nowNanos, untilDrained);
    for (Batch first = BATCHES.peek(); first != null; first = BATCHES.peek()) {
      boolean late = nowNanos - first.sinceNanos > KEPT_NANOS || kept > KEPT;
      if (kept <= MOST_RETIRED && (!late || (drains && !first.drained.getAsBoolean()))) {
        return;
      }
      BATCHES.remove();
      kept -= first.actors.size();
      for (ActorTelemetry actor : first.actors) {
        actor.release(actor.path());
        free(actor);
      }
    }
  }

  private static void collect(long nowNanos, Supplier<BooleanSupplier> untilDrained) {
    while (!RETIRED.isEmpty()) {
      List<ActorTelemetry> actors = new ArrayList<>();
      for (ActorTelemetry actor = RETIRED.poll();
          actor != null;
          actor = actors.size() < MANY ? RETIRED.poll() : null) {
        actors.add(actor);
      }
      RETIREES.addAndGet(-actors.size());
      kept += actors.size();
      BATCHES.add(new Batch(actors, untilDrained.get(), nowNanos));
    }
  }

  private static void free(ActorTelemetry actor) {
    int place = actor.id() & (PLACES - 1);
    if (place == 0) {
      return;
    }
    Chunk chunk = chunk(place / CHUNK);
    int at = place % CHUNK;
    chunk.slots[at] = null;
    chunk.turns[at] = (byte) ((chunk.turns[at] + 1) & (TURNS - 1));
    int[] restarts = chunk.restarts;
    if (restarts != null) {
      restarts[at] = 0;
    }
    TAKEN.decrement();
    long head;
    do {
      head = FREE.get();
      chunk.next[at] = (int) head;
    } while (!FREE.compareAndSet(head, head(head, place)));
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

  /** A run of consecutive places. */
  private static final class Chunk {
    final @Nullable ActorTelemetry[] slots = new ActorTelemetry[CHUNK];

    /** Of a free place, the next free one. */
    final int[] next = new int[CHUNK];

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

  /** Actors that stopped at about the same time, and what had been recorded by then. */
  private record Batch(List<ActorTelemetry> actors, BooleanSupplier drained, long sinceNanos) {}
}
