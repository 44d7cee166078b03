// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.decode;

import java.util.HashMap;
import java.util.Map;

/**
 * How long the deserialisers that a connection needs take, by samples: whether a message is worth a
 * hop to another thread.
 *
 * <p><b>Threads.</b> {@link #of} and {@link Cost#isDue} belong to the decoder; {@link Cost#took} is
 * for any thread, and of two at once one may get lost, which costs a sample.
 */
final class DeserialiserCosts {
  /** Far above what a hop costs, and the mark below which it is not worth it any more. */
  static final long HEAVY_NANOS = 40_000;

  static final long LIGHT_NANOS = HEAVY_NANOS / 2;

  /** So that one pause of the collector makes nothing heavy. */
  private static final long LONGEST_NANOS = 7 * HEAVY_NANOS;

  private static final int FIRST = 16;
  private static final int ONE_IN = 64;
  private static final int WEIGHT = 8;

  /** Peers that are in order do not have as many serialisers. */
  private static final int MOST = 1024;

  private final Map<Integer, Cost> costs = new HashMap<>();
  private Cost lastUsed = new Cost(0);

  /** The cost of a serialiser, by its identifier. */
  Cost of(int serializer) {
    Cost known = lastUsed;
    if (known.serializer != serializer) {
      if (costs.size() >= MOST) {
        costs.clear();
      }
      known = costs.computeIfAbsent(serializer, Cost::new);
      lastUsed = known;
    }
    return known;
  }

  /** One serialiser's. */
  static final class Cost {
    private final int serializer;
    private volatile long averageNanos;
    private volatile boolean heavy;
    private int seen;

    Cost(int serializer) {
      this.serializer = serializer;
    }

    boolean isHeavy() {
      return heavy;
    }

    /** Whether this message is one of those to be timed. */
    boolean isDue() {
      int number = seen++;
      return (number & (ONE_IN - 1)) == 0 || (number >= 0 && number < FIRST);
    }

    void took(long nanos) {
      long before = averageNanos;
      long average = before + (Math.min(nanos, LONGEST_NANOS) - before) / WEIGHT;
      averageNanos = average;
      boolean now = average >= (heavy ? LIGHT_NANOS : HEAVY_NANOS);
      if (now != heavy) {
        heavy = now;
      }
    }
  }
}
