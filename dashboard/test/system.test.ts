// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { answer } from "../src/lib/answers";
import type { System } from "../src/lib/contract";
import { areas, byRate, isOfOneSystem, says, shapeOf, shardRates, shortAttribute } from "../src/lib/system";

const reading = (nowMillis: number, counts: Readonly<Record<string, number>>): System =>
  answer("/api/v1/system", {
    nowMillis,
    hour: {},
    metrics: [
      {
        name: "pekko.cluster.sharding.message.received",
        series: Object.entries(counts).map(([shard, value]) => ({ of: [shard], value })),
      },
    ],
  });

test("shards_hotNowButNotSinceTheStart_comeFirst_theRestLast", () => {
  const now = reading(5000, { old: 90_010, hot: 500, other: 400_000, fresh: 7 });
  const rates = shardRates(reading(0, { old: 90_000, hot: 0, other: 300_000 }), now);
  assert.deepEqual(Object.fromEntries(rates), { old: 2, hot: 100, other: 20_000 });
  const rows = (now.metrics[0]?.series ?? []).map((series) => ({ of: series.of, cells: [series] }));
  const names = (of: ReadonlyMap<string, number>) => byRate(rows, of, 0).map((row) => row.of[0]);
  assert.deepEqual(names(rates), ["hot", "old", "fresh", "other"]);
  assert.deepEqual(names(new Map()), ["old", "hot", "fresh", "other"], "by what was counted, before there are rates");
});

test("shardRates_processStartedAnew_areNotKnown", () => {
  assert.equal(shardRates(reading(0, { a: 100 }), reading(5000, { a: 3 })).size, 0);
});

test("tables_valueOfAllRows_isSaidOnceAndTheOneSystemNotAtAll", () => {
  const attributes = ["pekko.system", "pekko.dispatcher.name", "pekko.executor.type"];
  const of = (systems: readonly string[]) =>
    answer("/api/v1/system", {
      metrics: [
        {
          name: "pekko.dispatcher.queue.size",
          attributes,
          series: systems.map((system, i) => ({ of: [system, `pool-${i}`, "fork-join"], value: i })),
        },
      ],
    }).metrics;
  const shape = (systems: readonly string[]) => {
    const [table] = areas(of(systems))[0]?.tables ?? [];
    assert.ok(table !== undefined);
    const { columns, same } = shapeOf(table, isOfOneSystem(of(systems)));
    return { columns: columns.map((i) => attributes[i]), same: same.map((i) => attributes[i]) };
  };
  assert.deepEqual(shape(["a", "a"]), { columns: ["pekko.dispatcher.name"], same: ["pekko.executor.type"] });
  assert.deepEqual(shape(["a", "b"]), {
    columns: ["pekko.system", "pekko.dispatcher.name"],
    same: ["pekko.executor.type"],
  });
  assert.deepEqual(attributes.map(shortAttribute), ["system", "name", "executor type"]);
});

test("rows_nothingHappened_areTold", () => {
  const cell = (value: number, p99Nanos: number | null = null) => ({ of: [], value, p99Nanos });
  assert.equal(says({ of: [], cells: [null, cell(0)] }), false);
  assert.equal(says({ of: [], cells: [cell(0), cell(1)] }), true);
});
