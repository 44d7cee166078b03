// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Which traces the list shows, and how the actors are sorted; empty for what the page does by itself. */
export interface ListChoice {
  readonly query: string;
  readonly errorsOnly: boolean;
  /** A column, with a minus before it to sort downwards. */
  readonly sort: string;
}

export const WHOLE_LIST: ListChoice = { query: "", errorsOnly: false, sort: "" };

/** What the address shows: the overview, the settings, or one trace with perhaps a span of it chosen. */
export type Route =
  | { readonly view: "overview"; readonly list: ListChoice }
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
    return { view: "overview", list: listChoice(hash) };
  }
  return {
    view: "trace",
    traceId: (match[1] ?? "").toLowerCase(),
    spanId: match[2]?.toLowerCase() ?? null,
  };
}

function listChoice(hash: string): ListChoice {
  const at = hash.indexOf("?");
  if (!hash.startsWith("#/?") || at < 0) {
    return WHOLE_LIST;
  }
  const given = new URLSearchParams(hash.slice(at + 1));
  return { query: given.get("q") ?? "", errorsOnly: given.get("errors") === "true", sort: given.get("sort") ?? "" };
}

export function overviewHash(choice: Partial<ListChoice> = {}): string {
  const { query, errorsOnly, sort } = { ...WHOLE_LIST, ...choice };
  const parameters = new URLSearchParams();
  if (query.trim() !== "") {
    parameters.set("q", query.trim());
  }
  if (errorsOnly) {
    parameters.set("errors", "true");
  }
  if (sort !== "") {
    parameters.set("sort", sort);
  }
  const text = parameters.toString();
  return text === "" ? "#/" : `#/?${text}`;
}

export function traceHash(traceId: string, spanId: string | null = null): string {
  return `#/trace/${traceId}${spanId === null ? "" : "/" + spanId}`;
}
