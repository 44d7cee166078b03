// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { answer } from "../src/lib/answers";
import { edgeKey, mapHash, parseMapHash } from "../src/lib/map";
import { MapLayout, type Point } from "../src/lib/maplayout";

const LINES = [
  { from: "outside", to: "cart" },
  { from: "cart", to: "stock" },
  { from: "cart", to: "payment" },
  { from: "payment", to: "cart" },
  { from: "stock", to: "stock" },
];
const KEYS = ["outside", "cart", "stock", "payment"];

function at(places: ReadonlyMap<string, Point>, key: string): Point {
  const place = places.get(key);
  assert.ok(place !== undefined, key);
  return place;
}

test("place_messagesComeInFromOutside_leadFromLeftToRight", () => {
  const places = new MapLayout().place(KEYS, LINES);
  assert.ok(at(places, "outside").x < at(places, "cart").x);
  assert.ok(at(places, "cart").x < at(places, "stock").x);
  assert.equal(at(places, "stock").x, at(places, "payment").x);
});

test("place_manyInAColumn_noneCoversAnother", () => {
  const keys = Array.from({ length: 60 }, (_, i) => `actor:${i}`);
  const places = new MapLayout().place(
    ["outside", ...keys],
    keys.map((to) => ({ from: "outside", to })),
  );
  const heights = keys.map((key) => at(places, key).y).sort((a, b) => a - b);
  for (let i = 1; i < heights.length; i++) {
    assert.ok((heights[i] ?? 0) - (heights[i - 1] ?? 0) >= 60, "rows do not touch");
  }
});

test("place_nodeComesLater_othersStay", () => {
  const layout = new MapLayout();
  const before = new Map(layout.place(KEYS, LINES));
  const after = layout.place([...KEYS, "audit"], [...LINES, { from: "cart", to: "audit" }]);
  for (const key of KEYS) {
    assert.deepEqual(after.get(key), before.get(key));
  }
  assert.equal(at(after, "audit").x, at(after, "stock").x);
});

test("place_sameNodesInAnotherOrder_haveTheSamePlaces", () => {
  const one = new MapLayout().place(KEYS, LINES);
  const other = new MapLayout().place([...KEYS].reverse(), LINES);
  assert.deepEqual(new Map(one), new Map(other));
});

test("place_circleThatNobodyWritesTo_hasAPlace", () => {
  const places = new MapLayout().place(
    ["a", "b"],
    [
      { from: "a", to: "b" },
      { from: "b", to: "a" },
    ],
  );
  assert.notDeepEqual(places.get("a"), places.get("b"));
});

test("mapHash_anyChoice_isReadBack", () => {
  const choice = { query: "pay & go", seconds: 600, open: ["a.B", "/user/carts/*"], chosen: "class:a.B > outside" };
  assert.deepEqual(parseMapHash(mapHash(choice)), choice);
  assert.equal(mapHash(), "#/map");
  assert.equal(parseMapHash("#/map?seconds=x")?.seconds, 60);
  assert.equal(parseMapHash("#/mapping"), null);
});

test("map_wrongTypes_becomeEmptyValues", () => {
  const map = answer("/api/v1/map", { edges: [{ from: 1, latest: "x" }], nodes: "none", seconds: null });
  assert.equal(map.edges.map(edgeKey)[0], " > ");
  assert.equal(map.edges[0]?.latest, null);
  assert.deepEqual(map.nodes, []);
});
