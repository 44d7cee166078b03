// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Where one thread records: its ring, its cells, its identifiers. Outlives its thread: a lane whose
 * thread has ended, or a virtual thread's lane after a mailbox run, is handed to the next that
 * needs one, so counts are never lost and there are never more lanes than threads at work at once.
 *
 * <p><b>Threads.</b> {@link #cells}, {@link #nextId} and the ring's writing side belong to the
 * owner.
 */
final class Lane {
  final @Nullable Ring ring;
  final CellTable cells = new CellTable();
  volatile @Nullable WeakReference<Thread> owner;
  private final long high;

  /** Who uses it, for whoever looks from outside. */
  volatile @Nullable ThreadState user;

  /** The start of the message that the {@link StuckWatch} saw here last, and when to tell again. */
  long watched;

  long toldAfter;
  private long seed;

  Lane(RecorderConfig config, long seed) {
    this.ring =
        config.tracing()
            ? new Ring(
                config.ringCapacity(), config.metrics() ? Lanes.RECORDED : null, Lanes.SECOND)
            : null;
    this.seed = seed;
    this.high = seed ^ 0x5851F42D4C957F2DL;
  }

  /**
   * A random number that is not 0: SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom
   * Number Generators, 2014), whose output is a bijection of its counter, so one lane does not
   * repeat itself.
   */
  long nextId() {
    long z = seed += 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    z ^= z >>> 31;
    return z == 0 ? nextId() : z;
  }

  /** The first half of a trace id for its second. */
  long traceHigh(long low) {
    return TraceIds.high(low, high, Clock.second());
  }

  boolean isOrphaned() {
    WeakReference<Thread> reference = owner;
    if (reference == null) {
      return false;
    }
    Thread thread = reference.get();
    return thread == null || !thread.isAlive();
  }
}
