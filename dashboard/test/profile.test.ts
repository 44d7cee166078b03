// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { FixtureProfile } from "../dev/profile";
import {
  amount,
  causeName,
  childrenOf,
  frameName,
  isLibrary,
  layout,
  parseProfileHash,
  profileHash,
  readProfile,
  size,
} from "../src/lib/profile";

const profile = readProfile(new FixtureProfile().answer(new URLSearchParams()).body);

test("profileHash_anyChoice_isReadBackAsItWas", () => {
  const choice = {
    seconds: 300,
    kind: "dispatcher",
    actorClass: "a.B$C",
    messageClass: "d",
    span: "00f067aa0ba902b7",
    time: "lock",
  } as const;
  assert.deepEqual(parseProfileHash(profileHash(choice)), choice);
  assert.equal(profileHash(), "#/profile");
  assert.deepEqual(parseProfileHash("#/profile?seconds=0&kind=x"), {
    seconds: 60,
    kind: "message",
    actorClass: "",
    messageClass: "",
    span: "",
    time: "cpu",
  });
  assert.equal(parseProfileHash("#/profiles"), null);
});

test("readProfile_anAnswer_hasRowsAndTree", () => {
  assert.equal(profile.rows[0]?.messageClass, "shop.payment.PaymentGateway$Charge");
  assert.equal(profile.tree.total[0], 830);
  assert.equal(profile.unknown.nearest, 4);
});

test("readProfile_columnsThatDoNotFit_areNoTree", () => {
  const bad = readProfile({ state: "on", tree: { parent: [-1, 5], frame: [-1, 0], total: [1, 1], self: [0, 1] } });
  assert.deepEqual(bad.tree.parent, []);
  assert.deepEqual(layout(bad.tree, 0, 0.001), []);
});

test("layout_whole_hasChildrenWithinTheirParents", () => {
  const boxes = layout(profile.tree, 0, 0);
  assert.equal(boxes.length, profile.tree.parent.length);
  const byNode = new Map(boxes.map((box) => [box.node, box]));
  for (const box of boxes.filter(({ node }) => node > 0)) {
    const parent = byNode.get(profile.tree.parent[box.node] ?? -1);
    assert.ok(parent !== undefined && box.depth === parent.depth + 1);
    assert.ok(box.left >= parent.left - 1e-9 && box.left + box.width <= parent.left + parent.width + 1e-9);
  }
});

test("layout_chosen_hasTheWholeWidthAndThoseAbove", () => {
  const chosen = childrenOf(profile.tree)[0]?.[1] ?? -1;
  const boxes = layout(profile.tree, chosen, 0.5);
  assert.deepEqual(
    boxes.filter(({ width }) => width === 1).map(({ depth }) => depth),
    [0, 1, 2, 3],
  );
  assert.ok(boxes.every(({ width }) => width >= 0.5));
});

test("frames_names_areShortAndKnown", () => {
  assert.equal(frameName("shop.payment.Gateway.charge"), "Gateway.charge");
  assert.equal(frameName("run"), "run");
  assert.equal(isLibrary("scala.Option.map"), true);
  assert.equal(isLibrary("javafoo.A.b"), false);
});

test("amounts_ofEachKind_haveTheirUnits", () => {
  assert.equal(amount("cpu", 1), "1 sample");
  assert.equal(amount("lock", 1_500_000), "1.50 ms");
  assert.equal(amount("allocation", 3 * 2 ** 30), "3.0 GiB");
  assert.equal(size(0), "0 B");
});

test("causeName_ofALock_hasNoPackages_andOfAFileIsAsItIs", () => {
  assert.equal(causeName("lock", "lock of a.b.C$D, held by e.F with g.H"), "lock of C.D, held by F with H");
  assert.equal(causeName("io", "read /tmp/a.b.C$D"), "read /tmp/a.b.C$D");
});
