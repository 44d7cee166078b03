// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Arithmetic on cumulative histograms with fixed bounds: differences, sums, quantiles. */
import type { Histogram } from "./contract";

export const EMPTY: Histogram = { count: 0, sumNanos: 0, buckets: [] };

/** A quantile's estimate; `atLeast` when it lies above the last bound, where only the bound is known. */
export interface Quantile {
  readonly nanos: number;
  readonly atLeast: boolean;
}

/** The growth between two readings; a counter that went backwards began anew, so all of it was. */
export function subtract(later: Histogram, earlier: Histogram | undefined): Histogram {
  if (earlier === undefined || later.count < earlier.count) {
    return later;
  }
  return {
    count: later.count - earlier.count,
    sumNanos: Math.max(0, later.sumNanos - earlier.sumNanos),
    buckets: later.buckets.map((n, i) => Math.max(0, n - (earlier.buckets[i] ?? 0))),
  };
}

export function sum(histograms: Iterable<Histogram>): Histogram {
  let count = 0;
  let sumNanos = 0;
  const buckets: number[] = [];
  for (const histogram of histograms) {
    count += histogram.count;
    sumNanos += histogram.sumNanos;
    for (let i = 0; i < histogram.buckets.length; i++) {
      buckets[i] = (buckets[i] ?? 0) + (histogram.buckets[i] ?? 0);
    }
  }
  return { count, sumNanos, buckets };
}

/**
 * The value below which the share `q` of the observations lies, interpolated within its bucket; null when there are
 * none. The share is taken of the buckets' own total, which a reading in the middle of an update may leave beside
 * `count`.
 */
export function quantile(histogram: Histogram, boundsSeconds: readonly number[], q: number): Quantile | null {
  const total = histogram.buckets.reduce((a, b) => a + b, 0);
  if (total <= 0) {
    return null;
  }
  const rank = q * total;
  let below = 0;
  for (let i = 0; i < histogram.buckets.length; i++) {
    const inBucket = histogram.buckets[i] ?? 0;
    if (inBucket > 0 && below + inBucket >= rank) {
      const lower = i === 0 ? 0 : (boundsSeconds[i - 1] ?? 0);
      const upper = boundsSeconds[i];
      if (upper === undefined) {
        return { nanos: Math.round(lower * 1e9), atLeast: true };
      }
      const share = Math.max(0, rank - below) / inBucket;
      return { nanos: Math.round((lower + (upper - lower) * share) * 1e9), atLeast: false };
    }
    below += inBucket;
  }
  return null;
}
