// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Opens a running page in headless Chromium, and collects what the console complains of. */
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** For a machine that does much else: what does not come by then never will. */
const PATIENCE_MILLIS = 120_000;
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(here, "../../../../dashboard/package.json"));
const { chromium } = require("playwright-core");

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
 * An empty tab; whatever it asks for elsewhere than at this address is a complaint, too.
 *
 * @param options of the tab, such as its size
 */
export async function open(url, options = {}) {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    timeout: PATIENCE_MILLIS,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
  });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE_MILLIS);
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  const { origin } = new URL(url);
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith("data:")) {
      complaints.push(`asked for ${request.url()}`);
    }
  });
  return { browser, page, complaints };
}
