// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** How the transport batches, by outgoing stream, and what that means for its settings. */
import { knownNumber, list, number, object, text } from "./decode";

export interface Distribution {
  readonly count: number;
  /** Null if nothing was counted, as the next two. */
  readonly mean: number | null;
  readonly p50: number | null;
  readonly p99: number | null;
  /** Upper bounds; there is one more count than bounds. */
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
}

export interface StreamBatches {
  readonly system: string;
  readonly peer: string;
  readonly stream: string;
  readonly batches: number;
  /** Most frequent first. */
  readonly reasons: readonly (readonly [string, number])[];
  readonly length: Distribution;
  readonly bytes: Distribution;
  readonly flushNanos: Distribution;
  readonly advice: string;
}

export function streamBatches(value: unknown): StreamBatches {
  const json = object(value);
  return {
    system: text(json["system"]),
    peer: text(json["peer"]),
    stream: text(json["stream"]),
    batches: number(json["batches"]),
    reasons: Object.entries(object(json["reasons"]))
      .map(([reason, n]) => [reason, number(n)] as const)
      .sort((a, b) => b[1] - a[1]),
    length: distribution(json["length"]),
    bytes: distribution(json["bytes"]),
    flushNanos: distribution(json["flushNanos"]),
    advice: text(json["advice"]),
  };
}

function distribution(value: unknown): Distribution {
  const json = object(value);
  return {
    count: number(json["count"]),
    mean: knownNumber(json["mean"]),
    p50: knownNumber(json["p50"]),
    p99: knownNumber(json["p99"]),
    bounds: list(json["bounds"], number),
    counts: list(json["counts"], number),
  };
}

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
