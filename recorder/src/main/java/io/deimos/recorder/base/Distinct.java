// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * About how many different things were seen, in a kilobyte, whatever their number: each sets one of
 * {@value #BITS} bits, and the share of bits that are not set tells (linear counting). Within a few
 * in a hundred up to {@value #BITS}, and never more than {@link #MOST}. Safe for any thread; takes
 * no memory before the first.
 */
public final class Distinct {
  private static final int BITS = 1 << 13;

  /** The answer once all bits are set. */
  static final int MOST = (int) (BITS * Math.log(BITS));

  private volatile @Nullable AtomicLongArray words;

  /** Takes note of a thing by its hash code. */
  public void add(Object thing) {
    int hash = mix(thing.hashCode()) & (BITS - 1);
    AtomicLongArray bits = bits();
    long bit = 1L << hash;
    if ((bits.get(hash >>> 6) & bit) == 0) {
      bits.accumulateAndGet(hash >>> 6, bit, (a, b) -> a | b);
    }
  }

  private AtomicLongArray bits() {
    AtomicLongArray bits = words;
    if (bits != null) {
      return bits;
    }
    synchronized (this) {
      bits = words;
      if (bits == null) {
        bits = new AtomicLongArray(BITS >>> 6);
        words = bits;
      }
      return bits;
    }
  }

  /** 0 only if there was none. */
  public int count() {
    AtomicLongArray bits = words;
    if (bits == null) {
      return 0;
    }
    int unset = BITS;
    for (int i = 0; i < bits.length(); i++) {
      unset -= Long.bitCount(bits.get(i));
    }
    return unset == 0 ? MOST : (int) Math.round(BITS * Math.log((double) BITS / unset));
  }

  private static int mix(int hash) {
    int h = hash;
    h = (h ^ (h >>> 16)) * 0x85EBCA6B;
    h = (h ^ (h >>> 13)) * 0xC2B2AE35;
    return h ^ (h >>> 16);
  }
}
