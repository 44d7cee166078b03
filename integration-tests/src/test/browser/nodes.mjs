// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Looks at a running page of several processes in headless Chromium: PAGE_URL=<url> node nodes.mjs <shown> <killed>, the
 * last two by process id. Switches between all processes and one, opens a trace that is over several, says
 * "kill it" and waits until the process is shown as gone; prints what it found, and ends with status 1 if something
 * does not come, or the console complains.
 */
import { open, url } from "./browser.mjs";

const [shown, killed] = process.argv.slice(2);
const { page, expect, run } = await open(url);
await run(async () => {
  await page.goto(url);
  const choice = page.locator("#node");
  await choice.locator("option", { hasText: /^all 3 processes$/ }).waitFor({ state: "attached" });
  await page.locator("tr.actor").first().waitFor();
  console.log("all: 3 processes");

  await choice.selectOption(await choice.locator("option", { hasText: ` ${shown}` }).getAttribute("value"));
  await page.locator("tr.actor").first().waitFor();
  console.log(`this node: ${await choice.locator("option:checked").textContent()}`);
  await choice.selectOption("");

  await page.locator(".trace-row", { hasText: /\d processes/ }).first().click();
  await page.locator(".wf-row").first().waitFor();
  const trace = page.url().match(/#\/trace\/([0-9a-f]{32})/)[1];
  const spans = await page.evaluate(async (id) => (await fetch(`api/traces/${id}`)).json(), trace);
  const nodes = new Set(spans.spans.map((span) => span.node));
  if (nodes.size < 2 || (await page.locator(".wf-row").count()) < 2) {
    throw new Error(`a trace over ${nodes.size} processes`);
  }
  console.log("trace: 2 processes or more");

  await page.goto(`${url}/#/`);
  await choice.waitFor();
  expect(/status of 503/); // of the one that is killed, until the page knows
  console.log("kill it");
  const row = page.locator("table.nodes tbody tr", { hasText: ` ${killed}` });
  await row.locator("td", { hasText: /^gone / }).waitFor();
  await choice.locator("option", { hasText: /^all 2 processes$/ }).waitFor({ state: "attached" });
  console.log(`gone: ${(await row.locator("th").textContent()).match(/\S+ \d+/)[0]}`);
});
