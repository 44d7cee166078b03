// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * Calls for work at a steady rate, in small helpings rather than bursts. A helping that is late is
 * made up for, so the total is always rate times seconds.
 */
public final class Pace {
  private static final long PAUSE_NANOS = 1_000_000;
  private static final int HELPING = 256;

  private Pace() {}

  /**
   * Has {@code work} produce {@code perSecond * seconds} items in all; 0 per second means as fast
   * as it can.
   */
  public static long run(long perSecond, double seconds, IntConsumer work) {
    long start = System.nanoTime();
    long end = start + (long) (seconds * 1e9);
    long total = (long) (perSecond * seconds);
    long made = 0;
    while (perSecond == 0 ? System.nanoTime() < end : made < total) {
      long due =
          perSecond == 0
              ? made + HELPING
              : Math.min(total, (long) ((System.nanoTime() - start) * 1e-9 * perSecond));
      int helping = (int) Math.min(HELPING, due - made);
      if (helping > 0) {
        work.accept(helping);
        made += helping;
      } else {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    return made;
  }
}
