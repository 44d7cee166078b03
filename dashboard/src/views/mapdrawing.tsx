// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The map as boxes and curves. People who cannot see it have the table of the same edges. */
import { duration, rate } from "../lib/format";
import type { Map as MessageMap, MapEdge, MapNode } from "../lib/contract";
import { edgeKey } from "../lib/map";
import type { MapLayout, Point } from "../lib/maplayout";
import { isSlow, shortName } from "./map";

const WIDTH = 168;
const HEIGHT = 40;
const MARGIN = 24;
const MAX_LETTERS = 22;

export function Drawing(props: {
  map: MessageMap;
  layout: MapLayout;
  chosen: string;
  onChoose: (key: string) => void;
}) {
  const { map, chosen, onChoose } = props;
  const places = props.layout.place(
    map.nodes.map((node) => node.key),
    map.edges,
  );
  const all = map.nodes.map((node) => places.get(node.key) ?? { x: 0, y: 0 });
  const left = Math.min(...all.map((point) => point.x)) - WIDTH / 2 - MARGIN;
  const top = Math.min(...all.map((point) => point.y)) - HEIGHT / 2 - MARGIN * 2;
  const width = Math.max(...all.map((point) => point.x)) + WIDTH / 2 + MARGIN - left;
  const height = Math.max(...all.map((point) => point.y)) + HEIGHT / 2 + MARGIN * 2 - top;
  const touches = (edge: MapEdge) => edgeKey(edge) === chosen || edge.from === chosen || edge.to === chosen;
  const some = chosen !== "" && map.edges.some(touches);
  const near = new Set(map.edges.filter(touches).flatMap((edge) => [edge.from, edge.to]));
  // The busiest are drawn last, above the others, and are the first to have a place for their figures.
  const edges = [...map.edges].sort((a, b) => heat(a) - heat(b));
  const labels = labelPlaces([...edges].reverse(), places, all, chosen);
  return (
    <div class="map-drawing">
      <svg
        viewBox={`${left} ${top} ${width} ${height}`}
        style={{ minWidth: `${Math.round(width * 0.62)}px`, maxWidth: `${Math.round(width * 2.2)}px` }}
        role="img"
        aria-label="Senders and receivers; the table has the same"
      >
        <defs>
          {["plain", "odd", "bad"].map((mark) => (
            <marker
              key={mark}
              id={`map-end-${mark}`}
              class={`map-end ${mark}`}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path d="M0 0.5 8 4 0 7.5z" />
            </marker>
          ))}
        </defs>
        {edges.map((edge) => (
          <Curve
            key={edgeKey(edge)}
            edge={edge}
            from={places.get(edge.from)}
            to={places.get(edge.to)}
            label={labels.get(edgeKey(edge))}
            held={some && !touches(edge)}
            chosen={edgeKey(edge) === chosen}
            onChoose={onChoose}
          />
        ))}
        {map.nodes.map((node) => (
          <Box
            key={node.key}
            node={node}
            at={places.get(node.key) ?? { x: 0, y: 0 }}
            chosen={node.key === chosen}
            held={some && node.key !== chosen && !near.has(node.key)}
            onChoose={onChoose}
          />
        ))}
      </svg>
    </div>
  );
}

function heat(edge: MapEdge): number {
  return (edge.failures > 0 ? 1e9 : 0) + (isSlow(edge) ? 1e6 : 0) + (edge.ratePerSecond ?? 0);
}

function Curve(props: {
  edge: MapEdge;
  from: Point | undefined;
  to: Point | undefined;
  /** Where its figures stand; they are left out where there is no room. */
  label: Point | undefined;
  held: boolean;
  chosen: boolean;
  onChoose: (key: string) => void;
}) {
  const { edge, from, to } = props;
  if (from === undefined || to === undefined) {
    return null;
  }
  const path = pathOf(bezier(from, to));
  const mark = edge.failures > 0 ? "bad" : isSlow(edge) ? "odd" : "plain";
  const wide = 1 + Math.min(5, Math.log10(1 + (edge.ratePerSecond ?? 0)) * 1.6);
  const label = labelOf(edge);
  return (
    <g
      class={`map-edge ${mark} ${props.held ? "held" : ""} ${props.chosen ? "chosen" : ""}`}
      onClick={() => props.onChoose(edgeKey(edge))}
    >
      <title>{`${label}, ${edge.failures} failed`}</title>
      <path class="map-hit" d={path} />
      <path class="map-line" d={path} stroke-width={wide} marker-end={`url(#map-end-${mark})`} />
      {props.label !== undefined && (
        <text x={props.label.x} y={props.label.y} text-anchor="middle">
          {label}
        </text>
      )}
    </g>
  );
}

function labelOf(edge: MapEdge): string {
  return rate(edge.ratePerSecond) + "/s" + (isSlow(edge) ? ` · ${duration(edge.waitP99Nanos ?? 0)}` : "");
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const LABEL_HEIGHT = 13;
const LETTER_WIDTH = 7;
/** Along the line: in the middle if there is room. */
const LABEL_AT = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18];

