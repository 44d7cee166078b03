// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Keeps a running page open: PAGE_URL=<url> node heap.mjs <minutes>. A tab for each of the busiest views, and one that goes
 * round all of them. Prints as JSON what each tab's scripts hold after a minute, in between and at the end, and ends with
 * status 1 if one holds over 8 MB more at the end than after the first minute.
 */
import { heap, open, url } from "./browser.mjs";
import { VIEWS } from "./views.mjs";

const MAX_MEGABYTES = 8;
const STAY_MILLIS = 3000;
const BUSIEST = ["overview", "actors", "map", "trouble"];
const ROUND = "all in turn";
const minutes = Number(process.argv[2]);
const { page, tab, run } = await open(url);

await run(async () => {
  const tabs = { [ROUND]: page };
  for (const name of BUSIEST) {
    tabs[name] = await tab();
  }
  for (const [name, one] of Object.entries(tabs)) {
    await one.goto(url); // with the token
    await show(one, VIEWS[name] ?? VIEWS.overview);
  }
  const begun = Date.now();
  const found = {};
  const measures = [1, ...Array.from({ length: Math.ceil(minutes / 5) - 1 }, (_, i) => 5 * (i + 1)), minutes];
  let rounds = 0;
  for (const minute of measures) {
    while (Date.now() < begun + minute * 60_000) {
      for (const view of Object.values(VIEWS)) {
        await show(page, view);
        await page.waitForTimeout(STAY_MILLIS);
      }
      await show(page, VIEWS.overview);
      rounds++;
    }
    for (const [name, one] of Object.entries(tabs)) {
      (found[name] ??= []).push({ minute: Math.round((Date.now() - begun) / 6000) / 10, ...(await heap(one)) });
    }
  }
  const grown = Object.fromEntries(
    Object.entries(found).map(([name, all]) => [name, round(all.at(-1).megabytes - all[0].megabytes)]),
  );
  console.log(JSON.stringify({ minutes, rounds, grownMegabytes: grown, allowedMegabytes: MAX_MEGABYTES, tabs: found }, null, 1));
  const worst = Object.entries(grown).filter(([, megabytes]) => megabytes > MAX_MEGABYTES);
  if (worst.length > 0) {
    throw new Error(`over ${MAX_MEGABYTES} MB more than after the first minute: ${worst.join("; ")}`);
  }
});

/** Without loading the page anew, which would forget all. */
async function show(one, { hash, shown }) {
  await one.evaluate((to) => (location.hash = to), hash);
  await one.locator(shown).first().waitFor();
}

function round(megabytes) {
  return Math.round(megabytes * 100) / 100;
}
