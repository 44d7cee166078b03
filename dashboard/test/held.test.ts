// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { ahead, hold } from "../src/lib/held";

const row = (key: string, count = 0) => ({ key, count });
const keyOf = ({ key }: { key: string }) => key;

test("hold_rowsChangePlaces_keepsTheirOrderWithFiguresOfNow", () => {
  const held = hold([row("a"), row("b")], [row("b", 2), row("a", 1)], keyOf, false);
  assert.deepEqual(held, [row("a", 1), row("b", 2)]);
});

test("hold_rowNewOrGone_waitsOrStays", () => {
  assert.deepEqual(hold([row("a", 1), row("b")], [row("new"), row("b")], keyOf, false), [row("a", 1), row("b")]);
});

test("hold_moreRowsAskedFor_comeAtTheEnd", () => {
  assert.deepEqual(hold([row("a"), row("b")], [row("b"), row("c"), row("a"), row("d")], keyOf, true).map(keyOf), [
    "a",
    "b",
    "c",
    "d",
  ]);
  assert.deepEqual(hold([row("a"), row("b")], [row("c"), row("a")], keyOf, true).map(keyOf), ["a", "b"]);
});

test("ahead_rowsThatCameForward_areCountedOnce", () => {
  assert.equal(ahead(["a", "b", "c"], ["a", "b", "c"]), 0);
  assert.equal(ahead(["a", "b", "c"], ["c", "a", "b"]), 1);
  assert.equal(ahead(["a", "b", "c"], ["new", "a", "c", "b"]), 2);
  assert.equal(ahead(["a", "b", "c"], ["a", "c"]), 0, "one that is gone moved nowhere");
});
