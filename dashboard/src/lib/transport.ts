// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Words for how the transport batches. */
const REASONS: Readonly<Record<string, string>> = {
  idle: "at once, by the sender",
  drained: "nothing more waited",
  max_messages: "max-pending-writes",
  max_bytes: "max-pending-bytes",
  interval: "flush-interval was over",
  buffer: "a buffer was full",
  serializer: "serializer of another thread",
};

/** Why a batch ended, in words. */
export function reasonText(reason: string): string {
  return REASONS[reason] ?? reason;
}

/** How many messages the batches of a bucket have: "1", "3–4", "over 4096". */
export function bucketText(bounds: readonly number[], i: number): string {
  const to = bounds[i];
  const before = i === 0 ? 0 : (bounds[i - 1] ?? 0);
  if (to === undefined) {
    return `over ${before}`;
  }
  return before + 1 === to ? String(to) : `${before + 1}–${to}`;
}

/** Why batches ended, the most frequent reason first. */
export function byFrequency(reasons: Readonly<Record<string, number>>): readonly (readonly [string, number])[] {
  return Object.entries(reasons).sort((a, b) => b[1] - a[1]);
}
