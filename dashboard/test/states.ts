// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Small makers of values for tests. */
import type { Histogram, Span, State, Trace } from "../src/lib/contract";

export const BOUNDS = [0.001, 0.01, 0.1];

export function histogram(...buckets: number[]): Histogram {
  const count = buckets.reduce((a, b) => a + b, 0);
  return { count, sumNanos: count * 1e6, buckets };
}

export function state(parts: Partial<State> & { atSeconds: number; processed?: number }): State {
  const { atSeconds, processed = 0, ...rest } = parts;
  return {
    service: "shop",
    systems: ["shop"],
    version: "0.1.0",
    pekkoVersion: "1.7.0",
    jdk: "17.0.15",
    startedAtMillis: 1000,
    profiling: false,
    nowMillis: 1_000_000 + atSeconds * 1000,
    recorder: {
      messages: processed,
      spansRecorded: processed,
      spansExported: processed,
      spansDropped: 0,
      tracesKept: 0,
      tracesCut: 0,
      faults: 0,
      memory: {},
      threads: 0,
      folded: { actorClasses: 0, messagePairs: 0 },
      export: "store",
      store: {
        admittedShare: 1,
        spansKept: 0,
        spansNotKept: 0,
        errorsNotKept: 0,
        spansTruncated: 0,
        tracesLetGo: 0,
        spansLetGo: 0,
        tracesThinned: 0,
        troubleWholeNanos: 0,
        spansThinned: 0,
        tracesEvicted: 0,
        troubleEvicted: 0,
        spansEvicted: 0,
        tracesPerSecond: 50,
        roomForSpans: 20_000,
      },
      tail: { spansHeld: 0, spansKept: {}, spansLetGo: {}, otherSpansKept: 0, otherSpansLetGo: {} },
    },
    hooks: { state: "ok", ok: 14, total: 14, missing: [] },
    problems: [],
    presets: [],
    totals: {
      actorsLive: 1,
      deadLetters: 0,
      deadLettersSuppressed: 0,
      unhandled: 0,
      dropped: 0,
      stuckNow: 0,
      classes: 1,
      failed: 0,
      failures: 0,
      errorTypes: 0,
      processing: histogram(processed, 0, 0, 0),
      wait: histogram(0, processed, 0, 0),
    },
    bounds: BOUNDS,
    actors: [
      {
        class: "shop.Cart",
        system: "shop",
        live: 1,
        started: 1,
        stopped: 0,
        restarted: 0,
        failed: 0,
        messages: [
          {
            class: "shop.Cart$Add",
            processed,
            failed: 0,
            processing: histogram(processed, 0, 0, 0),
            wait: histogram(0, processed, 0, 0),
          },
        ],
      },
    ],
    failures: [],
    asks: [],
    remote: [],
    ...rest,
  };
}

export function span(spanId: string, parentSpanId: string | null, parts: Partial<Span> = {}): Span {
  return {
    spanId,
    parentSpanId,
    name: spanId,
    kind: "CONSUMER",
    scope: "io.deimos.pekko",
    node: null,
    offsetNanos: 0,
    durationNanos: 10,
    waitNanos: null,
    status: "UNSET",
    statusMessage: "",
    attributes: {},
    events: [],
    links: [],
    ...parts,
  };
}

export function trace(...spans: Span[]): Trace {
  return {
    traceId: "0".repeat(32),
    name: "",
    complete: true,
    reduced: false,
    running: false,
    startEpochNanos: "0",
    durationNanos: 100,
    truncated: 0,
    clocks: [],
    spansLeftOut: 0,
    spans,
  };
}
