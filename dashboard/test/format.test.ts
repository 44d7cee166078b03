// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import * as format from "../src/lib/format";

test("duration_eachUnit_hasThreeDigits", () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, "0 ns"],
    [940, "940 ns"],
    [999.6, "1.00 µs"],
    [1_234, "1.23 µs"],
    [45_600, "45.6 µs"],
    [999_700, "1.00 ms"],
    [12_340_000, "12.3 ms"],
    [999_800_000, "1.00 s"],
    [3_000_000_000, "3.00 s"],
    [61_000_000_000, "1 min 01 s"],
    [-1_500, "−1.50 µs"],
  ];
  for (const [nanos, text] of cases) {
    assert.equal(format.duration(nanos), text);
  }
});

test("roundDuration_roundValue_hasNoZeros", () => {
  assert.equal(format.roundDuration(20e6), "20 ms");
  assert.equal(format.roundDuration(100e6), "100 ms");
  assert.equal(format.roundDuration(2.5e6), "2.5 ms");
  assert.equal(format.roundDuration(1e9), "1 s");
});

test("rate_smallAndLarge_isShort", () => {
  assert.equal(format.rate(null), "–");
  assert.equal(format.rate(0), "0");
  assert.equal(format.rate(0.04), "<0.1");
  assert.equal(format.rate(3.14), "3.1");
  assert.equal(format.rate(2345.6), "2,346");
  assert.equal(format.rate(123_456), "123k");
});

test("shortCount_large_hasAUnit", () => {
  assert.equal(format.shortCount(9_999), "9,999");
  assert.equal(format.shortCount(12_345), "12.3k");
  assert.equal(format.shortCount(4_560_000), "4.56M");
  assert.equal(format.shortCount(7.8e9), "7.80G");
});

test("uptime_eachScale_hasTwoParts", () => {
  assert.equal(format.uptime(12_900), "12 s");
  assert.equal(format.uptime(249_000), "4 min 09 s");
  assert.equal(format.uptime(7_500_000), "2 h 05 min");
  assert.equal(format.uptime(273_600_000), "3 d 4 h");
  assert.equal(format.uptime(-5), "0 s");
});

test("className_nestedAndObjects_readAsInTheSource", () => {
  assert.deepEqual(format.className("shop.Cart$AddItem"), { packagePrefix: "shop.", simple: "Cart.AddItem" });
  assert.deepEqual(format.className("shop.Tick$"), { packagePrefix: "shop.", simple: "Tick" });
  assert.deepEqual(format.className("Cart"), { packagePrefix: "", simple: "Cart" });
  assert.deepEqual(format.className("a.b.Outer$Mid$$In$"), { packagePrefix: "a.b.", simple: "Outer.Mid.In" });
  assert.equal(format.className("").simple, "");
  assert.equal(format.className("$").simple, "$");
});

test("innermost_anonymous_keepsItsOuterName", () => {
  assert.equal(format.innermost("shop.Cart$AddItem"), "AddItem");
  assert.equal(format.innermost("shop.Cart$1"), "Cart.1");
});

test("quantileText_overTheLastBound_saysSo", () => {
  assert.equal(format.quantileText({ nanos: 10e9, atLeast: true }), "≥ 10.0 s");
  assert.equal(format.quantileText(null), "–");
});

test("plural_oneAndMany_differ", () => {
  assert.equal(format.plural(1, "class", "classes"), "1 class");
  assert.equal(format.plural(1200, "class", "classes"), "1,200 classes");
});
