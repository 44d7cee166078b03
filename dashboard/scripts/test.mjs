// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Runs `node scripts/test.mjs unit` or `browser`: bundles the tests, then hands them to Node's own test runner. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "./build.mjs";

const kind = process.argv[2];
const from = join(ROOT, kind === "browser" ? "browser-test" : "test");
const to = join(ROOT, "target", `${kind}-tests`);
const reports = join(ROOT, "target/test-reports");
rmSync(to, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const tests = readdirSync(from).filter((file) => file.endsWith(".test.ts"));
await build({
  entryPoints: tests.map((file) => join(from, file)),
  outdir: to,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  sourcemap: "inline",
  packages: "external",
  logLevel: "warning",
});
const result = spawnSync(
  process.execPath,
  [
    "--enable-source-maps",
    "--test",
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    "--test-reporter=junit",
    `--test-reporter-destination=${join(reports, `TEST-dashboard-${kind}.xml`)}`,
    ...tests.map((file) => join(to, file.replace(/\.ts$/, ".mjs"))),
  ],
  { stdio: "inherit", cwd: ROOT },
);
process.exit(result.status ?? 1);
