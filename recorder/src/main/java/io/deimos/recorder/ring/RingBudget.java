// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.counts.RecordCells;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The memory that all rings may take together, in {@link Chunk}s.
 *
 * <p>A ring may hold as much as it leaves, up to a largest. So one alone takes half, several share
 * alike, and there is always something for the next. Chunks that are given back are kept for the
 * next burst, so there are never more than the budget allows; {@link #trim} lets those go that
 * nobody needs.
 *
 * <p><b>Threads.</b> Any. No lock: who comes second finds less left.
 */
final class RingBudget {
  /** A busy ring grows to so many times the capacity that was asked for. */
  private static final int TIMES = 4;

  private static final long LEAST_BYTES = 2L << 20;
  private static final long MAX_BYTES = 64L << 20;

  /** Rings may take one part in so many of the largest heap. */
  private static final int SHARE = 16;

  private final long bytes;
  private final int most;
  private final AtomicLong left;

  /**
   * The chunk that was read longest ago is taken first. The drainer's processor has the lines of
   * those that it has just read in its own caches, and an actor that writes there waits for each.
   */
  private final Queue<Chunk> free = new ConcurrentLinkedQueue<>();

  private final AtomicInteger kept = new AtomicInteger();

  /** The fewest that were kept since the last {@link #trim}. A write that is lost does no harm. */
  private volatile int unneeded;

  /**
   * @param bytes what all rings may take: 0 or more
   * @param most records in the largest ring: a power of two in [64, 1048576]
   */
  RingBudget(long bytes, int most) {
    if (most < Chunk.RECORDS || most > Ring.MAX_CAPACITY || Integer.bitCount(most) != 1) {
      throw new IllegalArgumentException(
          "ring capacity " + most + " is not a power of two in [64, 1048576]");
    }
    this.bytes = bytes;
    this.most = most;
    this.left = new AtomicLong(bytes);
  }

  /**
   * For this process: rings grow to four times the capacity that was asked for; not beyond it where
   * nothing shall wait behind them.
   */
  static RingBudget of(RecorderConfig config) {
    long share = Runtime.getRuntime().maxMemory() / SHARE;
    int most =
        config.rings().backlog() == 0
            ? config.rings().capacity()
            : Math.min(config.rings().capacity() * TIMES, Ring.MAX_CAPACITY);
    return new RingBudget(Math.max(LEAST_BYTES, Math.min(share, MAX_BYTES)), most);
  }

  /** The ring of a lane that has none; null if nothing is left. */
  @Nullable Ring first(@Nullable RecordCells cells, long start) {
    Chunk chunk = take();
    return chunk == null ? null : new Ring(this, cells, start, chunk);
  }

  /** How many records a ring may hold in which so many wait. */
  long limit(long waiting) {
    return Math.min(most, (waiting + left.get() / Ring.bytes(1)) / 2);
  }

  /** One more chunk; null if nothing is left. */
  @Nullable Chunk take() {
    long now = left.get();
    while (now >= Chunk.BYTES) {
      if (left.compareAndSet(now, now - Chunk.BYTES)) {
        return chunk();
      }
      now = left.get();
    }
    return null;
  }

  private @Nullable Chunk chunk() {
    Chunk chunk = free.poll();
    if (chunk != null) {
      int now = kept.decrementAndGet();
      if (now < unneeded) {
        unneeded = now;
      }
      return chunk;
    }
    try {
      return new Chunk();
    } catch (OutOfMemoryError e) {
      left.addAndGet(Chunk.BYTES); // records are worth less than the application's memory
      return null;
    }
  }

  /** A chunk is let go of. */
  void giveBack(Chunk chunk) {
    try {
      free.add(chunk);
      kept.incrementAndGet();
    } catch (OutOfMemoryError e) {
      // it is the collector's
    }
    left.addAndGet(Chunk.BYTES);
  }

  /** Lets half of the kept chunks go that nobody has needed since the last call. One thread's. */
  void trim() {
    for (int i = (unneeded + 1) / 2; i > 0 && free.poll() != null; i--) {
      kept.decrementAndGet();
    }
    unneeded = kept.get();
  }

  /** The bytes in which records are written or wait. */
  long usedBytes() {
    return bytes - left.get();
  }

  /** The bytes of all chunks that there are. */
  long heldBytes() {
    return usedBytes() + kept.get() * Chunk.BYTES;
  }
}
