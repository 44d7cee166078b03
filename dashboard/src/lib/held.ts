// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Lists that keep their order for a while, so that no row moves away from under a pointer. */

/**
 * The rows that were shown, in their order and with their figures of now; one that is gone stays as it was.
 *
 * @param fills whether rows that are new come at the end, up to as many as there are now
 */
export function hold<T>(
  shown: readonly T[],
  latest: readonly T[],
  keyOf: (row: T) => string,
  fills: boolean,
): readonly T[] {
  const now = new Map(latest.map((row) => [keyOf(row), row]));
  const held = shown.map((row) => now.get(keyOf(row)) ?? row);
  if (fills && held.length < latest.length) {
    const known = new Set(held.map(keyOf));
    held.push(...latest.filter((row) => !known.has(keyOf(row))).slice(0, latest.length - held.length));
  }
  return held;
}

/** How many rows are new, or have gone ahead of others, in the order of now. */
export function ahead(shown: readonly string[], latest: readonly string[]): number {
  const known = new Set(latest);
  const before = shown.filter((key) => known.has(key));
  const gone = new Set<string>();
  let at = 0;
  for (const key of latest) {
    while (gone.has(before[at] ?? "")) {
      at++;
    }
    if (key === before[at]) {
      at++;
    } else {
      gone.add(key);
    }
  }
  return gone.size;
}
