// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Places for the nodes of the map: columns from left to right, by how far a message is from where it came in, and in
 * each column a height near those it talks with. A node keeps its place as long as it is there; the same answers have
 * the same places.
 */
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceY, type SimulationNodeDatum } from "d3-force";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Line {
  readonly from: string;
  readonly to: string;
}

export const COLUMN_WIDTH = 290;
const ROW_HEIGHT = 62;
const TICKS = 200;

interface Body extends SimulationNodeDatum {
  readonly id: string;
  y: number;
}

export class MapLayout {
  private places = new Map<string, Point>();
  private shape = "";

  /** The places of these nodes; those that were there before stay where they were. */
  place(keys: readonly string[], lines: readonly Line[]): ReadonlyMap<string, Point> {
    const shape = [...keys].sort().join("\n");
    if (shape !== this.shape) {
      this.shape = shape;
      this.places = layOut([...keys].sort(), lines, this.places);
    }
    return this.places;
  }

  /** Forgets where nodes were. */
  forget(): void {
    this.places = new Map();
    this.shape = "";
  }
}

function layOut(
  keys: readonly string[],
  lines: readonly Line[],
  before: ReadonlyMap<string, Point>,
): Map<string, Point> {
  const columns = columnsOf(keys, lines);
  const taken = new Map<number, number>();
  const bodies: Body[] = keys.map((id) => {
    const known = before.get(id);
    const x = known?.x ?? (columns.get(id) ?? 0) * COLUMN_WIDTH;
    const row = taken.get(x) ?? 0;
    taken.set(x, row + 1);
    const y = known?.y ?? (row - 0.5) * ROW_HEIGHT;
    return { id, x, y, fx: x, fy: known === undefined ? null : known.y };
  });
  forceSimulation(bodies)
    .force(
      "link",
      forceLink<Body, { source: string; target: string }>(links(lines))
        .id((body) => body.id)
        .distance(COLUMN_WIDTH)
        .strength(0.15),
    )
    .force("apart", forceManyBody().strength(-120).distanceMax(COLUMN_WIDTH))
    .force("middle", forceY(0).strength(0.04))
    .force("collide", forceCollide(ROW_HEIGHT / 2).iterations(4))
    .stop()
    .tick(TICKS);
  spread(bodies);
  return new Map(bodies.map((body) => [body.id, { x: body.x ?? 0, y: Math.round(body.y) }]));
}

/** In an order that does not depend on how busy they are. */
function links(lines: readonly Line[]): { source: string; target: string }[] {
  return lines
    .filter((line) => line.from !== line.to)
    .map((line) => ({ source: line.from, target: line.to }))
    .sort((a, b) => (a.source + a.target < b.source + b.target ? -1 : 1));
}

/** Sees to it that none covers another, whatever the forces have come to; those that were there do not move. */
function spread(bodies: readonly Body[]): void {
  const fixed = bodies.filter((body) => body.fy !== null);
  const placed = [...fixed];
  const moving = bodies.filter((body) => body.fy === null).sort((a, b) => a.y - b.y || (a.id < b.id ? -1 : 1));
  for (const body of moving) {
    const column = placed.filter((other) => other.x === body.x);
    const free = (y: number) => column.every((other) => Math.abs(other.y - y) >= ROW_HEIGHT - 1);
    for (let step = 0; !free(body.y); step++) {
      // Below, above, a little further below …
      body.y += (step % 2 === 0 ? 1 : -1) * (step + 1) * (ROW_HEIGHT / 4);
    }
    placed.push(body);
  }
}

/** How many messages it takes at least to come to a node from one that nobody writes to. */
function columnsOf(keys: readonly string[], lines: readonly Line[]): Map<string, number> {
  const receivers = new Map<string, string[]>();
  const written = new Set<string>();
  for (const { from, to } of lines) {
    if (from !== to) {
      receivers.set(from, [...(receivers.get(from) ?? []), to]);
      written.add(to);
    }
  }
  const columns = new Map<string, number>();
  const visit = (start: string[]) => {
    start.forEach((key) => columns.set(key, 0));
    for (let level = start, column = 1; level.length > 0; column++) {
      const next: string[] = [];
      for (const to of level.flatMap((key) => receivers.get(key) ?? [])) {
        if (!columns.has(to)) {
          columns.set(to, column);
          next.push(to);
        }
      }
      level = next;
    }
  };
  visit(keys.filter((key) => !written.has(key)));
  // The rest goes round in circles that nobody outside writes to.
  for (const key of keys) {
    if (!columns.has(key)) {
      visit([key]);
    }
  }
  return columns;
}
