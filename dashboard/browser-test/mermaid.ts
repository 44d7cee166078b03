// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Mermaid in one file, as its authors publish it, without the 137 packages that npm would install with it. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const VERSION = "11.12.0";
const INTEGRITY = "sha512-ZudVx73BwrMJfCFmSSJT84y6u5brEoV8DOItdHomNLz32uBjNrelm7mg95X7g+C6UoQH/W6mBLGDEDv73JdxBg==";
/** Goes with the next `npm ci`. */
const FILE = `node_modules/.mermaid-${VERSION}.min.js`;

/** The script's path; the first call fetches it by npm. */
export function mermaidScript(): string {
  if (!existsSync(FILE)) {
    const folder = mkdtempSync(join(tmpdir(), "mermaid-"));
    try {
      execFileSync("npm", ["pack", "--silent", `mermaid@${VERSION}`], { cwd: folder });
      const packed = join(folder, `mermaid-${VERSION}.tgz`);
      const found = `sha512-${createHash("sha512").update(readFileSync(packed)).digest("base64")}`;
      if (found !== INTEGRITY) {
        throw new Error(`mermaid@${VERSION} is not what it was: ${found}`);
      }
      const script = "package/dist/mermaid.min.js";
      execFileSync("tar", ["xzf", packed, "-C", folder, script]);
      writeFileSync(FILE, readFileSync(join(folder, script)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  return FILE;
}
