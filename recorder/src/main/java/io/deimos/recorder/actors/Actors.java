// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import io.deimos.recorder.base.HousekeepingCall;
import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.clock.Clock;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
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
 * every record that was written before it stopped. Records copied out of a ring keep their actors
 * by reference. A message may have been sent by an actor that stopped since: so the last {@value
 * #KEPT} are kept for some seconds more, and after that the record names its sender by reference,
 * see {@link Hooks}. Without spans there are no records, and a place is free at once.
 *
 * <p><b>Full.</b> Where the drainer does not get on, at most {@value #MAX_RETIRED} stopped actors
 * are kept; records of the others do not say whose they are. An actor that finds all places taken
 * has no number and no spans.
 */
public final class Actors {
  /** How many stopped actors are kept longer than they must. */
  static final int KEPT = 4096;

  static final long KEPT_NANOS = 5_000_000_000L;
  static final int MAX_RETIRED = 1 << 16;

  /** So many more have stopped: somebody should look at them. */
  private static final int MANY = 1024;

  private static final boolean TRACING = RecorderConfig.current().tracing();

  /** The place of the actor that stopped last; each place has that of the one before. */
  private static final AtomicInteger RETIRED = new AtomicInteger();

  private static final AtomicInteger RETIREES = new AtomicInteger();
  private static final ArrayDeque<Batch> BATCHES = new ArrayDeque<>();
  private static final LongAdder TAKEN = new LongAdder();
  private static final LongAdder UNNUMBERED = new LongAdder();
  private static int kept;

  private Actors() {}

  public static ActorTelemetry register(Object path, ActorKind kind) {
    int place = Places.take();
    if (place == 0) {
      UNNUMBERED.increment();
      return new ActorTelemetry(0, path, kind);
    }
    ActorTelemetry actor = new ActorTelemetry(Places.id(place), path, kind);
    Places.put(place, actor, (int) Clock.second());
    TAKEN.increment();
    return actor;
  }

  private static int place(ActorTelemetry actor) {
    return actor.id() & (Places.MOST - 1);
  }

  /** Stands for something that is no actor, and so has no number. */
  public static ActorTelemetry unnumbered(Object path, ActorKind kind) {
    return new ActorTelemetry(0, path, kind);
  }

  /** The actor, or null if its number has been taken away. */
  public static @Nullable ActorTelemetry byId(int id) {
    ActorTelemetry actor = id > 0 ? Places.get(id & (Places.MOST - 1)) : null;
    return actor != null && actor.id() == id ? actor : null;
  }

  /** Puts other rules on all actors that are alive. */
  public static void rule(Rules rules) {
    forEach(actor -> actor.rule(rules, actor.kind().chosen()));
  }

  /** Tells of each actor that has a number, by number; those that have just stopped included. */
  public static void forEach(Consumer<ActorTelemetry> told) {
    Places.forEach(told);
  }

  /** When an actor was made, in seconds since the epoch; 0 if it has no number. */
  public static long madeAtSecond(ActorTelemetry actor) {
    int place = place(actor);
    return place == 0 ? 0 : Integer.toUnsignedLong(Places.since(place));
  }

  /** An actor goes on after a failure. On the thread that restarts it, and rarely. */
  public static void restarted(ActorTelemetry actor) {
    int place = place(actor);
    if (place != 0) {
      Places.restarted(place);
    }
  }

  /** How often an actor has been restarted; 0 if it has no number. */
  public static int restarts(ActorTelemetry actor) {
    int place = place(actor);
    return place == 0 ? 0 : Places.restarts(place);
  }

  /** How many actors have a place now, those included that have just stopped. */
  public static long taken() {
    return TAKEN.sum();
  }

  /** How many actors found no place. */
  public static long unnumbered() {
    return UNNUMBERED.sum();
  }

  /** An actor has stopped for good. Once for each. */
  public static void retire(ActorTelemetry actor) {
    int place = place(actor);
    if (!TRACING) {
      actor.release();
      free(place);
      return;
    }
    if (place == 0) {
      actor.release(new PathTexts());
      return;
    }
    int before;
    do {
      before = RETIRED.get();
      Places.next(place, before);
    } while (!RETIRED.compareAndSet(before, place));
    if (RETIREES.incrementAndGet() % MANY == 0) {
      HousekeepingCall.wake();
    }
  }

  /** True while there are stopped actors to be looked at again. */
  public static boolean areWaiting() {
    return RETIRED.get() != 0 || !BATCHES.isEmpty();
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
    PathTexts texts = new PathTexts();
    for (Batch first = BATCHES.peek(); first != null; first = BATCHES.peek()) {
      boolean late = nowNanos - first.sinceNanos > KEPT_NANOS || kept > KEPT;
      if (kept <= MAX_RETIRED && (!late || (drains && !first.drained.getAsBoolean()))) {
        return;
      }
      BATCHES.remove();
      kept -= first.number;
      int place = first.place;
      for (int left = first.number; left > 0; left--) {
        int next = Places.next(place);
        ActorTelemetry actor = Places.get(place);
        if (actor != null) {
          actor.release(texts);
          free(place);
        }
        place = next;
      }
    }
  }

  /** Takes all that have stopped, in batches, the first of them first. */
  private static void collect(long nowNanos, Supplier<BooleanSupplier> untilDrained) {
    int last = RETIRED.getAndSet(0);
    if (last == 0) {
      return;
    }
    BooleanSupplier drained = untilDrained.get();
    int number = 0;
    int first = 0;
    while (last != 0) {
      int before = Places.next(last);
      Places.next(last, first);
      first = last;
      last = before;
      number++;
    }
    RETIREES.addAndGet(-number);
    kept += number;
    while (number > 0) {
      int some = Math.min(number, MANY);
      BATCHES.add(new Batch(first, some, drained, nowNanos));
      number -= some;
      for (int i = 0; i < some; i++) {
        first = Places.next(first);
      }
    }
  }

  private static void free(int place) {
    if (place != 0) {
      Places.giveBack(place);
      TAKEN.decrement();
    }
  }

  /**
   * Actors that stopped at about the same time, and what had been recorded by then.
   *
   * @param place of the first; each place has that of the next
   */
  private record Batch(int place, int number, BooleanSupplier drained, long sinceNanos) {}
}
