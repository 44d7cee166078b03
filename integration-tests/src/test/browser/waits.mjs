// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Asks by clicks alone what the thread of a slow message waits for: PAGE_URL=<url> node waits.mjs <message>. Prints the
 * answer; ends with status 1 if it does not come, takes more than four clicks, or the console complains.
 */
import { open, url } from "./browser.mjs";

const MAX_CLICKS = 4;
const [message] = process.argv.slice(2);
const { page, run } = await open(url);
let clicks = 0;

async function click(locator) {
  clicks++;
  await locator.first().click();
}

await run(async () => {
  await page.goto(url);
  await page.locator("tr.actor").first().waitFor();
  await click(page.locator("header a", { hasText: "profile" }));
  await click(page.locator(".profile-kinds button", { hasText: "all waits" }));
  await click(page.locator(".profile-row button", { hasText: new RegExp(`^${message}$`) }));
  const cause = page.locator(".profile-causes li").first();
  const answer = (await cause.innerText()).replace(/\s+/g, " ").trim();
  await page.locator(".flame-box", { hasText: answer.replace(/.* for: ([^,]*).*/, "$1") }).first().waitFor();
  console.log(`what is this thread waiting for: ${answer} (${clicks} clicks)`);
  if (clicks > MAX_CLICKS) {
    throw new Error(`${clicks} clicks`);
  }
});
