// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import java.util.Collection;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Says of most traces that are not in the store that they are not, without its lock. One bit for
 * each of 2^18 parts of the ids.
 *
 * <p><b>Threads.</b> {@link #mightHold} by any; {@link #add} and {@link #rebuild} under the store's
 * lock.
 */
final class KeptFilter {
  private static final int BITS = 18;

  private volatile AtomicLongArray words = new AtomicLongArray(1 << (BITS - 6));

  boolean mightHold(long spread) {
    int bit = bit(spread);
    return (words.get(bit >>> 6) & 1L << bit) != 0;
  }

  void add(long spread) {
    add(words, spread);
  }

  /** Forgets the traces that have left the store. */
  void rebuild(Collection<KeptTrace> kept) {
    AtomicLongArray fresh = new AtomicLongArray(1 << (BITS - 6));
    for (KeptTrace trace : kept) {
      add(fresh, trace.spread());
    }
    words = fresh;
  }

  private static void add(AtomicLongArray to, long spread) {
    int bit = bit(spread);
    to.set(bit >>> 6, to.get(bit >>> 6) | 1L << bit);
  }

  private static int bit(long spread) {
    return (int) (spread >>> (63 - BITS));
  }
}
