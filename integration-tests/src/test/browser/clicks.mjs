// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Does a user's task on a running page in headless Chromium: node clicks.mjs <url> <step> …
 * A step is `click:<selector>|<text>` or `see:<selector>|<text>`; the text may be left out. Prints how many clicks it
 * took; ends with status 1 if something does not come, or the console complains. CLICKS_SHOT=<file> keeps a picture.
 */
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PATIENCE_MILLIS = 30_000;
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(here, "../../../../dashboard/package.json"));
const { chromium } = require("playwright-core");
const [url, ...steps] = process.argv.slice(2);

function findChromium() {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const places = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [process.env["CHROMIUM"], ...places].find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});
let status = 0;
try {
  const [width, height] = (process.env["CLICKS_SIZE"] ?? "1440x900").split("x").map(Number);
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: process.env["CLICKS_SCHEME"] ?? "light",
  });
  context.setDefaultTimeout(PATIENCE_MILLIS);
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
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
