// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Trend;

/**
 * The heap, as collections of garbage leave it, fills.
 *
 * @param liveBytes after the last collection
 * @param maxBytes as large as it may be
 * @param trend of what collections leave
 */
public record HeapFills(long liveBytes, long maxBytes, Trend trend) {
  private static final double MEBIBYTE = 1 << 20;

  /** When it will be full, in seconds from now, at this rate. */
  public double fullInSeconds() {
    return (maxBytes - liveBytes) / trend.perSecond();
  }

  /** The end of a sentence: when it will be full. */
  public String says() {
    double left = maxBytes - liveBytes;
    long soonest = (long) (left / (trend.perSecond() + trend.error()) * 1e9);
    long latest = (long) (left / (trend.perSecond() - trend.error()) * 1e9);
    return "the heap, "
        + mebibytes(liveBytes)
        + " of "
        + mebibytes(maxBytes)
        + " after the last collection, will be full in about "
        + Figures.time((long) (fullInSeconds() * 1e9))
        + " at this rate ("
        + Figures.time(soonest)
        + " to "
        + (latest > 24 * 3_600_000_000_000L ? "over a day" : Figures.time(latest))
        + ")";
  }

  private static String mebibytes(long bytes) {
    return Figures.count(Math.round(bytes / MEBIBYTE)) + " MiB";
  }
}
