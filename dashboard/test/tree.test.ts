// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { buildTree, nextError, ownerOf, owners, visibleNodes } from "../src/lib/tree";
import { span, trace } from "./states";

const shape = (tree: ReturnType<typeof buildTree>) => tree.nodes.map((node) => `${node.depth}:${node.span.spanId}`);

test("buildTree_nested_isInOrderOfStart", () => {
  const tree = buildTree(
    trace(
      span("late", "root", { offsetNanos: 50 }),
      span("leaf", "early", { offsetNanos: 30 }),
      span("root", null),
      span("early", "root", { offsetNanos: 20 }),
    ),
  );
  assert.deepEqual(shape(tree), ["0:root", "1:early", "2:leaf", "1:late"]);
  assert.equal(tree.nodes[0]?.descendants, 3);
  assert.equal(tree.orphans, 0);
});

test("buildTree_parentMissing_isARootThatSaysSo", () => {
  const tree = buildTree(trace(span("root", null), span("lost", "gone"), span("below", "lost")));
  assert.deepEqual(shape(tree), ["0:root", "0:lost", "1:below"]);
  assert.deepEqual(
    tree.nodes.map((node) => node.orphan),
    [false, true, false],
  );
  assert.equal(tree.orphans, 1);
});

test("buildTree_parentsFormARing_showsEachSpanOnce", () => {
  const tree = buildTree(trace(span("a", "c"), span("b", "a"), span("c", "b"), span("self", "self")));
  assert.deepEqual(tree.nodes.map((node) => node.span.spanId).sort(), ["a", "b", "c", "self"]);
  assert.equal(tree.orphans, 0);
});

test("buildTree_spanIdTwice_showsBoth", () => {
  const tree = buildTree(trace(span("root", null), span("twin", "root"), span("twin", "root")));
  assert.deepEqual(shape(tree), ["0:root", "1:twin", "1:twin"]);
  assert.equal(new Set(tree.nodes.map((node) => node.index)).size, 3);
});

test("buildTree_chainOfThousands_needsNoStack", () => {
  const spans = Array.from({ length: 20_000 }, (_, i) => span(`s${i}`, i === 0 ? null : `s${i - 1}`));
  const tree = buildTree(trace(...spans.slice(0, 5000)));
  assert.equal(tree.nodes.at(-1)?.depth, 4999);
  const reversed = buildTree(trace(...spans.slice(0, 5000).reverse()));
  assert.equal(reversed.nodes.at(-1)?.depth, 4999);
});

test("buildTree_errorsBelow_areCountedUpwards", () => {
  const tree = buildTree(
    trace(span("root", null), span("mid", "root"), span("bad", "mid", { status: "ERROR" }), span("good", "root")),
  );
  assert.deepEqual(
    tree.nodes.map((node) => node.errors),
    [1, 1, 1, 0],
  );
});

test("buildTree_spansOutsideTheTrace_widenTheRange", () => {
  const tree = buildTree(
    trace(span("a", null, { offsetNanos: -5 }), span("b", null, { offsetNanos: 95, durationNanos: 20 })),
  );
  assert.equal(tree.fromNanos, -5);
  assert.equal(tree.toNanos, 115);
});

test("buildTree_noSpans_isEmptyWithARange", () => {
  const tree = buildTree({ ...trace(), durationNanos: 0 });
  assert.deepEqual(tree.nodes, []);
  assert.ok(tree.toNanos > tree.fromNanos);
});

test("visibleNodes_collapsed_hidesAllBelow", () => {
  const tree = buildTree(trace(span("root", null), span("mid", "root"), span("leaf", "mid"), span("other", "root")));
  const mid = tree.nodes.find((node) => node.span.spanId === "mid");
  assert.deepEqual(
    visibleNodes(tree, new Set([mid?.index ?? -1])).map((node) => node.span.spanId),
    ["root", "mid", "other"],
  );
  assert.equal(visibleNodes(tree, new Set()).length, 4);
});

test("ownerOf_actorSpan_isItsClass", () => {
  assert.deepEqual(ownerOf(span("a", null, { attributes: { "pekko.actor.class": "shop.Cart" } })), {
    name: "shop.Cart",
    actor: true,
  });
  assert.deepEqual(ownerOf(span("a", null, { attributes: { "pekko.actor.class": 7 }, scope: "lib" })), {
    name: "lib",
    actor: false,
  });
});

test("owners_severalSpans_areCountedMostFirst", () => {
  const found = owners([
    span("a", null, { scope: "x" }),
    span("b", null, { scope: "y" }),
    span("c", null, { scope: "y" }),
  ]);
  assert.deepEqual(
    found.map((owner) => [owner.name, owner.spans]),
    [
      ["y", 2],
      ["x", 1],
    ],
  );
});

test("nextError_severalWrong_goesRound", () => {
  const lost = { name: "pekko.dead_letter", offsetNanos: 1, attributes: {} };
  const tree = buildTree(
    trace(
      span("a", null),
      span("b", "a", { offsetNanos: 1, status: "ERROR" }),
      span("c", "a", { offsetNanos: 2 }),
      span("d", "a", { offsetNanos: 3, events: [lost] }),
    ),
  );
  const first = nextError(tree, null);
  assert.equal(first?.span.spanId, "b");
  const second = nextError(tree, first);
  assert.equal(second?.span.spanId, "d");
  assert.equal(nextError(tree, second)?.span.spanId, "b");
  assert.equal(nextError(buildTree(trace(span("a", null))), null), null);
});
