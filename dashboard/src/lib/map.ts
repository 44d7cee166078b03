// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The map of messages: what `/api/v1/map` answers, and what of it the address shows. */
import { answer, knownNumber, knownText, list, number, object, text } from "./decode";

export type NodeKind = "class" | "group" | "actor" | "others" | "ask" | "timer" | "stream" | "node" | "outside";

/** Somebody who sends or receives. */
export interface MapNode {
  readonly key: string;
  readonly kind: NodeKind;
  readonly name: string;
  readonly className: string | null;
  readonly pekko: boolean;
  readonly living: number | null;
  readonly ratePerSecond: number;
  /** The processor time that it takes, in cores. */
  readonly busyCores: number;
  readonly messages: number;
  readonly failures: number;
  /** Of the messages that it received, one of those that took longest. */
  readonly slowest: MapSample | null;
}

export interface MapSample {
  readonly traceId: string;
  readonly spanId: string;
  readonly atMillis: number;
  readonly waitNanos: number | null;
  readonly processingNanos: number;
}

export interface MapClass {
  readonly className: string;
  readonly messages: number;
  readonly failures: number;
  readonly waitP99Nanos: number | null;
}

/** Messages from one to another. */
export interface MapEdge {
  /** The same from one answer to the next. */
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly messages: number;
  readonly ratePerSecond: number;
  readonly failures: number;
  readonly asks: number;
  readonly waitP99Nanos: number | null;
  readonly classes: readonly MapClass[];
  readonly classesLeftOut: number;
  readonly latest: MapSample | null;
  readonly failed: MapSample | null;
  readonly slowest: MapSample | null;
}

export interface MessageMap {
  readonly seconds: number;
  readonly messages: number;
  readonly edgesLeftOut: number;
  /** What was not looked at, a sentence each. */
  readonly notLookedAt: readonly string[];
  readonly messagesLeftOut: number;
  readonly recordedShare: number | null;
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
}

/** Which part of the map is shown, what of it is open, and what is chosen; empty for all, and none. */
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
const BETWEEN = " > ";

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

export function decodeMap(value: unknown): MessageMap {
  const json = answer(value, "/api/v1/map");
  return {
    seconds: number(json["seconds"]),
    messages: number(json["messages"]),
    edgesLeftOut: number(json["edgesLeftOut"]),
    notLookedAt: list(json["notLookedAt"], text),
    messagesLeftOut: number(json["messagesLeftOut"]),
    recordedShare: knownNumber(json["recordedShare"]),
    nodes: list(json["nodes"], node),
    edges: list(json["edges"], edge),
  };
}

function node(value: unknown): MapNode {
  const json = object(value);
  return {
    key: text(json["key"]),
    kind: text(json["kind"]) as NodeKind,
    name: text(json["name"]),
    className: knownText(json["class"]),
    pekko: json["pekko"] === true,
    living: knownNumber(json["living"]),
    ratePerSecond: number(json["ratePerSecond"]),
    busyCores: number(json["busyCores"]),
    messages: number(json["messages"]),
    failures: number(json["failures"]),
    slowest: sample(json["slowest"]),
  };
}

function edge(value: unknown): MapEdge {
  const json = object(value);
  const from = text(json["from"]);
  const to = text(json["to"]);
  return {
    key: from + BETWEEN + to,
    from,
    to,
    messages: number(json["messages"]),
    ratePerSecond: number(json["ratePerSecond"]),
    failures: number(json["failures"]),
    asks: number(json["asks"]),
    waitP99Nanos: knownNumber(json["waitP99Nanos"]),
    classes: list(json["classes"], ofClass),
    classesLeftOut: number(json["classesLeftOut"]),
    latest: sample(json["latest"]),
    failed: sample(json["failed"]),
    slowest: sample(json["slowest"]),
  };
}

function ofClass(value: unknown): MapClass {
  const json = object(value);
  return {
    className: text(json["class"]),
    messages: number(json["messages"]),
    failures: number(json["failures"]),
    waitP99Nanos: knownNumber(json["waitP99Nanos"]),
  };
}

function sample(value: unknown): MapSample | null {
  if (typeof value !== "object" || value === null) {
    return null;
  }
  const json = object(value);
  return {
    traceId: text(json["traceId"]),
    spanId: text(json["spanId"]),
    atMillis: number(json["atMillis"]),
    waitNanos: knownNumber(json["waitNanos"]),
    processingNanos: number(json["processingNanos"]),
  };
}
