// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Makes the rings in which threads go on that have filled theirs before the drainer had its turn.
 * They are kept; all together they hold a bounded number of records.
 *
 * <p><b>Threads.</b> Any.
 */
final class SecondRings {
  /** How much larger than the first. */
  private static final int TIMES = 4;

  private final AtomicInteger left;

  /**
   * @param records that all second rings may hold together: 0 or more, 64 bytes each
   */
  SecondRings(int records) {
    left = new AtomicInteger(records);
  }

  /** A ring at least as large as the first, or null if there is no more room for one. */
  @Nullable Ring beside(int capacity, @Nullable RecordCells cells) {
    int size = Math.min(capacity * TIMES, Ring.MAX_CAPACITY);
    while (size >= capacity && !take(size)) {
      size /= 2;
    }
    try {
      return size < capacity ? null : new Ring(size, cells, null);
    } catch (OutOfMemoryError e) {
      return null; // what is recorded is worth less than the application's memory
    }
  }

  private boolean take(int records) {
    int now = left.get();
    while (now >= records) {
      if (left.compareAndSet(now, now - records)) {
        return true;
      }
      now = left.get();
    }
    return false;
  }
}
