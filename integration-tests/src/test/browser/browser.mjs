// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Opens a running page in headless Chromium, and collects what the console complains of. */
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SWITCHES } from "../../../../dashboard/browser-test/switches.mjs";

/** For a machine that does much else: what does not come by then never will. */
const PATIENCE_MILLIS = 120_000;
/** Chromium breaks off all requests when the machine gets an interface, as from a test beside; the page asks again. */
const NETWORK_CHANGED = /net::ERR_NETWORK_CHANGED/;
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(here, "../../../../dashboard/package.json"));
const { chromium } = require("playwright-core");

/** The address of the page. It may have a token, so it is no argument: every user of the machine can read those. */
export const url = process.env["PAGE_URL"] ?? "";

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

/**
 * An empty tab. Whatever the console says of errors, and whatever is asked for elsewhere than at this address, is a
 * complaint.
 *
 * @param options of the tab, such as its size
 * @returns the `page`; `tab`, which makes more such tabs, each in a process of its own; `expect`, with a pattern of
 *   complaints that are none; and `run`, which has a program
 *   look at them and ends the process: with status 1, and why on standard error, if the program throws or there is a
 *   complaint
 */
export async function open(url, options = {}) {
  const { origin } = new URL(url);
  const complaints = [];
  let expected = null;
  const browser = await chromium.launch({
    executablePath: findChromium(),
    timeout: PATIENCE_MILLIS,
    args: SWITCHES,
  });
  const tab = async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    context.setDefaultTimeout(PATIENCE_MILLIS);
    const page = await context.newPage();
    page.on("pageerror", (error) => complaints.push(`console: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !NETWORK_CHANGED.test(message.text())) {
        complaints.push(`console: ${message.text()}`);
      }
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(origin) && !request.url().startsWith("data:")) {
        complaints.push(`asked for ${request.url()}`);
      }
    });
    return page;
  };
  const expect = (pattern) => (expected = pattern);
  const run = async (program) => {
    try {
      await program();
    } catch (error) {
      complaints.unshift(error instanceof Error ? error.message : String(error));
    }
    await browser.close();
    const unexpected = complaints.filter((complaint) => expected === null || !expected.test(complaint));
    unexpected.forEach((complaint) => console.error(complaint));
    process.exit(unexpected.length > 0 ? 1 : 0);
  };
  return { page: await tab(), tab, expect, run };
}

/** The memory of the tab's scripts after a collection, and how many nodes its document has. */
export async function heap(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const { nodes } = await session.send("Memory.getDOMCounters");
  await session.detach();
  return { megabytes: Math.round(usedSize / 1e4) / 100, nodes };
}
