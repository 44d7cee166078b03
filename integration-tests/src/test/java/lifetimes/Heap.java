// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package lifetimes;

/** The objects that stay on the heap, and for how long this program has patience with it. */
final class Heap {
  private static final long PATIENCE_NANOS = 90_000_000_000L;
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 1000;

  private Heap() {}

  /** The KiB in use after a collection. */
  static long kib() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / 1024;
  }

  /**
   * Waits until the heap is within {@code most} KiB of {@code before}; returns how far above it was
   * last, whether or not that is within. A collection takes a large part of a pause, so pauses get
   * longer.
   */
  static long grownKib(long before, long most) throws InterruptedException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    long pauseMillis = FIRST_PAUSE_MILLIS;
    long grown = kib() - before;
    while (grown > most && System.nanoTime() < until) {
      Thread.sleep(pauseMillis);
      pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
      grown = kib() - before;
    }
    return grown;
  }
}
