// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Finds and starts the browser. Without one the tests fail: what was not looked at is not known to work. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { SWITCHES } from "./switches.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: SWITCHES });
}

function findChromium(): string {
  const named = process.env["CHROMIUM"];
  if (named !== undefined && named !== "") {
    if (!runnable(named)) {
      throw new Error(`CHROMIUM=${named} is no program that can be run; set it to the browser's path or leave it out`);
    }
    return named;
  }
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    for (const name of NAMES) {
      const path = join(folder, name);
      if (runnable(path)) {
        return path;
      }
    }
  }
  throw new Error(
    "no Chromium on the PATH; on Debian: apt-get install chromium; elsewhere set CHROMIUM to the browser's path",
  );
}

function runnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
