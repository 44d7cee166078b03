// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Has a tab with the token of a running page open in headless Chromium while somebody else takes the page's port:
 * node stranger.mjs <url with token>. Says "take the port" once the tab may change settings, and waits until it may not
 * any more, because another process serves the page.
 */
import { open } from "./browser.mjs";

const [url] = process.argv.slice(2);
const { origin } = new URL(url);
const { page, expect, run } = await open(url);
await run(async () => {
  await page.goto(url);
  await page.locator("#tile-messages, tr.actor").first().waitFor();
  await page.goto(`${origin}/#/settings`);
  await page.locator("tr.setting select").first().waitFor();
  expect(/./); // a stranger's answers make no sense, and for a while nobody answers
  console.log("take the port");
  await page.locator("#control-token").waitFor();
  console.log("needs another token");
});
