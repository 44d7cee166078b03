// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Looks at a running page in headless Chromium: PAGE_URL=<url> node look.mjs <actor class> <span> [<screenshot file>].
 * Waits until the class stands in the table of actors, opens the latest trace with such a span, waits for its
 * waterfall, and prints what it found; with LOOK_SETTING=<key> then switches that setting off on the page; ends with status 1 if something does not come, or the console complains.
 */
import { open, url } from "./browser.mjs";

const [actorClass, span, screenshot] = process.argv.slice(2);
const { page, run } = await open(url);
const { origin } = new URL(url);
await run(async () => {
  await page.goto(url);
  await page.locator("tr.actor", { hasText: actorClass }).first().waitFor();
  console.log(`class: ${actorClass}`);
  await page.locator(".trace-row").first().waitFor();
  if (screenshot !== undefined) {
    await page.waitForTimeout(12_000); // so that the charts have something to show
    await page.screenshot({ path: screenshot });
  }
  await page.fill("#trace-filter", span.replace(/^(process|ask) /, ""));
  await page.locator(".trace-row").first().click();
  await page.locator(".wf-row .wf-label", { hasText: span }).first().waitFor();
  console.log(`span: ${span}`);
  console.log(`rows: ${await page.locator(".wf-row").count()}`);
  if (screenshot !== undefined) {
    await page.screenshot({ path: screenshot.replace(/\.png$/, "-trace.png") });
  }
  const setting = process.env["LOOK_SETTING"];
  if (setting) {
    // Switches a setting off, as a user would.
    await page.goto(`${origin}/#/settings`);
    const row = page.locator(`tr.setting[id="setting-${setting}"]`);
    await row.locator("select").selectOption("false");
    await row.getByText("this page").waitFor();
    console.log(`setting: ${setting}=${await row.locator("select").inputValue()}`);
  }
});
