// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The terms of a query that choose a part of the traces that are added up. */

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
