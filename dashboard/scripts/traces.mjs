// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Takes traces of the sample for the tests: `./demo --nodes 2`, and after a minute `node scripts/traces.mjs`, perhaps
 * with the page's address. Writes `test/traces/*.json` as the page answers, stack traces cut.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./build.mjs";

const WANTED = {
  timer: { query: 'root:"process Tick"', least: 2, most: 2 },
  checkout: { query: "message:Checkout message:GetCart message:Charge status:ok", least: 18, most: 19 },
  timeout: { query: "message:Charge event:ask_timeout", least: 8, most: 20 },
  failure: { query: "message:Charge status:error text:CardNetworkException", least: 8, most: 20 },
};
const STACK_CHARS = 200;

const page = process.argv[2] ?? "http://127.0.0.1:9797";
const directory = join(ROOT, "test/traces");
await mkdir(directory, { recursive: true });
for (const [name, { query, least, most }] of Object.entries(WANTED)) {
  const { traces } = await ask(`/api/v1/traces?limit=1000&q=${encodeURIComponent(query)}`);
  const fit = traces.filter((trace) => trace.complete && trace.spans >= least && trace.spans <= most);
  const found = fit.sort((a, b) => b.nodes - a.nodes)[0];
  if (found === undefined) {
    throw new Error(`no whole trace of ${least} to ${most} spans has ${query}`);
  }
  const trace = await ask(`/api/v1/traces/${found.traceId}`);
  for (const event of trace.spans.flatMap((span) => span.events)) {
    if ("exception.stacktrace" in event.attributes) {
      event.attributes["exception.stacktrace"] = event.attributes["exception.stacktrace"].slice(0, STACK_CHARS);
    }
  }
  await writeFile(join(directory, `${name}.json`), JSON.stringify(trace, null, 1) + "\n");
  console.log(`${name}: ${trace.spans.length} spans of ${found.nodes} processes`);
}

async function ask(path) {
  const response = await fetch(page + path);
  if (!response.ok) {
    throw new Error(`${page}${path}: ${response.status} ${await response.text()}`);
  }
  return response.json();
}
