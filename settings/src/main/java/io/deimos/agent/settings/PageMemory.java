// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import java.util.Map;

/**
 * How {@link Keys#PAGE_MEMORY} is shared out: a quarter for single actors and trouble, the rest for
 * spans, unless a setting of its own says how much of either there is. Where nobody says how much
 * there is in all, it is no more than an eighth of the heap.
 */
public final class PageMemory {
  /** The bytes of one kept span at most, its share of the trace included. */
  public static final int BYTES_PER_SPAN = 3 * 1024;

  private static final int SHARE_OF_OBSERVER = 4;
  private static final int SHARE_OF_HEAP = 8;
  private static final long LEAST = 4L << 20;

  private PageMemory() {}

  /**
   * Puts in what nobody gave.
   *
   * @param values those given, by their keys
   * @param heapBytes the largest heap that the JVM may have
   */
  static void shareOut(Map<Key<?>, Object> values, long heapBytes) {
    long usual = Math.min(Keys.PAGE_MEMORY.otherwise(), heapBytes / SHARE_OF_HEAP);
    values.putIfAbsent(Keys.PAGE_MEMORY, Math.max(usual, LEAST));
    long all = of(values, Keys.PAGE_MEMORY);
    values.putIfAbsent(Keys.OBSERVER_MEMORY, all / SHARE_OF_OBSERVER);
    long observer = Math.min(of(values, Keys.OBSERVER_MEMORY), all / SHARE_OF_OBSERVER);
    values.putIfAbsent(Keys.SPANS_KEPT, (int) ((all - observer) / BYTES_PER_SPAN));
  }

  private static long of(Map<Key<?>, Object> values, Key<Long> key) {
    Object given = values.get(key);
    return given == null ? key.otherwise() : (Long) given;
  }
}
