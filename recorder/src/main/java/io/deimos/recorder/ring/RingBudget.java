// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.counts.RecordCells;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The memory that all rings may take together. A lane's first ring is small; one that fills is
 * followed by one {@value #TIMES} times as large, as long as there is something left.
 *
 * <p><b>Threads.</b> Any. No lock: who comes second finds less left.
 */
final class RingBudget {
  /** How many records a lane's first ring holds. */
  static final int FIRST = 256;

  private static final int TIMES = 4;
  private static final long LEAST_BYTES = 2L << 20;
  private static final long MAX_BYTES = 64L << 20;

  /** Rings may take one part in so many of the largest heap. */
  private static final int SHARE = 16;

  private final long bytes;
  private final int most;
  private final AtomicLong left;

  /**
   * @param bytes what all rings may take: 0 or more
   * @param most records in the largest ring: a power of two in [64, 1048576]
   */
  RingBudget(long bytes, int most) {
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

  /** The first ring of a lane; null if nothing is left. */
  @Nullable Ring first(@Nullable RecordCells cells, long start) {
    return ring(Math.min(FIRST, Math.max(64, most / TIMES)), cells, start);
  }

  /** A ring to go on in when one is full; null if it is as large as any, or nothing is left. */
  @Nullable Ring larger(Ring full, @Nullable RecordCells cells) {
    int size = Math.min(full.capacity() * TIMES, most);
    while (size > full.capacity()) {
      Ring larger = ring(size, cells, full.end());
      if (larger != null) {
        return larger;
      }
      size /= 2;
    }
    return null;
  }

  private @Nullable Ring ring(int capacity, @Nullable RecordCells cells, long start) {
    if (!take(Ring.bytes(capacity))) {
      return null;
    }
    try {
      return new Ring(capacity, cells, start);
    } catch (OutOfMemoryError e) {
      left.addAndGet(Ring.bytes(capacity)); // records are worth less than the application's memory
      return null;
    }
  }

  private boolean take(long wanted) {
    long now = left.get();
    while (now >= wanted) {
      if (left.compareAndSet(now, now - wanted)) {
        return true;
      }
      now = left.get();
    }
    return false;
  }

  /** A ring is let go of. */
  void giveBack(Ring ring) {
    left.addAndGet(Ring.bytes(ring.capacity()));
  }

  /** Whether a ring cannot be followed by a larger one. */
  boolean isLargest(Ring ring) {
    return ring.capacity() >= most || left.get() < Ring.bytes(ring.capacity() * 2);
  }

  /** The bytes of all rings now. */
  long usedBytes() {
    return bytes - left.get();
  }
}
