// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.context;

import io.deimos.recorder.actors.RateLimit;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.trace.TraceGuard;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The traces that came from other nodes lately, so that one which comes again is known by its age
 * and size: what goes to and fro between nodes would else be new to {@link TraceGuard} each time,
 * and live for ever.
 *
 * <p><b>Threads.</b> Any, without locks. Two that meet in a set may forget a trace there, which is
 * then as old as its next arrival.
 *
 * <p><b>Record.</b> {@value #SETS} sets of {@value #WAYS}, by a hash of the id with a key that no
 * other process knows: nobody can choose ids that push a certain trace out. Within a set the one
 * that came last stands first. The references are published by release stores.
 *
 * <p><b>Full.</b> A new one takes the place of the one in its set that has not come for the longest
 * time.
 */
final class ReceivedTraces {
  static final int SETS = 1024;
  static final int WAYS = 4;

  private final long key = ThreadLocalRandom.current().nextLong() | 1;
  private final AtomicReferenceArray<@Nullable Trace> all = new AtomicReferenceArray<>(SETS * WAYS);

  /**
   * The trace of that id, without a context of its own.
   *
   * @param most how many that come for the first time are recorded each second, null for any
   *     number; the others are remembered as not sampled
   */
  Trace of(long hi, long lo, @Nullable RateLimit most) {
    int first = set(hi, lo) * WAYS;
    Trace found = null;
    int at = 0;
    while (at < WAYS) {
      Trace there = all.getAcquire(first + at);
      if (there == null || (there.lo() == lo && there.hi() == hi)) {
        found = there;
        break;
      }
      at++;
    }
    if (found != null && at == 0) {
      return found;
    }
    Trace newest = found == null ? new Trace(hi, lo, isTaken(most), null) : found;
    Trace moved = newest;
    for (int i = 0; i <= Math.min(at, WAYS - 1) && moved != null; i++) {
      Trace before = all.getAcquire(first + i);
      all.setRelease(first + i, moved);
      moved = before;
    }
    return newest;
  }

  int set(long hi, long lo) {
    long z = (lo ^ key) * 0xD6E8FEB86659FD93L;
    z = (z ^ (z >>> 32) ^ hi) * key;
    return (int) (z >>> 32) & SETS - 1;
  }

  private static boolean isTaken(@Nullable RateLimit most) {
    return most == null || most.tryTake();
  }
}
