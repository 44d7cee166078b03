// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import io.deimos.agent.settings.PageMemory;

/**
 * The bounds of the store.
 *
 * @param tracesPerSecond how many ordinary traces are kept each second at most, in [1, 100000];
 *     eight times as many are held until they are judged, and as many again are kept late, for
 *     trouble in them
 * @param spansKept how many spans are kept in all, in [100, 10000000]; a span with much text (a
 *     stack trace, say) counts as several, one for each {@value #TEXT_PER_SPAN} characters
 * @param spansPerTrace how many spans one trace may have, in [1, spansKept]; the rest is counted
 */
public record StoreLimits(int tracesPerSecond, int spansKept, int spansPerTrace) {
  static final int TEXT_PER_SPAN = 1024;

  /**
   * The memory of one counted span at most, its share of the trace included: 16,384 spans are at
   * most 48 MiB, and about 4 MiB if they are plain messages.
   */
  static final int MAX_BYTES_PER_SPAN = PageMemory.BYTES_PER_SPAN;

  /** 50 traces a second, 16,384 spans, 5,000 of them in one trace. */
  public static final StoreLimits DEFAULT = new StoreLimits(50, 16_384, 5_000);

  public StoreLimits {
    check("deimos.page.traces-per-second", tracesPerSecond, 1, 100_000);
    check("deimos.page.spans-kept", spansKept, 100, 10_000_000);
    check("spans per trace", spansPerTrace, 1, spansKept);
  }

  /** The default number of spans for each trace, as far as there is room for it. */
  public static StoreLimits of(int tracesPerSecond, int spansKept) {
    return new StoreLimits(
        tracesPerSecond, spansKept, Math.min(DEFAULT.spansPerTrace, Math.max(1, spansKept / 3)));
  }

  private static void check(String key, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          key + "=" + value + ": must be a whole number in [" + least + ", " + most + "]");
    }
  }
}
