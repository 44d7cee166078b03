// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Has a view ask only while somebody can see it. */
import type { Poll } from "../lib/poll";

/** Starts and stops a poll with the tab's visibility, from now on; what is returned ends both. For an effect. */
export function pollWhileVisible<T>(poll: Poll<T>): () => void {
  const run = () => (document.visibilityState === "visible" ? poll.start() : poll.stop());
  document.addEventListener("visibilitychange", run);
  run();
  return () => {
    document.removeEventListener("visibilitychange", run);
    poll.stop();
  };
}
