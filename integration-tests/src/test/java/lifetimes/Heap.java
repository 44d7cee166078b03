// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package lifetimes;

/** What stays on the heap, and for how long this program has patience with it. */
final class Heap {
  private static final long PATIENCE_NANOS = 20_000_000_000L;

  private Heap() {}

  /** The KiB in use after a collection. */
  static long kib() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / 1024;
  }

  /**
   * Waits until the heap is within {@code most} KiB of {@code before}; returns how far above it was
   * last, whether or not that is within.
   */
  static long grownKib(long before, long most) throws InterruptedException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    long grown = kib() - before;
    while (grown > most && System.nanoTime() < until) {
      Thread.sleep(100);
      grown = kib() - before;
    }
    return grown;
  }
}
