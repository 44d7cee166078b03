// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

/**
 * Beyond what a trace does not go on; 0 is no bound.
 *
 * @param maxAgeNanos since its first span in this process: 0 or more
 * @param maxDepth messages between its first and its last: 0 or more
 * @param maxSpans in this process: 0 or more
 */
public record GuardConfig(long maxAgeNanos, int maxDepth, int maxSpans) {
  /** 10 minutes, 1,000 messages deep, 10,000 spans. */
  public static final GuardConfig DEFAULT = new GuardConfig(600_000_000_000L, 1_000, 10_000);

  public GuardConfig {
    if (maxAgeNanos < 0 || maxDepth < 0 || maxSpans < 0) {
      throw new IllegalArgumentException(
          "a bound below 0: " + maxAgeNanos + " ns, depth " + maxDepth + ", spans " + maxSpans);
    }
  }
}
