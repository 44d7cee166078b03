// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { ALL, choosable, otlpOf, pathOf, present, readNodes, sum, tracesPathOf } from "../src/lib/nodes";
import { state } from "./states";

const NODES = readNodes({
  nodes: [
    { id: "a", state: "serves", service: "shop", pid: 1 },
    { id: "b", state: "joined" },
    { id: "c", state: "gone" },
    { state: "joined" },
  ],
});

test("readNodes_oddOnes_areLeftOutAndGoneOnesNotAsked", () => {
  assert.deepEqual(
    NODES.map((node) => node.id),
    ["a", "b", "c"],
  );
  assert.deepEqual(
    present(NODES).map((node) => node.id),
    ["a", "b"],
  );
});

test("pathOf_pagesOwnProcess_isWithoutADetour", () => {
  assert.equal(pathOf(NODES, ALL), "");
  assert.equal(pathOf(NODES, "a"), "");
  assert.equal(pathOf(NODES, "b"), "nodes/b/");
});

test("pathOf_pageWithoutAnApplication_isOfTheFirstProcessThatCanBeLookedAt", () => {
  const alone = readNodes({
    nodes: [
      { id: "p", state: "page" },
      { id: "s", state: "sends" },
      { id: "g", state: "gone", keptAtMillis: 5 },
      { id: "h", state: "gone", keptAtMillis: 0 },
    ],
  });
  assert.deepEqual(present(alone), []);
  assert.deepEqual(
    choosable(alone).map((node) => node.id),
    ["g"],
  );
  assert.equal(pathOf(alone, ALL), "nodes/g/");
  assert.equal(tracesPathOf(alone, "g"), "");
  assert.equal(tracesPathOf(NODES, "b"), "nodes/b/");
  assert.equal(pathOf(readNodes({ nodes: [{ id: "p", state: "page" }] }), ALL), "");
});

test("otlpOf_aPage_isWhatBecameOfWhatCame", () => {
  const page = { id: "p", state: "page" };
  assert.equal(otlpOf(readNodes({ nodes: [page], otlp: null })), null);
  assert.equal(otlpOf(readNodes({ nodes: [page], otlp: { requests: 0, refused: 0 } })), null);
  assert.equal(otlpOf(readNodes({ nodes: [{ id: "a", state: "serves" }], otlp: { refused: 1 } })), null);
  const refused = otlpOf(readNodes({ nodes: [page], otlp: { refused: 2, lastRefused: "gRPC: no", spans: 7 } }));
  assert.equal(refused?.refused, 2);
  assert.equal(refused?.lastRefused, "gRPC: no");
  assert.equal(refused?.requests, 0);
});

test("sum_sameClassInSeveralProcesses_isOneRow", () => {
  const whole = sum([state({ atSeconds: 1, processed: 3 }), state({ atSeconds: 1, processed: 4, systems: ["other"] })]);
  assert.equal(whole.recorder.messages, 7);
  assert.deepEqual(whole.systems, ["shop", "other"]);
  assert.equal(whole.actors.length, 1);
  assert.equal(whole.actors[0]?.live, 2);
  assert.deepEqual(whole.actors[0]?.messages[0]?.processing.buckets, [7, 0, 0, 0]);
});