/** Where the figures of edges stand: on their line, and on no box and no other figures. */
function labelPlaces(
  edges: readonly MapEdge[],
  places: ReadonlyMap<string, Point>,
  boxes: readonly Point[],
  chosen: string,
): ReadonlyMap<string, Point> {
  const taken: Rectangle[] = boxes.map(({ x, y }) => ({
    x: x - WIDTH / 2,
    y: y - HEIGHT / 2,
    width: WIDTH,
    height: HEIGHT,
  }));
  const found = new Map<string, Point>();
  for (const edge of [...edges].sort((a, b) => Number(edgeKey(b) === chosen) - Number(edgeKey(a) === chosen))) {
    const [from, to] = [places.get(edge.from), places.get(edge.to)];
    if (from === undefined || to === undefined) {
      continue;
    }
    const line = bezier(from, to);
    const width = labelOf(edge).length * LETTER_WIDTH;
    for (const at of LABEL_AT) {
      const { x, y } = pointOf(line, at);
      const own = { x: x - width / 2, y: y - LABEL_HEIGHT / 2, width, height: LABEL_HEIGHT };
      if (taken.every((other) => !overlap(own, other))) {
        taken.push(own);
        found.set(edgeKey(edge), { x, y: y + 4 });
        break;
      }
    }
  }
  return found;
}

function overlap(a: Rectangle, b: Rectangle): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** A start, two points that it bends to, and an end. */
type Bezier = readonly [Point, Point, Point, Point];

function pathOf([a, b, c, d]: Bezier): string {
  return `M${a.x} ${a.y} C${b.x} ${b.y} ${c.x} ${c.y} ${d.x} ${d.y}`;
}

function pointOf([a, b, c, d]: Bezier, t: number): Point {
  const of = (axis: "x" | "y") =>
    (1 - t) ** 3 * a[axis] + 3 * (1 - t) ** 2 * t * b[axis] + 3 * (1 - t) * t ** 2 * c[axis] + t ** 3 * d[axis];
  return { x: of("x"), y: of("y") };
}

/** To the right, from side to side; back or within a column, around. */
function bezier(from: Point, to: Point): Bezier {
  const half = WIDTH / 2;
  if (from.x === to.x && from.y === to.y) {
    const x = from.x + half;
    const y = from.y;
    return [
      { x: x - 30, y: y - HEIGHT / 2 },
      { x: x - 30, y: y - 52 },
      { x: x + 26, y: y - 44 },
      { x: x + 2, y: y - 8 },
    ];
  }
  if (to.x > from.x) {
    const x1 = from.x + half;
    const x2 = to.x - half - 2;
    const bend = Math.max(30, (x2 - x1) / 2);
    return [
      { x: x1, y: from.y },
      { x: x1 + bend, y: from.y },
      { x: x2 - bend, y: to.y },
      { x: x2, y: to.y },
    ];
  }
  if (to.x === from.x) {
    const x = from.x + half;
    const out = 34 + Math.abs(to.y - from.y) / 8;
    return [
      { x, y: from.y + 6 },
      { x: x + out, y: from.y + 6 },
      { x: x + out, y: to.y + 6 },
      { x: x + 2, y: to.y + 6 },
    ];
  }
  const below = Math.max(from.y, to.y) + HEIGHT;
  return [
    { x: from.x - half, y: from.y + 8 },
    { x: from.x - half - 60, y: below },
    { x: to.x + half + 60, y: below },
    { x: to.x + half + 2, y: to.y + 8 },
  ];
}

function Box(props: { node: MapNode; at: Point; chosen: boolean; held: boolean; onChoose: (key: string) => void }) {
  const { node, at } = props;
  const isRim = node.living === null && node.kind !== "others";
  const name = shortName(node);
  const figures = [
    ...(node.living !== null && node.kind !== "actor" ? [`${node.living} living`] : []),
    ...(node.messages > 0 ? [`${rate(node.ratePerSecond)}/s`] : []),
    ...(node.failures > 0 ? [`${node.failures} failed`] : []),
  ];
  return (
    <g
      class={`map-node ${isRim ? "rim" : ""} ${node.pekko ? "pekko" : ""} ${node.failures > 0 ? "bad" : ""} ${props.held ? "held" : ""} ${props.chosen ? "chosen" : ""}`}
      transform={`translate(${at.x - WIDTH / 2} ${at.y - HEIGHT / 2})`}
      onClick={() => props.onChoose(node.key)}
    >
      <title>{node.name}</title>
      <rect width={WIDTH} height={HEIGHT} rx={isRim ? HEIGHT / 2 : 6} />
      {!isRim && (
        <rect
          class="map-busy"
          x={0}
          y={HEIGHT - 3}
          width={WIDTH * Math.min(1, node.busyCores ?? 0)}
          height={3}
          rx={1.5}
        />
      )}
      <text class="map-node-name" x={WIDTH / 2} y={figures.length === 0 ? 24 : 17} text-anchor="middle">
        {name.length > MAX_LETTERS ? name.slice(0, MAX_LETTERS - 1) + "…" : name}
      </text>
      {figures.length > 0 && (
        <text class="map-node-note" x={WIDTH / 2} y={31} text-anchor="middle">
          {figures.join(" · ")}
        </text>
      )}
    </g>
  );
}
