// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The bytes that all links of a process may take together for one purpose. Safe for any thread. */
final class LinkBudget {
  private final long mostBytes;
  private long taken;

  LinkBudget(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** A share of the heap, within bounds. */
  static LinkBudget ofHeap(int share, long leastBytes, long mostBytes) {
    long bytes = Runtime.getRuntime().maxMemory() / share;
    return new LinkBudget(Math.max(leastBytes, Math.min(mostBytes, bytes)));
  }

  /** Takes as much if there is; negative gives back. */
  synchronized boolean tryTake(long bytes) {
    if (bytes > 0 && taken + bytes > mostBytes) {
      return false;
    }
    taken += bytes;
    if (bytes < 0) {
      notifyAll();
    }
    return true;
  }

  /** Takes as much when there is; who waits reads no more meanwhile, so its peer waits, too. */
  synchronized void take(long bytes, long patienceMillis) throws IOException {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    while (taken > 0 && taken + bytes > mostBytes) {
      long left = until - System.nanoTime();
      if (left <= 0) {
        throw new IOException("there was no room for it in time");
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        throw new IOException("the page is ending", e);
      }
    }
    taken += bytes;
  }

  synchronized void give(long bytes) {
    taken -= bytes;
    notifyAll();
  }

  synchronized long taken() {
    return taken;
  }
}
