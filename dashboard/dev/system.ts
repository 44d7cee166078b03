// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The made-up shop as a whole, as `/api/v1/system` tells of it. */

const DISPATCHER = ["pekko.system", "pekko.dispatcher.name", "pekko.executor.type"];
const SHARD = ["pekko.system", "pekko.cluster.sharding.type", "pekko.cluster.sharding.shard.id"];

export function systemOf(now: number): unknown {
  const minutes = Array.from({ length: 47 }, (_, i) => i);
  const wave = (low: number, high: number) => minutes.map((i) => low + ((high - low) * (1 + Math.sin(i / 5))) / 2);
  const few = (every: number, most: number) => minutes.map((i) => (i % every === 0 ? most : 0));
  const gauge = (name: string, attributes: string[], series: [string[], number][]) => ({
    name,
    unit: "{thing}",
    kind: "up-down counter",
    description: "Things",
    attributes,
    seriesLeftOut: 0,
    series: series.map(([of, value]) => ({ of, value })),
  });
  const pools = ["default", "internal"].map((name) => ["shop", `pekko.actor.${name}-dispatcher`, "fork-join"]);
  const shards = Array.from({ length: 20 }, (_, i) => ["shop", "cart", `shard-${i}`]);
  return {
    nowMillis: now,
    hour: {
      everyMillis: 60_000,
      seconds: minutes.map((i) => now / 1000 - 60 * (47 - i)),
      rate: wave(2400, 2900),
      processingP99: wave(20e6, 60e6),
      waitP99: wave(1e6, 30e6),
      failures: few(9, 4),
      askTimeouts: few(20, 2),
      deadLetters: minutes.map(() => 0),
      actorsLive: wave(200, 240),
      heapBytes: wave(120e6, 340e6),
    },
    requests: {
      searchShare: 0.05,
      cpu: [
        { kind: "requests", requests: 4211, minuteNanos: 310e6, nanos: 5.1e9, refused: 0, cut: 0, cancelled: 0 },
        { kind: "searches", requests: 903, minuteNanos: 120e6, nanos: 2.2e9, refused: 3, cut: 1, cancelled: 2 },
        { kind: "streams", requests: 2800, minuteNanos: 90e6, nanos: 1.3e9, refused: 0, cut: 0, cancelled: 0 },
        { kind: "otlp", requests: 0, minuteNanos: 0, nanos: 0, refused: 0, cut: 0, cancelled: 0 },
        { kind: "links", requests: 12, minuteNanos: 2e6, nanos: 31e6, refused: 0, cut: 0, cancelled: 0 },
      ],
      memory: [
        { kind: "answers", bytes: 181 << 10, maxBytes: 4 << 20, boundBytes: 64 << 20, refused: 0 },
        { kind: "bodies", bytes: 0, maxBytes: 0, boundBytes: 64 << 20, refused: 0 },
      ],
    },
    outlook: { growing: [], heap: null },
    transport: [
      {
        system: "shop",
        peer: "pekko://shop@10.0.0.2:17355",
        stream: "ordinary",
        batches: 41_000,
        reasons: { drained: 26_000, idle: 14_000, max_messages: 1000 },
        length: {
          count: 41_000,
          mean: 3.2,
          p50: 2,
          p99: 64,
          bounds: [1, 2, 4, 8, 16, 32, 64],
          counts: [18_000, 9000, 6000, 4000, 2500, 1100, 400, 0],
        },
        bytes: { count: 41_000, mean: 412, p50: 256, p99: 8192, bounds: [256, 8192], counts: [30_000, 11_000, 0] },
        flushNanos: { count: 0, mean: null, p50: null, p99: null, bounds: [1000], counts: [0, 0] },
        advice:
          "Batches of 3.2 messages: what comes during one write goes with the next. flush-interval = 0 ms is right.",
      },
    ],
    metrics: [
      gauge("pekko.dispatcher.parallelism", DISPATCHER, [
        [pools[0] ?? [], 8],
        [pools[1] ?? [], 8],
      ]),
      gauge("pekko.dispatcher.queue.size", DISPATCHER, [
        [pools[0] ?? [], 31],
        [pools[1] ?? [], 0],
      ]),
      {
        ...gauge("pekko.dispatcher.task.wait.duration", DISPATCHER, []),
        kind: "histogram",
        unit: "s",
        series: [{ of: pools[0], value: 900, p99Nanos: 2.4e9 }],
      },
      gauge(
        "pekko.cluster.member.count",
        ["pekko.system", "pekko.cluster.member.status"],
        ["up", "leaving", "down"].map((status): [string[], number] => [["shop", status], status === "up" ? 3 : 0]),
      ),
      gauge("pekko.cluster.leader", ["pekko.system"], [[["shop"], 1]]),
      gauge(
        "pekko.cluster.sharding.message.received",
        SHARD,
        shards.map((of, i): [string[], number] => [of, i === 7 ? 90_000 : 1000 + i]),
      ),
    ],
  };
}
