// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The server of `npm run dev`; its options show the page in other lights. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { FixtureServer } from "./server";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "9798" },
    dropped: { type: "string", default: "0" },
    missing: { type: "string", default: "" },
    problem: { type: "string", default: "" },
    classes: { type: "string", default: "0" },
    large: { type: "string", default: "0" },
  },
});
const server = new FixtureServer(resolve("target/classes/io/deimos/dashboard/index.html"));
const { knobs } = server.fixture;
knobs.spansDropped = Number(values.dropped);
knobs.missingHooks = values.missing.split(",").filter(Boolean);
knobs.problems = values.problem === "" ? [] : [values.problem];
knobs.extraClasses = Number(values.classes);
server.traces.largeSpans = Number(values.large);
const port = await server.start(Number(values.port));
console.log(`http://127.0.0.1:${port}`);
