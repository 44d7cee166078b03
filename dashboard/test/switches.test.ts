// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { answer } from "../src/lib/answers";
import { isSwitchedOff, MESSAGES_NEVER, switched } from "../src/lib/switches";

function settings(value: string) {
  return answer("/api/settings", { control: "on", settings: [{ key: MESSAGES_NEVER, value }] });
}

test("switched_offAndOn_keepsTheOthers", () => {
  const one = settings('["shop.Cart$Add"]');
  assert.equal(isSwitchedOff(one, MESSAGES_NEVER, "shop.Cart$Add"), true);
  assert.equal(isSwitchedOff(one, MESSAGES_NEVER, "shop.Cart"), false);
  assert.equal(switched(one, MESSAGES_NEVER, "shop.Tick", false), "shop.Cart$Add, shop.Tick");
  assert.equal(switched(one, MESSAGES_NEVER, "shop.Cart$Add", false), "shop.Cart$Add");
  assert.equal(switched(one, MESSAGES_NEVER, "shop.Cart$Add", true), "");
});

test("isSwitchedOff_settingsAreNotKnown_isNotKnown", () => {
  assert.equal(isSwitchedOff(null, MESSAGES_NEVER, "a.B"), null);
  assert.equal(isSwitchedOff(answer("/api/settings", { settings: [] }), MESSAGES_NEVER, "a.B"), null);
  assert.equal(isSwitchedOff(settings("[a.B"), MESSAGES_NEVER, "a.B"), false);
});
