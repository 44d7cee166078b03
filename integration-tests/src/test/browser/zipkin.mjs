// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Makes a picture of the graph of services of a running Zipkin: node zipkin.mjs <file> <url>. */
import { open } from "./browser.mjs";

const [file, url] = process.argv.slice(2);
const { page, run } = await open(url, { viewport: { width: 1100, height: 460 } });

await run(async () => {
  await page.goto(`${url}/zipkin/dependency`);
  await page.getByRole("button", { name: "run query" }).click();
  await page.locator("canvas").first().waitFor();
  await page.waitForTimeout(3000); // the graph comes to rest
  await page.screenshot({ path: file });
});
