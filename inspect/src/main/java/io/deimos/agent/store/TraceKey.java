// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** A trace id as two longs. */
public record TraceKey(long hi, long lo) {
  private static final int DIGITS = 32;

  /** Another in each process, so that nobody can choose ids that share a place in a table. */
  private static final long TABLES = ThreadLocalRandom.current().nextLong();

  /**
   * Random, so that nobody can choose ids that are always kept. Processes with one page share it,
   * so that they take the same traces when they cannot take all.
   */
  private static volatile long key = ThreadLocalRandom.current().nextLong();

  /** By what traces are taken when there is no room for all. */
  public static long sharedKey() {
    return key;
  }

  public static void share(long withOthers) {
    key = withOthers;
  }

  /** A number in [0, 2^63) that spreads evenly however the ids are made. */
  static long spread(long hi, long lo) {
    return spread(hi, lo, key);
  }

  static long spread(long hi, long lo, long key) {
    long z = lo ^ ((hi ^ key) * 0x9E3779B97F4A7C15L) ^ Long.rotateLeft(key, 32);
    z = (z ^ (z >>> 32)) * 0xD6E8FEB86659FD93L;
    z = (z ^ (z >>> 32)) * 0xD6E8FEB86659FD93L;
    return (z ^ (z >>> 32)) >>> 1;
  }

  long spread() {
    return spread(hi, lo);
  }

  /** The id written as 32 hexadecimal digits; null if it is not. */
  static @Nullable TraceKey parse(String hex) {
    if (hex.length() != DIGITS || hex.charAt(0) == '+' || hex.charAt(DIGITS / 2) == '+') {
      return null;
    }
    try {
      return new TraceKey(
          Long.parseUnsignedLong(hex, 0, DIGITS / 2, 16),
          Long.parseUnsignedLong(hex, DIGITS / 2, DIGITS, 16));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  @Override
  public int hashCode() {
    return Long.hashCode(spread(hi, lo, TABLES));
  }
}
