// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Finds the culprit in the running shop by clicks alone, at most five for each question: node culprit.mjs <url>
 * [<folder for screenshots>]. Prints each answer with its number of clicks; ends with status 1 if one does not come, takes
 * more clicks, or the console complains.
 */
import { open } from "./browser.mjs";

const MOST_CLICKS = 5;
const [url, folder] = process.argv.slice(2);
const { browser, page, complaints } = await open(url);
let clicks = 0;
let status = 0;

async function click(locator) {
  clicks++;
  await locator.first().click();
}

/** From the overview, with a new count of clicks. */
async function question(name, ask) {
  clicks = 0;
  await page.goto(new URL("#/", url).href);
  await page.locator("tr.actor").first().waitFor();
  const answer = await ask();
  console.log(`${name}: ${answer} (${clicks} clicks)`);
  if (clicks > MOST_CLICKS) {
    throw new Error(`${name}: ${clicks} clicks`);
  }
  if (folder !== undefined) {
    await page.screenshot({ path: `${folder}/${name.replaceAll(" ", "-")}.png` });
  }
}

const header = (name) => page.locator("header a", { hasText: name });
const line = async (locator) => (await locator.first().innerText()).replace(/\s+/g, " ").trim();

try {
  await page.goto(url);

  await question("who floods PaymentActor", async () => {
    await click(header("map"));
    await click(page.locator(".map-node", { hasText: "PaymentActor" }));
    const from = page.locator(".map-neighbours", { hasText: "from" });
    await from.waitFor();
    return line(from.locator("button"));
  });

  await question("which actor is slow and why", async () => {
    await click(header("map"));
    await click(page.locator(".map-edges tbody button", { hasText: /→ ?PaymentActor/ }));
    // The slowest of all may be one that the page has not kept; those in the list are kept.
    await click(page.locator(".map-card a", { hasText: "all its traces" }));
    await click(page.locator(".trace-row"));
    await click(page.locator(".wf-row", { hasText: /Charge|Decided/ }));
    return line(page.locator(".detail h3"));
  });

  await question("which actor has the longest mailbox", async () => {
    await click(header("actors"));
    await click(page.locator("tr.actor-row th a"));
    await page.locator(".actor-facts").waitFor();
    return line(page.locator(".actor-path"));
  });

  await question("why did this payment time out", async () => {
    await click(header("trouble"));
    await click(page.locator(".trouble-kinds a", { hasText: "ask time-outs" }));
    await click(page.locator(".trouble-row"));
    const told = await line(page.locator(".trouble-examples li p"));
    await click(page.locator(".trouble-links a", { hasText: "trace" }));
    await page.locator(".wf-row").first().waitFor();
    return told;
  });

  for (const complaint of complaints) {
    console.error(`console: ${complaint}`);
    status = 1;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  status = 1;
} finally {
  await browser.close();
}
process.exit(status);
