// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

/**
 * Remembers the latest traces that were put out of the store, so that a reader who asks for one is
 * told what became of it. Not safe for threads: called under the store's lock.
 *
 * <p><b>Full.</b> One entry for each of 2^13 parts of the ids; a newer one takes the place of an
 * older one, of which nothing is known from then on. 64 KiB.
 */
final class LostTraces {
  private static final int REMEMBERED = 1 << 13;

  private final long[] lost = new long[REMEMBERED];

  void add(long spread) {
    lost[slot(spread)] = spread;
  }

  boolean contains(long spread) {
    return lost[slot(spread)] == spread;
  }

  private static int slot(long spread) {
    return (int) spread & (REMEMBERED - 1);
  }
}
