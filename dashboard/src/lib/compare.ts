// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Two traces side by side: what each has of the same kind, by its path of names from the top. */
import type { Tree } from "./tree";

export interface Side {
  readonly spans: number;
  /** All their durations together. */
  readonly nanos: number;
  /** All their waits in mailboxes together. */
  readonly waitNanos: number;
  readonly errors: number;
}

export interface Compared {
  readonly name: string;
  /** The names from the top, its own at the end. */
  readonly path: readonly string[];
  readonly left: Side;
  readonly right: Side;
}

interface Growing {
  readonly name: string;
  readonly path: readonly string[];
  readonly sides: [Counts, Counts];
  readonly below: Map<string, Growing>;
}

interface Counts {
  spans: number;
  nanos: number;
  waitNanos: number;
  errors: number;
}

/** One line for each path, parents before what is below them, in the order in which they come first. */
export function compare(left: Tree, right: Tree): readonly Compared[] {
  const top = growing("", []);
  [left, right].forEach((tree, side) => {
    const places = new Map<number, Growing>();
    for (const node of tree.nodes) {
      const above = node.parent === null ? top : (places.get(node.parent.index) ?? top);
      const name = node.span.name === "" ? "unnamed" : node.span.name;
      let place = above.below.get(name);
      if (place === undefined) {
        place = growing(name, [...above.path, name]);
        above.below.set(name, place);
      }
      places.set(node.index, place);
      const counts = place.sides[side === 0 ? 0 : 1];
      counts.spans++;
      counts.nanos += node.span.durationNanos;
      counts.waitNanos += node.span.waitNanos ?? 0;
      counts.errors += node.span.status === "ERROR" ? 1 : 0;
    }
  });
  const lines: Compared[] = [];
  const stack = [...top.below.values()].reverse();
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    const { name, path, sides } = place;
    lines.push({ name, path, left: sides[0], right: sides[1] });
    stack.push(...[...place.below.values()].reverse());
  }
  return lines;
}

function growing(name: string, path: readonly string[]): Growing {
  const counts = (): Counts => ({ spans: 0, nanos: 0, waitNanos: 0, errors: 0 });
  return { name, path, sides: [counts(), counts()], below: new Map() };
}
