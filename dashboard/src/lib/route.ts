// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** What the address shows: the overview, the settings, or one trace with perhaps a span of it chosen. */
export type Route =
  | { readonly view: "overview" }
  | { readonly view: "settings" }
  | { readonly view: "trace"; readonly traceId: string; readonly spanId: string | null };

const TRACE = /^#\/trace\/([0-9a-f]{32})(?:\/([0-9a-f]{16}))?$/i;

export const SETTINGS_HASH = "#/settings";

export function parseHash(hash: string): Route {
  if (hash === SETTINGS_HASH) {
    return { view: "settings" };
  }
  const match = TRACE.exec(hash);
  if (match === null) {
    return { view: "overview" };
  }
  return {
    view: "trace",
    traceId: (match[1] ?? "").toLowerCase(),
    spanId: match[2]?.toLowerCase() ?? null,
  };
}

export function traceHash(traceId: string, spanId: string | null = null): string {
  return `#/trace/${traceId}${spanId === null ? "" : "/" + spanId}`;
}
