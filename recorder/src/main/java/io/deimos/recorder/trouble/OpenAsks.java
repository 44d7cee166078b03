// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.spans.Ask;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The asks that have no answer so far, for whoever looks for a message. Kept only if somebody may.
 *
 * <p><b>Threads.</b> Any thread begins an ask, and any ends one. A place is taken and given back by
 * one compare-and-set each, without a lock and without an object; nobody tries again.
 *
 * <p><b>Bounds.</b> {@value #CAPACITY} places. An ask tries {@value #TRIED}; if they are all taken,
 * it is counted, and not found.
 *
 * <p><b>Ends.</b> An ask leaves when it ends. One that nobody will end is let go by housekeeping:
 * as soon as the guardian of its actor system has stopped, or a minute after its time-out.
 */
public final class OpenAsks {
  /** How many there can be at once. */
  public static final int CAPACITY = 1 << 14;

  /** Two runs of this many neighbours, so few lines of cache. */
  private static final int RUN = 16;

  private static final int TRIED = 2 * RUN;
  private static final long GRACE_NANOS = 60_000_000_000L;

  private static final LongAdder LEFT_OUT = new LongAdder();
  private static volatile @Nullable AtomicReferenceArray<@Nullable Ask> places;

  private OpenAsks() {}

  /** From now on they are kept. */
  public static synchronized void keep() {
    if (places == null) {
      places = new AtomicReferenceArray<>(CAPACITY);
    }
  }

  /**
   * Takes a place for an ask, before {@link Ask#asked} publishes it. After that, {@link
   * #leaveIfEnded} is to be called.
   */
  public static void enter(Ask ask) {
    AtomicReferenceArray<@Nullable Ask> table = places;
    if (table != null && !enter(table, ask)) {
      LEFT_OUT.increment();
    }
  }

  private static boolean enter(AtomicReferenceArray<@Nullable Ask> table, Ask ask) {
    long spread = (ask.startNanos() ^ ask.spanId()) * 0x9E3779B97F4A7C15L;
    for (int i = 0; i < TRIED; i++) {
      int run = (int) (i < RUN ? spread >>> 40 : spread >>> 16) & (CAPACITY - RUN);
      int at = run | (((int) (spread >>> 60) + i) & (RUN - 1));
      if (table.getPlain(at) == null) {
        ask.standsAt(at);
        if (table.compareAndSet(at, null, ask)) {
          return true;
        }
      }
    }
    ask.standsAt(-1);
    return false;
  }

  /** The ask may have ended before its place was known. */
  public static void leaveIfEnded(Ask ask) {
    if (ask.hasEnded()) {
      leave(ask);
    }
  }

  /** Gives the place back of an ask that is over, if it has one. */
  public static void leave(Ask ask) {
    AtomicReferenceArray<@Nullable Ask> table = places;
    int place = ask.place();
    if (table != null && place >= 0) {
      table.compareAndSet(place, ask, null);
    }
  }

  /** Shows all that are open, until somebody has seen enough. */
  public static void forEach(Predicate<Ask> goesOn) {
    AtomicReferenceArray<@Nullable Ask> table = places;
    for (int i = 0; table != null && i < CAPACITY; i++) {
      Ask ask = table.get(i);
      if (ask != null && !ask.hasEnded() && !goesOn.test(ask)) {
        return;
      }
    }
  }

  /** How many had no place, since the start. */
  public static long leftOut() {
    return LEFT_OUT.sum();
  }

  /** Lets go of asks that nobody will end. Called by housekeeping. */
  public static void sweep(long nowNanos) {
    AtomicReferenceArray<@Nullable Ask> table = places;
    for (int i = 0; table != null && i < CAPACITY; i++) {
      Ask ask = table.get(i);
      if (ask != null && isOver(ask, nowNanos)) {
        table.compareAndSet(i, ask, null);
      }
    }
  }

  private static boolean isOver(Ask ask, long nowNanos) {
    ActorTelemetry guardian = ask.guardian();
    return ask.hasEnded()
        || (guardian != null && guardian.hasStopped())
        || nowNanos - ask.startNanos() - GRACE_NANOS > ask.timeoutNanos();
  }
}
