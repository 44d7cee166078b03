// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Looks at a running page in headless Chromium: node look.mjs <url> <actor class> <span> [<screenshot file>].
 * Waits until the class stands in the table of actors, opens the latest trace with such a span, waits for its
 * waterfall, and prints what it found; with LOOK_SETTING=<key> then switches that setting off on the page; ends with status 1 if something does not come, or the console complains.
 */
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PATIENCE_MILLIS = 30_000;
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(here, "../../../../dashboard/package.json"));
const { chromium } = require("playwright-core");
const [url, actorClass, span, screenshot] = process.argv.slice(2);

function findChromium() {
  const named = process.env["CHROMIUM"];
  if (named) {
    return named;
  }
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // not there
      }
    }
  }
  throw new Error("no Chromium on the PATH; on Debian: apt-get install chromium");
}

const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});
let status = 0;
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(PATIENCE_MILLIS);
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  const origin = new URL(url).origin;
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith("data:")) {
      complaints.push(`asked for ${request.url()}`);
    }
  });
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
