// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** `npm run dev`: builds the page, serves it with made-up figures, and builds it again when a source changes. */
import { spawn } from "node:child_process";
import { mkdirSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildPage, bundle, ROOT } from "./build.mjs";

const server = join(ROOT, "target/dev/server.mjs");
mkdirSync(join(ROOT, "target/dev"), { recursive: true });
await buildPage();
writeFileSync(
  server,
  await bundle({
    entryPoints: [join(ROOT, "dev/main.ts")],
    format: "esm",
    platform: "node",
    target: "node20",
  }),
);
const child = spawn(process.execPath, [server, ...process.argv.slice(2)], { stdio: "inherit", cwd: ROOT });
child.on("exit", (status) => process.exit(status ?? 1));
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => child.kill(signal));
}

let timer;
watch(join(ROOT, "src"), { recursive: true }, () => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    buildPage().then(
      () => console.log("page built again; reload it"),
      () => console.log("the page was not built; the one before is still served"),
    );
  }, 100);
});
