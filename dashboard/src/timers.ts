// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The browser's time. */
import type { Timers } from "./lib/poll";

export const TIMERS: Timers = {
  now: () => performance.now(),
  set: (action, millis) => window.setTimeout(action, millis),
  clear: (timer) => window.clearTimeout(timer as number),
};
