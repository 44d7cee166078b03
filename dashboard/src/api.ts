// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The page's only requests: to `/api` of the server it came from. */
import type { Settings, State, Trace, TraceSummary } from "./lib/contract";
import { decodeSettings, decodeState, decodeTrace, decodeTraces } from "./lib/decode";

export const TRACES_LIMIT = 100;
const CHANGE_TIMEOUT_MILLIS = 5000;

export async function fetchState(signal: AbortSignal): Promise<State> {
  return decodeState(await json("api/state", signal));
}

export async function fetchTraces(
  query: string,
  errorsOnly: boolean,
  signal: AbortSignal,
): Promise<readonly TraceSummary[]> {
  const parameters = new URLSearchParams({ limit: String(TRACES_LIMIT) });
  if (errorsOnly) {
    parameters.set("errors", "true");
  }
  if (query !== "") {
    parameters.set("q", query);
  }
  return decodeTraces(await json(`api/traces?${parameters.toString()}`, signal));
}

/** The trace, or null when the store does not keep it (any more). */
export async function fetchTrace(traceId: string, signal: AbortSignal): Promise<Trace | null> {
  const response = await request(`api/traces/${encodeURIComponent(traceId)}`, { signal });
  if (response.status === 404) {
    return null;
  }
  return decodeTrace(await body(response));
}

export async function fetchSettings(signal: AbortSignal): Promise<Settings> {
  return decodeSettings(await json("api/settings", signal));
}

/**
 * Changes a setting and gives all as they are then.
 *
 * @param value empty for what it would be without this page
 */
export async function changeSetting(token: string, key: string, value: string): Promise<Settings> {
  const query = new URLSearchParams({ key, value }).toString();
  const response = await request(`api/settings?${query}`, {
    method: "POST",
    headers: { "X-Deimos-Token": token },
    signal: AbortSignal.timeout(CHANGE_TIMEOUT_MILLIS),
  });
  if (!response.ok) {
    throw new Error((await reason(response)) ?? `the server answered with status ${response.status}`);
  }
  return decodeSettings(await body(response));
}

/** Why the server refused, if it says so. */
async function reason(response: Response): Promise<string | null> {
  try {
    const said = ((await response.json()) as { error?: unknown } | null)?.error;
    return typeof said === "string" && said !== "" ? said : null;
  } catch {
    return null;
  }
}

async function json(path: string, signal: AbortSignal): Promise<unknown> {
  return body(await request(path, { signal }));
}

async function request(path: string, how: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { ...how, cache: "no-store" });
  } catch (error) {
    // Browsers name this in their own ways ("Failed to fetch", "Load failed"), none of which says what it is.
    throw error instanceof TypeError ? new Error("no connection") : error;
  }
}

async function body(response: Response): Promise<unknown> {
  if (!response.ok) {
    throw new Error(`the server answered with status ${response.status}`);
  }
  try {
    return await response.json();
  } catch (error) {
    throw error instanceof SyntaxError ? new Error("the answer was cut off or is no JSON") : error;
  }
}
