// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Builds the page into one file: `node scripts/build.mjs page`. All styles and code are inside, and a policy in the
 * page itself allows just them (by their hashes) and requests to the server it came from.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
export const PAGE = join(ROOT, "target/classes/io/deimos/dashboard/index.html");

/** The work of others inside the page; their licences ask to be named with it. */
const INSIDE = ["d3-dispatch", "d3-force", "d3-quadtree", "d3-timer", "eventsource-parser", "preact", "uplot"];

export async function buildPage() {
  const [template, ours, theirs, notice] = await Promise.all([
    readFile(join(ROOT, "src/page.html"), "utf8"),
    readFile(join(ROOT, "src/style.css"), "utf8"),
    readFile(join(ROOT, "node_modules/uplot/dist/uPlot.min.css"), "utf8"),
    notices(),
  ]);
  const script = await bundle({
    entryPoints: [join(ROOT, "src/main.tsx")],
    format: "iife",
    platform: "browser",
    target: "es2022",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    jsx: "automatic",
    jsxImportSource: "preact",
  });
  const style = await minifyCss(`${theirs}\n${ours}`);
  const page = fill(template, {
    policy: `<meta http-equiv="Content-Security-Policy" content="${policy(script, style)}" />`,
    style: `<style>${style}</style>`,
    script: `<script>${script}</script>`,
  });
  await mkdir(dirname(PAGE), { recursive: true });
  await writeFile(PAGE, page.replace("<head>", `<head>\n    <!--\n${notice}\n    -->`));
  return Buffer.byteLength(page);
}

/** One script as text, fit to stand between script tags. */
export async function bundle(options) {
  const result = await build({
    ...options,
    bundle: true,
    write: false,
    legalComments: "none",
    logLevel: "warning",
    absWorkingDir: ROOT,
  });
  return result.outputFiles[0].text.trim();
}

async function minifyCss(css) {
  const result = await build({
    stdin: { contents: css, loader: "css" },
    minify: true,
    write: false,
    logLevel: "warning",
  });
  return result.outputFiles[0].text.trim();
}

function policy(script, style) {
  return [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function hash(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function fill(template, parts) {
  // The parts hold dollar signs, which a replacement text would read as patterns.
  return Object.entries(parts).reduce((page, [name, part]) => page.replace(`<!--${name}-->`, () => part), template);
}

async function notices() {
  const texts = await Promise.all(
    INSIDE.map(async (name) => {
      const folder = join(ROOT, "node_modules", name);
      const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
      const file = (await readdir(folder)).find((one) => /^licen[cs]e(\.md)?$/i.test(one));
      const licence = await readFile(join(folder, file), "utf8");
      return `${name} ${version}\n\n${licence.trim()}`;
    }),
  );
  const all = ["Deimos: Copyright the Deimos authors, Apache-2.0. This page contains:", ...texts];
  return all.join("\n\n").replaceAll("--", "- -");
}

if (process.argv[2] === "page") {
  const bytes = await buildPage();
  console.log(`page: ${(bytes / 1024).toFixed(0)} KiB`);
}
