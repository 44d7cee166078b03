// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Colours, GREYS, PALETTE_SIZE } from "../src/lib/colour";
import {
  actorHash,
  actorsHash,
  ALL_ACTORS,
  ancestors,
  overviewHash,
  parseHash,
  SETTINGS_HASH,
  traceHash,
  WHOLE_LIST,
} from "../src/lib/route";
import { Typing } from "../src/lib/keys";
import { logShare, ticks } from "../src/lib/ruler";
import { tapHash, tapOfActor } from "../src/lib/tap";
import { whereHash } from "../src/lib/where";
import { Series, sparkPath } from "../src/lib/series";
import { firstRow, listHeight, scrollToShow, visibleRange } from "../src/lib/virtual";

const TRACE = "0123456789abcdef".repeat(2);

test("parseHash_trace_hasItsIdInLowerCase", () => {
  assert.deepEqual(parseHash(traceHash(TRACE.toUpperCase())), { view: "trace", traceId: TRACE, spanId: null });
  assert.deepEqual(parseHash(traceHash(TRACE, "00000000000000aa")), {
    view: "trace",
    traceId: TRACE,
    spanId: "00000000000000aa",
  });
});

test("parseHash_whereAndTap_haveWhatWasTyped", () => {
  assert.deepEqual(parseHash(whereHash(' message:Charge "cart 17" ')), {
    view: "where",
    query: 'message:Charge "cart 17"',
  });
  assert.deepEqual(parseHash(whereHash("")), { view: "where", query: "" });
  const choice = { className: "Order*", to: "/user/payments/*", count: "5", rate: "", seconds: "60" };
  assert.deepEqual(parseHash(tapHash(choice)), { view: "tap", choice });
  assert.equal(tapHash(), "#/tap");
  assert.equal(tapOfActor("pekko://shop/user/carts/cart-17"), "#/tap?to=%2Fuser%2Fcarts%2Fcart-17");
});

test("parseHash_settings_areAViewOfTheirOwn", () => {
  assert.deepEqual(parseHash(SETTINGS_HASH), { view: "settings" });
});

test("parseHash_anythingElse_isTheOverview", () => {
  for (const hash of ["", "#", "#/", "#/trace/", "#/trace/xyz", `#/trace/${TRACE}/../x`, "#/trace/<script>"]) {
    assert.deepEqual(parseHash(hash), { view: "overview", list: WHOLE_LIST }, hash);
  }
});

test("overviewHash_anyChoice_isReadBack", () => {
  const list = { query: 'duration>500ms "a b" & é', errorsOnly: true, sort: "-failed" };
  assert.deepEqual(parseHash(overviewHash(list)), { view: "overview", list });
  assert.equal(overviewHash(), "#/");
  assert.equal(overviewHash({ query: "  " }), "#/");
});

test("actorsHash_anyChoice_isReadBack", () => {
  const choice = {
    query: "cart 17 & é",
    className: "shop.Cart$Item",
    group: "/user/cart-*",
    parent: "pekko://shop/user/a%20b",
    sort: "-wait",
    pekko: true,
  };
  assert.deepEqual(parseHash(actorsHash(choice)), { view: "actors", choice });
  assert.deepEqual(parseHash(actorsHash()), { view: "actors", choice: ALL_ACTORS });
});

test("actorHash_anyPath_isReadBack", () => {
  const paths = [
    "pekko://shop/user/carts/cart-17",
    "pekko://shop/user/$a",
    "pekko://s/user/a%20b+c",
    "akka://shop/user/a",
  ];
  for (const path of paths) {
    assert.deepEqual(parseHash(actorHash(path)), { view: "actor", path });
  }
});

test("ancestors_ofAPath_leadFromTheSystemToTheActor", () => {
  assert.deepEqual(ancestors("pekko://shop/user/a"), [
    { name: "shop", path: "pekko://shop" },
    { name: "user", path: "pekko://shop/user" },
    { name: "a", path: "pekko://shop/user/a" },
  ]);
  assert.deepEqual(ancestors("akka://shop/user").at(-1), { name: "user", path: "akka://shop/user" });
});

test("firstRow_anyList_reachesBothEnds", () => {
  for (const rows of [1, 10, 1000, 300_000, 1_000_000]) {
    const way = listHeight(rows, 28) - 700;
    assert.equal(firstRow(0, 700, 28, rows), 0);
    assert.equal(firstRow(way, 700, 28, rows), Math.max(0, rows - 25), `${rows} rows, at the end`);
    assert.ok(listHeight(rows, 28) <= 8_000_000);
  }
  assert.equal(firstRow(280, 700, 28, 1000), 10);
});

