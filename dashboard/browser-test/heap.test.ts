// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The memory of the page must not grow while it stays open. Time goes faster here: for the page sixty times, and for
 * the server sixty or five times; `integration-tests/page-heap` has half an hour of it with a running application.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { FixtureServer } from "../dev/server";
import { launch } from "./chromium";

const SPEED = 60;
/** Slower, since the history of the page grows with time, and on a busy machine hides what views leave behind. */
const SPEED_OF_VIEWS = 5;
/** In half an hour there may be 8 MB. */
const BYTES_OF_AN_UPDATE = 8e6 / 1800;
const FIRST_UPDATES = 60;
const UPDATES = 900;
const ROUNDS = 20;
const MAX_SERIES = 3;
const VIEWS: Readonly<Record<string, string>> = {
  "#/actors": "tr.actor-row",
  "#/map": ".map-node",
  "#/trouble": ".trouble-row",
  "#/traces": ".trace-group",
  "#/threads": ".thread-row",
  "#/system": ".bars .minute",
  "#/cluster": ".members",
  "#/profile": ".flame-box",
  "#/settings": "tr.setting",
  "#/": "tr.actor",
};

let browser: Browser;
let server: FixtureServer;
let page: Page;

before(async () => {
  browser = await launch();
});

after(async () => browser.close());

beforeEach(async () => {
  server = new FixtureServer("target/classes/io/deimos/dashboard/index.html");
  const port = await server.start(0);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(30_000);
  page = await context.newPage();
  // Intervals alone: what has to be answered in time has its time.
  await page.addInitScript((speed) => {
    const set = window.setTimeout.bind(window);
    window.setTimeout = ((action: () => void, millis = 0) =>
      set(action, millis > 5000 ? millis : millis / speed)) as typeof window.setTimeout;
  }, SPEED);
  server.speed = SPEED;
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.waitForSelector("tr.actor");
});

afterEach(async () => {
  await page.context().close();
  await server.stop();
});

test("overview_quarterOfAnHourOfUpdates_holdsNoMoreThanTheFirst", async () => {
  await updates(FIRST_UPDATES);
  const begun = await heapBytes();
  await updates(UPDATES);
  const grown = (await heapBytes()) - begun;
  assert.ok(grown <= UPDATES * BYTES_OF_AN_UPDATE, `${Math.round(grown / 1e3)} kB more after ${UPDATES} updates`);
});

test("views_openedAgainAndAgain_leaveNothingBehind", async () => {
  server.speed = SPEED_OF_VIEWS;
  await rounds(5);
  const begun = { bytes: await heapBytes(), nodes: await nodes() };
  const grown: number[] = [];
  // Leftovers of views grow with all rounds alike. Memory that V8 keeps for a while does not, and is up to a megabyte.
  for (let series = 1; series <= MAX_SERIES && !grown.some((bytes) => bytes <= 1.5e6); series++) {
    const before = series === 1 ? begun.bytes : await heapBytes();
    await rounds(ROUNDS);
    grown.push((await heapBytes()) - before);
  }
  const shown = grown.map((bytes) => `${Math.round(bytes / 1e3)} kB`).join(", ");
  assert.ok(Math.min(...grown) <= 1.5e6, `${shown} more after ${ROUNDS} rounds each`);
  const added = (await nodes()) - begun.nodes;
  // Lists fill as time goes on. A view of 200 nodes that stayed each time would be as many.
  const most = 200 * ROUNDS * grown.length;
  assert.ok(added <= most, `${added} nodes of documents more after ${ROUNDS * grown.length} rounds`);
});

async function updates(number: number): Promise<void> {
  const until = server.statesAsked + number;
  while (server.statesAsked < until) {
    await page.waitForTimeout(100);
  }
}

async function rounds(number: number): Promise<void> {
  for (let round = 0; round < number; round++) {
    for (const [hash, shown] of Object.entries(VIEWS)) {
      await page.evaluate((to) => (location.hash = to), hash);
      await page.locator(shown).first().waitFor(); // a handle of an element would keep it
    }
  }
}

/** The least of a few readings: between two of them, and nothing but seconds, lies up to a megabyte. */
async function heapBytes(): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  let least = Infinity;
  for (let reading = 0; reading < 5; reading++) {
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    least = Math.min(least, usedSize);
    await updates(5);
  }
  await session.detach();
  return least;
}

async function nodes(): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const { nodes: number } = await session.send("Memory.getDOMCounters");
  await session.detach();
  return number;
}
