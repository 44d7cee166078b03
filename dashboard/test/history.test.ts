// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { answer } from "../src/lib/answers";
import { CHART_POINTS, History, SPARK_POINTS } from "../src/lib/history";
import { histogram, state } from "./states";

test("actorRows_oneReading_hasNoRateYet", () => {
  const history = new History();
  history.add(state({ atSeconds: 0, processed: 500 }));
  const [row] = history.actorRows();
  assert.equal(row?.ratePerSecond, null);
  assert.equal(row?.processingP50, null);
  assert.equal(row?.processed, 500);
  assert.equal(history.windowMillis, null);
});

test("actorRows_steadyLoad_hasItsRateAndItsQuantiles", () => {
  const history = new History();
  for (let i = 0; i <= 30; i++) {
    history.add(state({ atSeconds: i, processed: i * 200 }));
  }
  const [row] = history.actorRows();
  assert.equal(row?.ratePerSecond, 200);
  assert.equal(row?.processingP50?.nanos, 0.5e6);
  assert.equal(row?.waitP50?.nanos, 5.5e6);
  assert.equal(history.windowMillis, 10_000);
  assert.equal(history.messagesPerSecond(), 200);
  assert.equal(history.messageRows(row?.key ?? "")[0]?.ratePerSecond, 200);
});

test("actorRows_loadStops_isForgottenAfterTheWindow", () => {
  const history = new History();
  for (let i = 0; i <= 40; i++) {
    history.add(state({ atSeconds: i, processed: Math.min(i, 20) * 100 }));
  }
  const [row] = history.actorRows();
  assert.equal(row?.ratePerSecond, 0);
  assert.equal(row?.processingP99, null);
});

test("windowMillis_pageWasHidden_isTheTimeReallyPassed", () => {
  const history = new History();
  history.add(state({ atSeconds: 0, processed: 0 }));
  history.add(state({ atSeconds: 1, processed: 100 }));
  history.add(state({ atSeconds: 61, processed: 6100 }));
  assert.equal(history.windowMillis, 60_000);
  assert.equal(history.messagesPerSecond(), 100);
});

test("chartColumns_pageWasHidden_leavesAGap", () => {
  const history = new History();
  history.add(state({ atSeconds: 0, processed: 0 }));
  history.add(state({ atSeconds: 1, processed: 100 }));
  history.add(state({ atSeconds: 61, processed: 6100 }));
  assert.deepEqual(history.chartColumns().rate, [100, null, 100]);
});

test("add_startTimeChanged_beginsAnew", () => {
  const history = new History();
  history.add(state({ atSeconds: 0, processed: 1000 }));
  history.add(state({ atSeconds: 1, processed: 2000 }));
  assert.equal(history.add(state({ atSeconds: 2, processed: 10, startedAtMillis: 5 })), true);
  assert.equal(history.actorRows()[0]?.ratePerSecond, null);
  assert.deepEqual(history.chartColumns().seconds, []);
});

test("add_startTimeJitters_isTheSameJvm", () => {
  const history = new History();
  history.add(state({ atSeconds: 0, processed: 10, startedAtMillis: 1000 }));
  assert.equal(history.add(state({ atSeconds: 1, processed: 20, startedAtMillis: 1003 })), false);
  assert.equal(history.messagesPerSecond(), 10);
});

test("add_countersWentBack_beginsAnew", () => {
  const history = new History();
  history.add(state({ atSeconds: 0, processed: 1000 }));
  assert.equal(history.add(state({ atSeconds: 1, processed: 10 })), true);
});

test("add_olderThanTheLast_changesNothing", () => {
  const history = new History();
  history.add(state({ atSeconds: 0, processed: 0 }));
  history.add(state({ atSeconds: 2, processed: 20 }));
  assert.equal(history.add(state({ atSeconds: 1, processed: 10 })), false);
  assert.equal(history.messagesPerSecond(), 10);
});

test("add_sameMomentTwice_changesNothing", () => {
  const history = new History();
  history.add(state({ atSeconds: 0, processed: 0 }));
  history.add(state({ atSeconds: 1, processed: 10 }));
  assert.equal(history.add(state({ atSeconds: 1, processed: 10 })), false);
  assert.equal(history.messagesPerSecond(), 10);
});

test("add_manyReadings_keepsABoundedNumber", () => {
  const history = new History();
  for (let i = 0; i < CHART_POINTS + 100; i++) {
    history.add(state({ atSeconds: i, processed: i }));
  }
  assert.equal(history.chartColumns().seconds.length, CHART_POINTS);
  assert.equal(history.chartColumns().waitP99.length, CHART_POINTS);
  assert.equal(history.actorRows()[0]?.rates.length, SPARK_POINTS);
});

test("actorRows_sameClassInTwoSystems_areTwoRows", () => {
  const history = new History();
  const one = state({ atSeconds: 0 });
  const actor = one.actors[0];
  assert.ok(actor !== undefined);
  history.add({ ...one, actors: [actor, { ...actor, system: "billing" }] });
  assert.equal(new Set(history.actorRows().map((row) => row.key)).size, 2);
});

test("actorRows_classAppearsLater_countsFromNothing", () => {
  const history = new History();
  history.add(state({ atSeconds: 0, actors: [] }));
  history.add(state({ atSeconds: 2, processed: 30 }));
  assert.equal(history.actorRows()[0]?.ratePerSecond, 15);
  assert.deepEqual(history.actorRows()[0]?.rates, [15]);
});

test("askRows_someTimedOut_haveQuantilesOfTheWindow", () => {
  const history = new History();
  const ask = (n: number) => ({ class: "Q", count: n, timeouts: 1, duration: histogram(0, n, 0, 0) });
  history.add(state({ atSeconds: 0, asks: [ask(10)] }));
  history.add(state({ atSeconds: 1, asks: [ask(14)] }));
  const [row] = history.askRows();
  assert.equal(row?.ratePerSecond, 4);
  assert.equal(row?.timeouts, 1);
  assert.equal(row?.p50?.nanos, 5.5e6);
});

const past = (json: unknown) => answer("/api/history", json);

test("recall_olderThanTheFirstReading_standsBeforeIt", () => {
  const history = new History();
  history.add(state({ atSeconds: 0, processed: 0 }));
  history.add(state({ atSeconds: 1, processed: 10 }));
  const first = history.chartColumns().seconds[0] ?? 0;
  history.recall(past({ seconds: [first - 4, first - 2, first, first + 2], rate: [1, 2, 3, 4], waitP99: [7] }));
  const chart = history.chartColumns();
  assert.deepEqual(chart.seconds, [first - 4, first - 2, first]);
  assert.deepEqual(chart.rate, [1, 2, 10]);
  assert.deepEqual(chart.waitP50.slice(0, 2), [null, null], "a column that is missing is a gap");
  assert.deepEqual(chart.waitP99.slice(0, 2), [null, null], "and so is one of another length");
});

test("recall_beforeAnyReading_isKept", () => {
  const history = new History();
  history.recall(past({ everyMillis: 2000, seconds: [1, 3], rate: [5, null] }));
  history.add(state({ atSeconds: 0 }));
  assert.deepEqual(history.chartColumns().rate, [5, null]);
});
