// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Runs `npm ci` when node_modules is not what package-lock.json says, and nothing when it is. The lock file's hash is
 * left in node_modules, where the next `npm ci` takes it away with the rest.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const OLDEST_NODE = 20;
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const modules = join(root, "node_modules");
const stamp = join(modules, ".deimos-lock-sha256");

const major = Number(process.versions.node.split(".")[0]);
if (major < OLDEST_NODE) {
  fail(
    `the dashboard is built with Node.js ${OLDEST_NODE} or later, but ${process.execPath} is ${process.versions.node}. Install a newer one (https://nodejs.org) and put it on the PATH.`,
  );
}

// Another platform or Node.js needs other files for the same lock.
const wanted = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .update(`${process.platform} ${process.arch} ${major}`)
  .digest("hex");
if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) {
  console.log("node_modules is up to date");
} else {
  const result = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (result.error !== undefined) {
    fail(`npm cannot be run (${result.error.message}). It comes with Node.js; on Debian: apt-get install npm.`);
  }
  if (result.status !== 0) {
    fail(`npm ci ended with status ${result.status}; what it printed above says why.`);
  }
  writeFileSync(stamp, wanted);
}

function fail(message) {
  console.error(`dashboard: ${message}`);
  process.exit(1);
}
