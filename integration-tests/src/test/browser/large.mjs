// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Looks at the page of the application `large`: PAGE_URL=<url> node large.mjs <folder>. How long each view takes from an empty tab
 * until it shows what it is for, what its scripts hold then, and a picture of each in three sizes. Writes browser.json
 * into the folder.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { heap, open, url } from "./browser.mjs";
import { VIEWS } from "./views.mjs";

const [folder] = process.argv.slice(2);
const SIZES = {
  1440: { width: 1440, height: 900, colorScheme: "light" },
  400: { width: 400, height: 800, colorScheme: "dark" },
  "4k": { width: 3840, height: 2160, colorScheme: "light" },
};
const SHOWN = {
  ...VIEWS,
  "actors-found": { hash: "#/actors?q=item-123", shown: "tr.actor-row" },
  "actors-tree": { hash: "#/actors?parent=pekko%3A%2F%2Flarge%2Fuser", shown: "tr.actor-row" },
  actor: { hash: "#/actor/large/user/slow", shown: ".last-messages tbody tr" },
  where: { hash: "#/where?q=actor%3Auser%2Fslow", shown: ".where-list li" },
};
delete SHOWN.cluster; // this application is in none
const { origin } = new URL(url);
const { page, run } = await open(url);

await run(async () => {
  await mkdir(folder, { recursive: true });
  await page.goto(url); // with the token
  await page.locator("header").waitFor();
  // The tab itself looks when what is wanted is there, so that no way to this program is in the figure.
  await page.addInitScript(
    (shown) => {
      const wanted = shown[location.hash];
      const look = () =>
        document.querySelector(wanted) === null ? requestAnimationFrame(look) : (window.shownMillis = performance.now());
      wanted !== undefined && requestAnimationFrame(look);
    },
    Object.fromEntries(Object.values(SHOWN).map(({ hash, shown }) => [hash, shown])),
  );
  const views = {};
  for (const [size, { width, height, colorScheme }] of Object.entries(SIZES)) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    for (const [name, { hash }] of Object.entries(SHOWN)) {
      await page.goto("about:blank");
      await page.goto(`${origin}/${hash}`);
      await page.waitForFunction(() => window.shownMillis !== undefined);
      (views[name] ??= {})[`firstMillis-${size}`] = Math.round(await page.evaluate(() => window.shownMillis));
      await page.waitForTimeout(1500); // layouts and figures come to rest
      views[name][`heapMegabytes-${size}`] = (await heap(page)).megabytes;
      await page.screenshot({ path: join(folder, `${name}-${size}.png`) });
    }
  }
  await writeFile(join(folder, "browser.json"), JSON.stringify({ views }, null, 1));
});
