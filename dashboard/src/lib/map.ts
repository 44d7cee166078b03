// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The map of messages: which part of it the address shows, and the keys of its edges. */
import type { MapEdge } from "./contract";

/** The part of the map that is shown, what of it is open, and what is chosen; empty for all, and none. */
export interface MapChoice {
  readonly query: string;
  readonly seconds: number;
  /** Names of classes and groups whose actors are shown one by one. */
  readonly open: readonly string[];
  /** The key of an edge or of a node. */
  readonly chosen: string;
}

export const MAP_HASH = "#/map";
export const MAP_SECONDS = 60;
export const WHOLE_MAP: MapChoice = { query: "", seconds: MAP_SECONDS, open: [], chosen: "" };

export function parseMapHash(hash: string): MapChoice | null {
  if (hash !== MAP_HASH && !hash.startsWith(MAP_HASH + "?")) {
    return null;
  }
  const given = new URLSearchParams(hash.slice(MAP_HASH.length + 1));
  const seconds = Number(given.get("seconds") ?? MAP_SECONDS);
  return {
    query: given.get("q") ?? "",
    seconds: Number.isInteger(seconds) && seconds >= 1 && seconds <= 3600 ? seconds : MAP_SECONDS,
    open: (given.get("open") ?? "").split("|").filter((name) => name !== ""),
    chosen: given.get("chosen") ?? "",
  };
}

/** The parameters of the map in the server's address; the page's has the chosen one, too. */
export function mapParameters(choice: Partial<MapChoice>): URLSearchParams {
  const { query, seconds, open } = { ...WHOLE_MAP, ...choice };
  const parameters = new URLSearchParams();
  if (query.trim() !== "") {
    parameters.set("q", query.trim());
  }
  if (seconds !== MAP_SECONDS) {
    parameters.set("seconds", String(seconds));
  }
  if (open.length > 0) {
    parameters.set("open", open.join("|"));
  }
  return parameters;
}

export function mapHash(choice: Partial<MapChoice> = {}): string {
  const parameters = mapParameters(choice);
  if (choice.chosen !== undefined && choice.chosen !== "") {
    parameters.set("chosen", choice.chosen);
  }
  const query = parameters.toString();
  return query === "" ? MAP_HASH : `${MAP_HASH}?${query}`;
}

/** The key of an edge, the same from one answer to the next. */
export function edgeKey({ from, to }: Pick<MapEdge, "from" | "to">): string {
  return `${from} > ${to}`;
}
