// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Did the split brain run two singletons? By clicks alone, at most four: PAGE_URL=<url> node splitbrain.mjs. Prints the
 * answer with its number of clicks, and who saw it.
 */
import { open, url } from "./browser.mjs";

const MAX_CLICKS = 4;
const { page, run } = await open(url);
let clicks = 0;

async function click(locator) {
  clicks++;
  await locator.first().click();
}

const line = async (locator) => (await locator.first().innerText()).replace(/\s+/g, " ").trim();

await run(async () => {
  await page.goto(url);
  await click(page.locator("header a", { hasText: "trouble" }));
  await click(page.locator(".trouble-kinds a", { hasText: "clusters" }));
  await click(page.locator(".trouble-row", { hasText: "The singleton /user/single" }));
  console.log(`did the split brain run two singletons: ${await line(page.locator(".trouble-examples li p"))}`);
  console.log(`seen by: ${await line(page.locator(".trouble-examples pre"))}`);
  await click(page.locator(".trouble-about a", { hasText: "the cluster now" }));
  await page.locator(".cluster-page .members").first().waitFor();
  console.log(`${clicks} clicks`);
  if (clicks > MAX_CLICKS) {
    throw new Error(`${clicks} clicks`);
  }
});
