// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Opens the server's stream of updates. */
import { createParser } from "eventsource-parser";

/** A browser has six connections to a server for all its tabs; the others are for all else that is asked. */
const PLACES = ["deimos-updates-1", "deimos-updates-2", "deimos-updates-3"];

/** The data of each event, as long as there are any. Throws if there is no stream to be had. */
export async function* openUpdates(
  requests: readonly string[],
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const leave = await place();
  try {
    const asked = new URLSearchParams(requests.map((request) => ["ask", request]));
    const response = await fetch(`api/v1/updates?${asked.toString()}`, { headers, cache: "no-store", signal });
    if (!response.ok || response.body === null) {
      throw new Error(`the server answered with status ${response.status}`);
    }
    const events: string[] = [];
    const parser = createParser({ onEvent: ({ data }) => events.push(data) });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parser.feed(part.value);
      yield* events.splice(0);
    }
  } finally {
    leave();
  }
}

/** Takes one of the places that this browser has for streams; what is returned gives it back. */
async function place(): Promise<() => void> {
  for (const name of PLACES) {
    const leave = await lock(name);
    if (leave !== null) {
      return leave;
    }
  }
  throw new Error("other tabs have the streams that this browser may open");
}

function lock(name: string): Promise<(() => void) | null> {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (held) => {
        if (held === null) {
          resolve(null);
          return undefined;
        }
        return new Promise<void>((leave) => resolve(leave));
      })
      .catch(reject);
  });
}
