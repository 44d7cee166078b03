// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { answer } from "../src/lib/answers";
import {
  hasDurations,
  hasName,
  hasTimes,
  withDurations,
  withName,
  withoutDurations,
  withoutTimes,
  withTimes,
} from "../src/lib/groups";

test("withDurations_ofAQuery_replacesThoseThatWereThere", () => {
  const query = withDurations('cart >2s duration<5s status:error text:"a >1s"', 1_500_000, 17_783);
  assert.equal(query, 'cart status:error text:"a >1s" duration>1.5ms duration<17.783us');
  assert.equal(withDurations("", 0, 1_000), "duration<1us");
  assert.equal(withDurations("", 1e12, null), "duration>1000s");
  assert.ok(hasDurations(query));
  assert.equal(withoutDurations(query), 'cart status:error text:"a >1s"');
  assert.ok(!hasDurations(withoutDurations(query)));
});

test("withTimes_ofAQuery_areInUtc", () => {
  const query = withTimes("cart began>2020-01-01T00:00:00Z", 0, 1_500);
  assert.equal(query, "cart began>1970-01-01T00:00:00.000Z began<1970-01-01T00:00:01.500Z");
  assert.ok(hasTimes(query));
  assert.equal(withoutTimes(query), "cart");
});

test("withName_ofAQuery_isQuotedAndTheOnlyOne", () => {
  const query = withName("root:old cart", 'POST /a "b"');
  assert.equal(query, 'cart root:"POST /a  b "');
  assert.ok(hasName(query));
  assert.equal(withName(query, ""), "cart");
});

test("groups_oddAnswer_hasEmptyValues", () => {
  const groups = answer("/api/v1/traces/groups", {
    traces: "x",
    groups: [{ name: 7 }],
    durations: [{ fromNanos: 1, toNanos: null }],
  });
  assert.equal(groups.traces, 0);
  assert.equal(groups.groups[0]?.name, "");
  assert.deepEqual(groups.durations, [{ fromNanos: 1, toNanos: null, traces: 0, trouble: 0 }]);
  assert.deepEqual(groups.times, []);
  assert.deepEqual(groups.notLookedAt, []);
});
