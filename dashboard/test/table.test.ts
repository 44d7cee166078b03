// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ActorRow } from "../src/lib/history";
import { filterRows, nextSorting, parseSorting, sortingText, sortRows } from "../src/lib/table";

function row(className: string, parts: Partial<ActorRow> = {}): ActorRow {
  return {
    key: className,
    className,
    system: "shop",
    live: 0,
    processed: 0,
    failed: 0,
    restarted: 0,
    messageClasses: 0,
    ratePerSecond: 0,
    rates: [],
    processingP50: null,
    processingP99: null,
    waitP50: null,
    waitP99: null,
    ...parts,
  };
}

const names = (rows: readonly ActorRow[]) => rows.map((r) => r.className).join(" ");

test("sortRows_byRate_busiestFirstThenByName", () => {
  const rows = [row("c", { ratePerSecond: 1 }), row("b", { ratePerSecond: 5 }), row("a", { ratePerSecond: 1 })];
  assert.equal(names(sortRows(rows, { column: "rate", descending: true })), "b a c");
  assert.equal(names(sortRows(rows, { column: "rate", descending: false })), "a c b");
});

test("sortRows_noFigure_isLastInBothDirections", () => {
  const at = (nanos: number) => ({ waitP99: { nanos, atLeast: false } });
  const rows = [row("none"), row("slow", at(9)), row("fast", at(1))];
  assert.equal(names(sortRows(rows, { column: "waitP99", descending: true })), "slow fast none");
  assert.equal(names(sortRows(rows, { column: "waitP99", descending: false })), "fast slow none");
});

test("sortRows_byName_goesBothWays", () => {
  const rows = [row("b"), row("a")];
  assert.equal(names(sortRows(rows, { column: "className", descending: false })), "a b");
  assert.equal(names(sortRows(rows, { column: "className", descending: true })), "b a");
});

test("nextSorting_sameColumn_turnsRound", () => {
  const first = nextSorting({ column: "rate", descending: true }, "failed");
  assert.deepEqual(first, { column: "failed", descending: true });
  assert.deepEqual(nextSorting(first, "failed"), { column: "failed", descending: false });
  assert.equal(nextSorting(first, "className").descending, false);
});

test("filterRows_severalWords_mustAllBeThere", () => {
  const rows = [row("shop.cart.ShoppingCart"), row("shop.payment.Gateway")];
  assert.equal(names(filterRows(rows, "SHOP cart")), "shop.cart.ShoppingCart");
  assert.equal(filterRows(rows, "  ").length, 2);
  assert.equal(filterRows(rows, "(.*").length, 0);
});

test("sorting_asText_isReadBack", () => {
  for (const sorting of [
    { column: "failed", descending: true },
    { column: "className", descending: false },
    { column: "rate", descending: true },
  ] as const) {
    assert.deepEqual(parseSorting(sortingText(sorting)), sorting);
  }
  assert.equal(sortingText({ column: "rate", descending: true }), "", "what the page does by itself");
  assert.deepEqual(parseSorting("no such column"), { column: "rate", descending: true });
});
