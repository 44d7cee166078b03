// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.compress;

/**
 * The messages that are counted for the next compression tables: all of a slow connection, fewer
 * the faster it is, as Artery does it.
 *
 * <p><b>Threads.</b> One at a time, in a happens-before order.
 */
public final class HitSampler {
  private static final int UNSAMPLED_RATE = 1000;
  private static final long SECOND_NANOS = 1_000_000_000L;

  /** Messages after which the rate is known without waiting for the second to pass. */
  private static final int SOON = 4096;

  private long messages;
  private long mask;
  private long tickNanos = System.nanoTime();
  private long tickMessages;

  /** Whether this message is one that is counted; asked once for each. */
  public boolean isDue() {
    return (++messages & mask) == 0;
  }

  /** Sets how many of the next ones are; called when one was counted. */
  public void adapt() {
    long now = System.nanoTime();
    long passed = now - tickNanos;
    if (passed >= SECOND_NANOS || messages - tickMessages >= SOON) {
      long rate = (messages - tickMessages) * SECOND_NANOS / Math.max(1, passed);
      mask =
          rate < UNSAMPLED_RATE
              ? 0
              : rate < UNSAMPLED_RATE * 10
                  ? (1 << 6) - 1
                  : rate < UNSAMPLED_RATE * 100 ? (1 << 7) - 1 : (1 << 8) - 1;
      tickMessages = messages;
      tickNanos = now;
    }
  }
}