test("ticks_anyRange_areRoundAndInside", () => {
  assert.deepEqual(ticks(0, 100, 5), [0, 20, 40, 60, 80, 100]);
  assert.deepEqual(ticks(3, 17, 5), [5, 10, 15]);
  assert.deepEqual(ticks(5, 5, 5), [5]);
  for (let seed = 1; seed < 200; seed++) {
    const to = seed ** 3.7;
    const found = ticks(0, to, 6);
    assert.ok(found.length >= 3 && found.length <= 8, `${to}: ${found.length}`);
    assert.ok((found.at(-1) ?? 0) <= to * 1.0000001);
  }
});

test("logShare_shortAndLong_stayInTheBar", () => {
  assert.equal(logShare(1e9, 1e9), 1);
  assert.equal(logShare(0, 1e9), 0.02);
  assert.equal(logShare(0, 0), 0.02);
  assert.ok(Math.abs(logShare(1e7, 1e10) - 0.5) < 1e-9);
});

test("series_full_losesTheOldest", () => {
  const series = new Series(2);
  series.push(1);
  series.push(null);
  series.push(3);
  assert.deepEqual(series.toArray(), [null, 3]);
});

test("sparkPath_gap_liftsThePen", () => {
  assert.equal(sparkPath([1, 2, null, 4, 4], 5, 40, 10).replace(/[^ML]/g, ""), "MLML");
  assert.equal(sparkPath([0, 0, 0], 5, 40, 10), "");
  assert.equal(sparkPath([5], 5, 40, 10), "");
});

test("colours_sameName_keepsItsColour", () => {
  const colours = new Colours();
  const first = colours.indexOf("shop.Cart");
  for (let i = 0; i < 100; i++) {
    colours.indexOf(`other${i}`);
  }
  assert.equal(colours.indexOf("shop.Cart"), first);
});

test("colours_firstTwelveNames_areAllDifferent", () => {
  const colours = new Colours();
  const used = new Set(Array.from({ length: PALETTE_SIZE }, (_, i) => colours.indexOf(`class${i}`)));
  assert.equal(used.size, PALETTE_SIZE);
});

test("visibleRange_scrolled_isWhatIsSeenAndALittleMore", () => {
  assert.deepEqual(visibleRange(0, 260, 26, 5000, 5), { from: 0, to: 15 });
  assert.deepEqual(visibleRange(2600, 260, 26, 5000, 5), { from: 95, to: 115 });
  assert.deepEqual(visibleRange(1e9, 260, 26, 50, 5), { from: 45, to: 50 });
  assert.deepEqual(visibleRange(0, 260, 26, 0), { from: 0, to: 0 });
});

test("scrollToShow_rowInView_staysWhereItIs", () => {
  assert.equal(scrollToShow(5, 0, 260, 26), 0);
  assert.equal(scrollToShow(20, 0, 260, 26), 286);
  assert.equal(scrollToShow(1, 260, 260, 26), 26);
});

test("style_textAndPalette_haveEnoughContrast", () => {
  const css = readFileSync("src/style.css", "utf8");
  const [light = "", dark = ""] = [...css.matchAll(/:root \{([^}]*)\}/g)].map((match) => match[1] ?? "");
  for (const [name, block] of [
    ["light", light],
    ["dark", dark],
  ] as const) {
    const colour = (variable: string) => new RegExp(`--${variable}: (#[0-9a-f]{6})`).exec(block)?.[1] ?? "";
    for (const ground of ["panel", "bg", "sunk"]) {
      for (const text of ["text", "dim", "bad", "odd", "good", "accent"]) {
        atLeast(4.5, colour(text), colour(ground), `${name} ${text} on ${ground}`);
      }
    }
    for (const level of ["bad", "odd", "good", "accent"]) {
      atLeast(4.5, colour(level), colour(`${level}-soft`), `${name} ${level} on its soft ground`);
    }
    for (let i = 0; i < GREYS; i++) {
      atLeast(3, colour(`grey-${i}`), colour("panel"), `${name} grey ${i}`);
    }
    for (let i = 0; i < PALETTE_SIZE; i++) {
      atLeast(3, colour(`hue-${i}`), colour("panel"), `${name} hue ${i}`);
    }
  }
});

function atLeast(ratio: number, a: string, b: string, what: string): void {
  const [x, y] = [luminance(a), luminance(b)];
  const found = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  assert.ok(found >= ratio, `${what}: ${a} on ${b} has ${found.toFixed(2)}, wanted ${ratio}`);
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((i) => {
    const value = parseInt(hex.slice(i, i + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test("typing_keysInABurst_onlyTheFirstIsAShortcut", () => {
  const typing = new Typing();
  const first = { timeStamp: 1000 };
  assert.equal(typing.goesOn(first), false);
  assert.equal(typing.goesOn({ timeStamp: 1150 }), true);
  const third = { timeStamp: 1400 };
  assert.equal(typing.goesOn(third), true, "it goes on with the one before");
  assert.equal(typing.goesOn(third), true, "whoever asks");
  assert.equal(typing.goesOn({ timeStamp: 2000 }), false);
});
