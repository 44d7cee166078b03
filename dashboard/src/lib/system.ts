// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The metrics of the actor system as tables, by its parts, and the rates of its shards. */
import type { Metric, Series, System } from "./contract";

/** Metrics with the same attributes, a row for each of their values. */
export interface Table {
  readonly attributes: readonly string[];
  readonly metrics: readonly Metric[];
  readonly rows: readonly Row[];
  readonly leftOut: number;
}

export interface Row {
  readonly of: readonly string[];
  /** By metric; null where a metric has none for these values. */
  readonly cells: readonly (Series | null)[];
}

export interface Area {
  readonly title: string;
  readonly tables: readonly Table[];
}

/** Parts of an actor system by the beginning of their metrics' names; the first that fits counts. */
const AREAS: readonly (readonly [string, string])[] = [
  ["pekko.dispatcher", "Dispatchers"],
  ["pekko.scheduler", "Scheduler"],
  ["pekko.mailbox", "Mailboxes and stashes"],
  ["pekko.stash", "Mailboxes and stashes"],
  ["pekko.message", "Messages"],
  ["pekko.router", "Routers"],
  ["pekko.cluster.sharding", "Sharding"],
  ["pekko.cluster.ddata", "Distributed data"],
  ["pekko.cluster", "Cluster"],
  ["pekko.remote", "Remoting"],
  ["pekko.persistence", "Persistence"],
  ["pekko.stream", "Streams"],
  ["pekko.circuit_breaker", "Circuit breakers"],
  ["pekko.log", "Log"],
];

export function areas(metrics: readonly Metric[]): readonly Area[] {
  const byTitle = new Map<string, Map<string, Metric[]>>();
  for (const one of metrics) {
    const title = AREAS.find(([prefix]) => one.name.startsWith(prefix))?.[1] ?? "Other";
    const tables = byTitle.get(title) ?? new Map<string, Metric[]>();
    byTitle.set(title, tables);
    const key = one.attributes.join("\n");
    tables.set(key, [...(tables.get(key) ?? []), one]);
  }
  const order = [...new Set(AREAS.map(([, title]) => title)), "Other"];
  return order
    .filter((title) => byTitle.has(title))
    .map((title) => ({ title, tables: [...(byTitle.get(title) ?? new Map()).values()].map(table) }));
}

function table(metrics: readonly Metric[]): Table {
  const rows = new Map<string, { of: readonly string[]; cells: (Series | null)[] }>();
  metrics.forEach((one, i) => {
    for (const series of one.series) {
      const key = series.of.join("\n");
      const row = rows.get(key) ?? { of: series.of, cells: metrics.map(() => null) };
      row.cells[i] = series;
      rows.set(key, row);
    }
  });
  return {
    attributes: metrics[0]?.attributes ?? [],
    metrics,
    rows: [...rows.values()],
    leftOut: Math.max(0, ...metrics.map((one) => one.seriesLeftOut)),
  };
}

const SYSTEM = "pekko.system";

/** A table as it is shown: what is the same in all rows is said once, above it. */
export interface Shape {
  /** The attributes that tell its rows apart. */
  readonly columns: readonly number[];
  /** Those that all rows share. */
  readonly same: readonly number[];
}

/** Whether all metrics are of one actor system, so that none needs to name it. */
export function isOfOneSystem(metrics: readonly Metric[]): boolean {
  const systems = new Set<string>();
  for (const { attributes, series } of metrics) {
    const at = attributes.indexOf(SYSTEM);
    series.forEach(({ of }) => at >= 0 && systems.add(of[at] ?? ""));
  }
  return systems.size <= 1;
}

export function shapeOf({ attributes, rows }: Table, oneSystem: boolean): Shape {
  const columns: number[] = [];
  const same: number[] = [];
  attributes.forEach((attribute, i) => {
    const first = rows[0]?.of[i];
    if (rows.some(({ of }) => of[i] !== first)) {
      columns.push(i);
    } else if (!(oneSystem && attribute === SYSTEM)) {
      same.push(i);
    }
  });
  return { columns, same };
}

/** Whether a row says anything but that nothing happened. */
export function says({ cells }: Row): boolean {
  return cells.some((cell) => cell !== null && (cell.value !== 0 || (cell.p99Nanos ?? 0) !== 0));
}

/** The words of an attribute that its area does not say already. */
export function shortAttribute(attribute: string): string {
  const [prefix] = AREAS.find(([begin]) => attribute.startsWith(begin + ".")) ?? [];
  return attribute.slice(prefix === undefined ? "pekko.".length : prefix.length + 1).replace(/[._]/g, " ");
}

const RECEIVED = "pekko.cluster.sharding.message.received";

/** Messages a second of each shard between two readings, by the values of its attributes. */
export function shardRates(before: System, now: System): ReadonlyMap<string, number> {
  const seconds = (now.nowMillis - before.nowMillis) / 1000;
  const counts = (of: System) => of.metrics.find(({ name }) => name === RECEIVED)?.series ?? [];
  const then = new Map(counts(before).map((series) => [series.of.join("\n"), series.value]));
  const rates = new Map<string, number>();
  for (const { of, value } of counts(now)) {
    const key = of.join("\n");
    const last = then.get(key);
    if (seconds > 0 && last !== undefined && value >= last) {
      rates.set(key, (value - last) / seconds);
    }
  }
  return rates;
}

/** The busiest first; then by what was counted; what stands for the rest comes last. */
export function byRate(rows: readonly Row[], rates: ReadonlyMap<string, number>, by: number): readonly Row[] {
  const rest = (row: Row) => (row.of.includes("other") ? 1 : 0);
  const rateOf = (row: Row) => rates.get(row.of.join("\n")) ?? -1;
  return [...rows].sort(
    (a, b) => rest(a) - rest(b) || rateOf(b) - rateOf(a) || (b.cells[by]?.value ?? -1) - (a.cells[by]?.value ?? -1),
  );
}

/** The path of the actor whose children are the entities of a shard; null if the values are not of one shard. */
export function shardPath(attributes: readonly string[], of: readonly string[]): string | null {
  const [system, type, shard] = ["pekko.system", "pekko.cluster.sharding.type", "pekko.cluster.sharding.shard.id"].map(
    (attribute) => of[attributes.indexOf(attribute)],
  );
  return system === undefined || type === undefined || shard === undefined || shard === "other"
    ? null
    : shardActor(system, type, shard);
}

export function shardActor(system: string, type: string, shard: string): string {
  return `pekko://${system}/system/sharding/${encodeURIComponent(type)}/${encodeURIComponent(shard)}`;
}

/** The part of a metric's name that tells it from the others of its area. */
export function shortName(name: string): string {
  const [prefix, title] = AREAS.find(([begin]) => name.startsWith(begin + ".")) ?? [];
  const isOfSeveral = AREAS.filter(([, other]) => other === title).length > 1;
  const from = prefix === undefined ? 0 : isOfSeveral ? prefix.lastIndexOf(".") + 1 : prefix.length + 1;
  return name
    .slice(from)
    .replace(/\.count$/, "")
    .replace(/[._]/g, " ");
}
