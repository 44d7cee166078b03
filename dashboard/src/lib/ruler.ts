// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Round places for the ticks of a time axis. */

/** The part of a trace that is on show, from the trace's start. */
export interface View {
  readonly fromNanos: number;
  readonly toNanos: number;
}

/** Multiples of 1, 2 or 5 times a power of ten between `from` and `to`, about `wanted` of them. */
export function ticks(from: number, to: number, wanted: number): readonly number[] {
  const span = to - from;
  if (!(span > 0) || wanted < 1) {
    return [from];
  }
  const raw = span / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= raw) ?? 10);
  const result: number[] = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; i++) {
    result.push(i * step + 0); // never minus zero
  }
  return result;
}

/** The share of a bar's width for a duration, on a logarithmic scale from `floorNanos` to the longest. */
export function logShare(nanos: number, longestNanos: number, floorNanos = 10_000): number {
  if (nanos <= floorNanos || longestNanos <= floorNanos) {
    return longestNanos > floorNanos || nanos <= 0 ? 0.02 : 1;
  }
  const share = Math.log(nanos / floorNanos) / Math.log(longestNanos / floorNanos);
  return Math.min(1, Math.max(0.02, share));
}
