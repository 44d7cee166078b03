// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { quantile, subtract, sum } from "../src/lib/histogram";
import { BOUNDS, histogram } from "./states";

test("quantile_nothingObserved_isNull", () => {
  assert.equal(quantile(histogram(0, 0, 0, 0), BOUNDS, 0.5), null);
  assert.equal(quantile(histogram(), BOUNDS, 0.5), null);
});

test("quantile_withinABucket_isInterpolated", () => {
  assert.deepEqual(quantile(histogram(0, 10, 0, 0), BOUNDS, 0.5), { nanos: 5.5e6, atLeast: false });
});

test("quantile_firstBucket_beginsAtZero", () => {
  assert.deepEqual(quantile(histogram(4, 0, 0, 0), BOUNDS, 0.5), { nanos: 0.5e6, atLeast: false });
});

test("quantile_aboveTheLastBound_saysAtLeast", () => {
  assert.deepEqual(quantile(histogram(1, 0, 0, 99), BOUNDS, 0.99), { nanos: 0.1e9, atLeast: true });
});

test("quantile_tail_findsTheSlowOne", () => {
  const found = quantile(histogram(98, 0, 2, 0), BOUNDS, 0.99);
  assert.ok(found !== null && found.nanos > 10e6 && found.nanos <= 100e6, JSON.stringify(found));
  assert.ok((quantile(histogram(98, 0, 2, 0), BOUNDS, 0.5)?.nanos ?? 0) < 1e6);
});

test("quantile_anyHistogram_growsWithTheShare", () => {
  for (let seed = 1; seed <= 50; seed++) {
    const h = histogram(seed % 7, (seed * 3) % 11, (seed * 5) % 13, seed % 3);
    let last = 0;
    for (const q of [0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1]) {
      const nanos = quantile(h, BOUNDS, q)?.nanos ?? 0;
      assert.ok(nanos >= last, `seed ${seed}, q ${q}: ${nanos} < ${last}`);
      last = nanos;
    }
  }
});

test("subtract_laterReading_leavesWhatWasAdded", () => {
  assert.deepEqual(subtract(histogram(5, 7), histogram(2, 7)), histogram(3, 0));
});

test("subtract_nothingBefore_isAllOfIt", () => {
  assert.deepEqual(subtract(histogram(5, 7), undefined), histogram(5, 7));
});

test("subtract_counterWentBack_isAllOfIt", () => {
  assert.deepEqual(subtract(histogram(1, 0), histogram(5, 7)), histogram(1, 0));
});

test("sum_severalHistograms_addsBuckets", () => {
  assert.deepEqual(sum([histogram(1, 2), histogram(3, 4)]), histogram(4, 6));
  assert.deepEqual(sum([]), histogram());
});
