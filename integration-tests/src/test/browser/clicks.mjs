// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Does a user's task on a running page in headless Chromium: PAGE_URL=<url> node clicks.mjs <step> …
 * A step is `click:<selector>|<text>` or `see:<selector>|<text>`; the text may be left out. Prints how many clicks it
 * took; ends with status 1 if something does not come, or the console complains. CLICKS_SHOT=<file> keeps a picture.
 */
import { open, url } from "./browser.mjs";

const steps = process.argv.slice(2);
const [width, height] = (process.env["CLICKS_SIZE"] ?? "1440x900").split("x").map(Number);
const { page, run } = await open(url, {
  viewport: { width, height },
  colorScheme: process.env["CLICKS_SCHEME"] ?? "light",
});
await run(async () => {
  await page.goto(url);
  let clicks = 0;
  for (const step of steps) {
    const [, verb, selector, text] = /^(click|see):([^|]*)(?:\|(.*))?$/s.exec(step) ?? [];
    const found = page.locator(selector, text === undefined ? {} : { hasText: text }).first();
    await found.waitFor();
    if (verb === "click") {
      await found.click();
      clicks++;
    }
  }
  console.log(`clicks: ${clicks}`);
  if (process.env["CLICKS_SHOT"]) {
    await page.screenshot({ path: process.env["CLICKS_SHOT"] });
  }
});
