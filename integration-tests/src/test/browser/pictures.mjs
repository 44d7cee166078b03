// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Makes the documentation's pictures of a running shop: PAGE_URL=<url> node pictures.mjs <folder>. Every view light and dark, and
 * in 400 pixels and 4K; docs/pictures says which of them are kept.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { open, url } from "./browser.mjs";
import { VIEWS } from "./views.mjs";

/** So that charts, sparks and the map of the last minute have something to show. */
const LEAST_UPTIME_MILLIS = 150_000;
const SIZES = {
  light: { width: 1440, height: 900, colorScheme: "light" },
  dark: { width: 1440, height: 900, colorScheme: "dark" },
  400: { width: 400, height: 800, colorScheme: "light" },
  "4k": { width: 3840, height: 2160, colorScheme: "light" },
};
const BUSIEST = { hash: "#/actors?sort=-messages", shown: "tr.actor-row" };
const [folder] = process.argv.slice(2);
const { origin } = new URL(url);
const { page, run } = await open(url);
const asked = (path) => page.evaluate(async (from) => (await fetch(from)).json(), path);

await run(async () => {
  await mkdir(folder, { recursive: true });
  await page.goto(url); // with the token
  await page.locator(VIEWS.overview.shown).first().waitFor();
  const { startedAtMillis, nowMillis } = await asked("/api/state");
  await page.waitForTimeout(Math.max(0, LEAST_UPTIME_MILLIS - (nowMillis - startedAtMillis)));
  for (const [size, { width, height, colorScheme }] of Object.entries(SIZES)) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    // A trace that is chosen too early may have made room for others.
    const chosen = { trace: await trace(), actor: await actor(), where: await where(), trouble: await trouble() };
    for (const [name, { hash, shown }] of Object.entries({ ...chosen, ...VIEWS, ...chosen, actors: BUSIEST })) {
      await page.goto(`${origin}/${hash}`);
      await page.locator(shown).first().waitFor();
      await page.waitForTimeout(name === "overview" ? 12_000 : 2500); // rates and layouts come to rest
      await page.mouse.move(0, 0);
      await page.screenshot({ path: join(folder, `${name}-${size}.png`) });
    }
  }
});

/** An order that was paid, with all its parts. */
async function trace() {
  const query = encodeURIComponent("message:Checkout message:Charge status:ok");
  let best;
  while (best === undefined) {
    const { traces } = await asked(`/api/v1/traces?limit=50&q=${query}`);
    [best] = traces.filter((one) => one.complete).sort((a, b) => b.spans - a.spans);
    await page.waitForTimeout(200);
  }
  return { hash: `#/trace/${best.traceId}`, shown: ".wf-row" };
}

async function actor() {
  const { actors } = await asked("/api/v1/actors?class=PaymentActor&limit=1");
  return { hash: `#/actor/${actors[0].path.replace("pekko://", "")}`, shown: ".last-messages tbody tr" };
}

/** With the story of one that failed. */
async function trouble() {
  const { groups } = await asked("/api/v1/trouble?kind=failure&limit=1");
  return { hash: `#/trouble?open=${groups[0].id}`, shown: ".trouble-examples li" };
}

async function where() {
  return { hash: "#/where?q=message%3ACharge", shown: ".where-list li" };
}
