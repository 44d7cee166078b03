// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

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
 * <p><b>Record.</b> {@value #SETS} sets of {@value #WAYS}, by the low bits of the id; within a set
 * the one that came last stands first. The references are published by release stores.
 *
 * <p><b>Full.</b> A new one takes the place of the one in its set that has not come for the longest
 * time.
 */
final class ReceivedTraces {
  static final int SETS = 1024;
  static final int WAYS = 4;

  private final AtomicReferenceArray<@Nullable Trace> all = new AtomicReferenceArray<>(SETS * WAYS);

  /** The sampled trace of that id, without a context of its own. */
  Trace of(long hi, long lo) {
    int first = ((int) (lo ^ lo >>> 32) & SETS - 1) * WAYS;
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
    Trace newest = found == null ? new Trace(hi, lo, true, null) : found;
    Trace moved = newest;
    for (int i = 0; i <= Math.min(at, WAYS - 1) && moved != null; i++) {
      Trace before = all.getAcquire(first + i);
      all.setRelease(first + i, moved);
      moved = before;
    }
    return newest;
  }
}
