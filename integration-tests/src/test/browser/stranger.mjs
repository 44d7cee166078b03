// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Has tabs open in headless Chromium, each in a browser of its own, while somebody else has the port of a page:
 * PAGE_URL=<url with token> node stranger.mjs. The next step is said on standard output, and a line of standard input
 * says that it has happened.
 */
import { createInterface } from "node:readline";
import { open, url } from "./browser.mjs";

const { origin } = new URL(url);
const { page, tab, expect, run } = await open(url);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const ask = async (what) => {
  console.log(what);
  return (await lines.next()).value;
};
const ours = (tab) => tab.locator("#tile-messages, tr.actor").first().waitFor();

await run(async () => {
  await page.goto(url);
  await ours(page);
  await page.goto(`${origin}/#/settings`);
  await page.locator("tr.setting select").first().waitFor();
  expect(/^console: /); // a stranger's answers make no sense, and for a while nobody answers
  await ask("take the port");
  const visitor = await tab();
  await visitor.goto(origin);
  await visitor.locator("#has-worker").waitFor();

  const next = await ask("serve again"); // while the stranger keeps his connections
  const apart = await tab();
  await apart.goto(next);
  await ours(apart);

  await ask("end him");
  await page.locator("#control-token").waitFor(); // the old token is of no use
  await visitor.goto(origin); // the stranger's worker answers this
  await ours(visitor);
});
