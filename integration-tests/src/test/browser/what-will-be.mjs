// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Reads on a running page what will be, where a mailbox grows, by at most four clicks for each task:
 * PAGE_URL=<url> node what-will-be.mjs. Prints each answer with its number of clicks.
 */
import { open, url } from "./browser.mjs";
import { tasksOn } from "./tasks.mjs";

const { page, run } = await open(url);
const { task, click, header, line } = tasksOn(page, process.argv[2]);

await run(async () => {
  await page.goto(url);

  await task("which mailbox will kill us and when", async () => {
    await click(page.locator("#tile-check a"));
    await page.mouse.move(0, 0); // the list stands still under the pointer, and the finding may come later
    return line(page.locator(".finding", { hasText: "mailbox-grows" }));
  });

  await task("what will happen", async () => {
    await click(header("actors"));
    return line(page.locator(".outlook"));
  });

  await task("which mailbox was the longest of the last minute", async () => {
    await click(header("actors"));
    await click(page.locator("th button", { hasText: "Peak" }));
    await page.locator('th[aria-sort="descending"]', { hasText: "Peak" }).waitFor();
    return line(page.locator("tr.actor-row"));
  });
});
