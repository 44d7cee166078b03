// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Traces added up, as `/api/v1/traces/groups` answers, and the terms of a query that choose a part of them. */
import { answer, list, number, object, text } from "./decode";

export interface Bin {
  readonly from: number;
  /** Null in the last one, which has no end. */
  readonly to: number | null;
  readonly traces: number;
  readonly trouble: number;
}

/** All traces of one name that were recorded, kept or not. */
export interface RecordedGroup {
  readonly traces: number;
  readonly trouble: number;
  /** Of how many the duration is known. */
  readonly measured: number;
  readonly p50Nanos: number;
  readonly p99Nanos: number;
}

/** All traces that the process has recorded. */
export interface Recorded {
  readonly sinceMillis: number;
  readonly traces: number;
  readonly trouble: number;
  /** Of new traces, that are looked at now. */
  readonly takenShare: number;
}

/** All kept traces of one name that match. */
export interface TraceGroup {
  readonly name: string;
  /** Null if none of this name was recorded by the process that answers. */
  readonly recorded: RecordedGroup | null;
  readonly traces: number;
  readonly trouble: number;
  readonly p50Nanos: number;
  readonly p99Nanos: number;
  readonly maxNanos: number;
  /** The id of the longest. */
  readonly slowest: string;
  readonly lastMillis: number;
}

export interface TraceGroups {
  readonly recorded: Recorded;
  readonly traces: number;
  readonly trouble: number;
  readonly groups: readonly TraceGroup[];
  readonly groupsLeftOut: number;
  /** By duration, in nanoseconds. */
  readonly durations: readonly Bin[];
  /** By when they began, in milliseconds since 1970. */
  readonly times: readonly Bin[];
  readonly notLookedAt: readonly string[];
}

export function decodeGroups(value: unknown): TraceGroups {
  const json = answer(value, "/api/v1/traces/groups");
  const all = object(json["recorded"]);
  return {
    recorded: {
      sinceMillis: number(all["sinceMillis"]),
      traces: number(all["traces"]),
      trouble: number(all["trouble"]),
      takenShare: number(all["takenShare"]),
    },
    traces: number(json["traces"]),
    trouble: number(json["trouble"]),
    groups: list(json["groups"], group),
    groupsLeftOut: number(json["groupsLeftOut"]),
    durations: list(json["durations"], (one) => bin(one, "fromNanos", "toNanos")),
    times: list(json["times"], (one) => bin(one, "fromMillis", "toMillis")),
    notLookedAt: list(json["notLookedAt"], text),
  };
}

function group(value: unknown): TraceGroup {
  const json = object(value);
  const recorded = json["recorded"];
  return {
    name: text(json["name"]),
    recorded: recorded === null || recorded === undefined ? null : recordedGroup(object(recorded)),
    traces: number(json["traces"]),
    trouble: number(json["trouble"]),
    p50Nanos: number(json["p50Nanos"]),
    p99Nanos: number(json["p99Nanos"]),
    maxNanos: number(json["maxNanos"]),
    slowest: text(json["slowest"]),
    lastMillis: number(json["lastMillis"]),
  };
}

function recordedGroup(json: Readonly<Record<string, unknown>>): RecordedGroup {
  return {
    traces: number(json["traces"]),
    trouble: number(json["trouble"]),
    measured: number(json["measured"]),
    p50Nanos: number(json["p50Nanos"]),
    p99Nanos: number(json["p99Nanos"]),
  };
}

function bin(value: unknown, from: string, to: string): Bin {
  const json = object(value);
  return {
    from: number(json[from]),
    to: typeof json[to] === "number" ? number(json[to]) : null,
    traces: number(json["traces"]),
    trouble: number(json["trouble"]),
  };
}

const TOKEN = /([a-z]+:)?"[^"]*"|\S+/gi;
const DURATION = /^(duration)?[<>]=?\d/i;
const BEGAN = /^began[<>]/i;
const ROOT = /^root:/i;

/** A query with these durations and no others. */
export function withDurations(query: string, from: number, to: number | null): string {
  const terms = [...(from > 0 ? [`duration>${exact(from)}`] : []), ...(to === null ? [] : [`duration<${exact(to)}`])];
  return joined([...without(query, DURATION), ...terms]);
}

/** A query with traces that began then, and no others. */
export function withTimes(query: string, fromMillis: number, toMillis: number): string {
  const terms = [`began>${new Date(fromMillis).toISOString()}`, `began<${new Date(toMillis).toISOString()}`];
  return joined([...without(query, BEGAN), ...terms]);
}

/** A query with traces of this name and no others; of all names for an empty one. */
export function withName(query: string, name: string): string {
  const quoted = name.replace(/"/g, " ");
  return joined([...without(query, ROOT), ...(name === "" ? [] : [`root:"${quoted}"`])]);
}

export function withoutDurations(query: string): string {
  return joined(without(query, DURATION));
}

export function withoutTimes(query: string): string {
  return joined(without(query, BEGAN));
}

export function hasDurations(query: string): boolean {
  return tokens(query).some((token) => DURATION.test(token));
}

export function hasTimes(query: string): boolean {
  return tokens(query).some((token) => BEGAN.test(token));
}

export function hasName(query: string): boolean {
  return tokens(query).some((token) => ROOT.test(token));
}

function tokens(query: string): readonly string[] {
  return query.match(TOKEN) ?? [];
}

function without(query: string, what: RegExp): readonly string[] {
  return tokens(query).filter((token) => !what.test(token));
}

function joined(terms: readonly string[]): string {
  return terms.join(" ");
}

/** To the nanosecond, in the largest unit that is not below one. */
function exact(nanos: number): string {
  const [unit, size]: readonly [string, number] = nanos >= 1e9 ? ["s", 1e9] : nanos >= 1e6 ? ["ms", 1e6] : ["us", 1e3];
  return (nanos / size).toFixed(9).replace(/\.?0+$/, "") + unit;
}
