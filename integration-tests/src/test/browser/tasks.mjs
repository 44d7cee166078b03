// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** A user's tasks on a running page, by clicks alone. */
import { url } from "./browser.mjs";

const MAX_CLICKS = 4;

/**
 * @param folder for a picture of each answer, if there is one
 * @returns `task`, which begins at the overview, prints the answer with its number of clicks, and throws if these are
 *   too many; `click`, which counts; and ways to look
 */
export function tasksOn(page, folder) {
  let clicks = 0;
  const click = async (locator) => {
    clicks++;
    await locator.first().click();
  };
  const task = async (name, ask, most = MAX_CLICKS) => {
    clicks = 0;
    await page.goto(new URL("#/", url).href);
    await page.locator("tr.actor").first().waitFor();
    const answer = await ask();
    console.log(`${name}: ${answer} (${clicks} clicks)`);
    if (clicks > most) {
      throw new Error(`${name}: ${clicks} clicks`);
    }
    if (folder !== undefined) {
      await page.screenshot({ path: `${folder}/${name.replaceAll(" ", "-")}.png` });
    }
  };
  const header = (name) => page.locator("header a", { hasText: name });
  const line = async (locator) => (await locator.first().innerText()).replace(/\s+/g, " ").trim();
  const until = async (what, holds) => {
    const deadline = Date.now() + 120_000;
    while (!(await holds())) {
      if (Date.now() > deadline) {
        throw new Error(`did not come: ${what}`);
      }
      await page.waitForTimeout(200);
    }
  };
  /** The answer of the interface; for things that nobody has to click for. */
  const asked = (path) => page.evaluate(async (from) => (await fetch(from)).json(), path);
  return { task, click, header, line, until, asked };
}
