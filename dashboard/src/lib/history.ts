// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Rates and quantiles from cumulative counters: keeps the last readings and compares the newest with the one that is
 * ten seconds older. Time is the server's, so a late timer in the browser changes no figure.
 */
import type { ActorClass, Asks, Histogram, MessageClass, Past, State } from "./contract";
import { EMPTY, type Quantile, quantile, subtract, sum } from "./histogram";
import { Series } from "./series";

export const WINDOW_MILLIS = 10_000;
/** A start time that is computed from the uptime is not the same each time; no JVM comes back as fast as this. */
const START_JITTER_MILLIS = 500;
export const SPARK_POINTS = 60;
/** Fifteen minutes of readings a second. */
export const CHART_POINTS = 900;

export interface Latency {
  readonly processingP50: Quantile | null;
  readonly processingP99: Quantile | null;
  readonly waitP50: Quantile | null;
  readonly waitP99: Quantile | null;
}

export interface MessageRow extends Latency {
  readonly className: string;
  readonly processed: number;
  readonly failed: number;
  readonly ratePerSecond: number | null;
}

export interface ActorRow extends Latency {
  /** Unique among the rows. */
  readonly key: string;
  readonly className: string;
  readonly system: string;
  readonly live: number;
  readonly processed: number;
  readonly failed: number;
  readonly restarted: number;
  readonly messageClasses: number;
  readonly ratePerSecond: number | null;
  readonly rates: readonly (number | null)[];
}

export interface AskRow {
  readonly className: string;
  readonly count: number;
  readonly timeouts: number;
  readonly ratePerSecond: number | null;
  readonly p50: Quantile | null;
  readonly p99: Quantile | null;
}

/** Columns for the charts, one entry for each interval; null where nothing was measured. */
export interface Chart {
  readonly seconds: readonly number[];
  readonly rate: readonly (number | null)[];
  readonly processingP50: readonly (number | null)[];
  readonly processingP99: readonly (number | null)[];
  readonly waitP50: readonly (number | null)[];
  readonly waitP99: readonly (number | null)[];
}

interface Folded {
  readonly stats: ActorClass;
  readonly processed: number;
  readonly processing: Histogram;
  readonly wait: Histogram;
}

interface Reading {
  readonly state: State;
  readonly actors: ReadonlyMap<string, Folded>;
  readonly processing: Histogram;
  readonly wait: Histogram;
}

const CHART_COLUMNS = ["rate", "processingP50", "processingP99", "waitP50", "waitP99"] as const;

export class History {
  private readings: Reading[] = [];
  private sparks = new Map<string, Series>();
  private seconds: number[] = [];
  private columns = newColumns();

  /** Adds a reading; true when it shows that the JVM was started anew, so that all before it is forgotten. */
  add(state: State): boolean {
    const reading = fold(state);
    let last = this.readings.at(-1);
    let restarted = false;
    if (last !== undefined && beganAnew(last.state, state)) {
      this.readings = [];
      this.sparks = new Map();
      this.seconds = [];
      this.columns = newColumns();
      last = undefined;
      restarted = true;
    }
    if (last !== undefined) {
      if (state.nowMillis <= last.state.nowMillis) {
        return false;
      }
      this.chart(last, reading);
      this.spark(last, reading);
    }
    this.readings.push(reading);
    this.forget(state.nowMillis);
    return restarted;
  }

  /** Puts what the agent has kept of the time before the first reading in front of the charts. */
  recall(past: Past): void {
    const first = this.seconds[0] ?? Number.POSITIVE_INFINITY;
    const older = past.seconds.map((_, i) => i).filter((i) => (past.seconds[i] ?? first) < first);
    if (older.length === 0) {
      return;
    }
    this.seconds = [...older.map((i) => past.seconds[i] ?? 0), ...this.seconds];
    for (const name of CHART_COLUMNS) {
      const series = new Series(CHART_POINTS);
      older.forEach((i) => series.push(past[name].length === past.seconds.length ? (past[name][i] ?? null) : null));
      this.columns[name].toArray().forEach((value) => series.push(value));
      this.columns[name] = series;
    }
    this.seconds = this.seconds.slice(-CHART_POINTS);
  }

  get latest(): State | null {
    return this.readings.at(-1)?.state ?? null;
  }

  /** The time the rates and quantiles are taken over; null before there are two readings. */
  get windowMillis(): number | null {
    const [base, now] = this.window();
    return base === undefined || now === undefined ? null : now.state.nowMillis - base.state.nowMillis;
  }

  messagesPerSecond(): number | null {
    return this.counterRate((state) => state.recorder.messages);
  }

  /** Added a second over the window, of any counter of the state. */
  counterRate(counter: (state: State) => number): number | null {
    const [base, now] = this.window();
    return base === undefined || now === undefined ? null : this.perSecond(counter(now.state) - counter(base.state));
  }

  actorRows(): readonly ActorRow[] {
    const [base, now] = this.window();
    if (now === undefined) {
      return [];
    }
    const rows: ActorRow[] = [];
    for (const [key, folded] of now.actors) {
      const { stats } = folded;
      const before = base?.actors.get(key);
      rows.push({
        key,
        className: stats.class,
        system: stats.system,
        live: stats.live,
        processed: folded.processed,
        failed: stats.failed,
        restarted: stats.restarted,
        messageClasses: stats.messages.length,
        ratePerSecond: base === undefined ? null : this.perSecond(folded.processed - (before?.processed ?? 0)),
        rates: this.sparks.get(key)?.toArray() ?? [],
        ...this.latency(folded, before, base !== undefined),
      });
    }
    return rows;
  }

  /** The message classes of one actor class, the busiest first. */
  messageRows(key: string): readonly MessageRow[] {
    const [base, now] = this.window();
    const before = new Map<string, MessageClass>();
    for (const message of base?.actors.get(key)?.stats.messages ?? []) {
      before.set(message.class, message);
    }
    const rows = (now?.actors.get(key)?.stats.messages ?? []).map((message): MessageRow => {
      const earlier = before.get(message.class);
      return {
        className: message.class,
        processed: message.processed,
        failed: message.failed,
        ratePerSecond: base === undefined ? null : this.perSecond(message.processed - (earlier?.processed ?? 0)),
        ...this.latency(message, earlier, base !== undefined),
      };
    });
    return rows.sort((a, b) => b.processed - a.processed || a.className.localeCompare(b.className));
  }

  askRows(): readonly AskRow[] {
    const [base, now] = this.window();
    const before = new Map<string, Asks>();
    for (const ask of base?.state.asks ?? []) {
      before.set(ask.class, ask);
    }
    const bounds = now?.state.bounds ?? [];
    const rows = (now?.state.asks ?? []).map((ask): AskRow => {
      const earlier = before.get(ask.class);
      const added = base === undefined ? EMPTY : subtract(ask.duration, earlier?.duration);
      return {
        className: ask.class,
        count: ask.count,
        timeouts: ask.timeouts,
        ratePerSecond: base === undefined ? null : this.perSecond(ask.count - (earlier?.count ?? 0)),
        p50: quantile(added, bounds, 0.5),
        p99: quantile(added, bounds, 0.99),
      };
    });
    return rows.sort((a, b) => b.count - a.count || a.className.localeCompare(b.className));
  }

  chartColumns(): Chart {
    const column = (name: (typeof CHART_COLUMNS)[number]) => this.columns[name].toArray();
    return {
      seconds: this.seconds,
      rate: column("rate"),
      processingP50: column("processingP50"),
      processingP99: column("processingP99"),
      waitP50: column("waitP50"),
      waitP99: column("waitP99"),
    };
  }

  private latency(
    now: { readonly processing: Histogram; readonly wait: Histogram },
    before: { readonly processing: Histogram; readonly wait: Histogram } | undefined,
    measured: boolean,
  ): Latency {
    const bounds = this.latest?.bounds ?? [];
    const processing = measured ? subtract(now.processing, before?.processing) : EMPTY;
    const wait = measured ? subtract(now.wait, before?.wait) : EMPTY;
    return {
      processingP50: quantile(processing, bounds, 0.5),
      processingP99: quantile(processing, bounds, 0.99),
      waitP50: quantile(wait, bounds, 0.5),
      waitP99: quantile(wait, bounds, 0.99),
    };
  }

  private perSecond(added: number): number | null {
    const millis = this.windowMillis;
    return millis === null ? null : (Math.max(0, added) * 1000) / millis;
  }

  /** The newest reading and the youngest one that is a whole window older, else the oldest there is. */
  private window(): readonly [Reading | undefined, Reading | undefined] {
    const now = this.readings.at(-1);
    const base = this.readings[0];
    return base === now ? [undefined, now] : [base, now];
  }

  /** Keeps one reading that is a window old or older, and one before the newest whatever its age. */
  private forget(nowMillis: number): void {
    // Half a second of slack: a timer that is late by a little must not make the window a second longer.
    const edge = nowMillis - WINDOW_MILLIS + 500;
    while (this.readings.length > 2 && (this.readings[1]?.state.nowMillis ?? edge) <= edge) {
      this.readings.shift();
    }
  }

  private chart(last: Reading, reading: Reading): void {
    const seconds = (reading.state.nowMillis - last.state.nowMillis) / 1000;
    if (seconds > 5) {
      // The page was hidden or cut off; a line across the time nobody looked would be made up.
      this.pushPoint(last.state.nowMillis / 1000 + 0.001, nothing());
    }
    const bounds = reading.state.bounds;
    const processing = subtract(reading.processing, last.processing);
    const wait = subtract(reading.wait, last.wait);
    this.pushPoint(reading.state.nowMillis / 1000, {
      rate: Math.max(0, reading.state.recorder.messages - last.state.recorder.messages) / seconds,
      processingP50: quantile(processing, bounds, 0.5)?.nanos ?? null,
      processingP99: quantile(processing, bounds, 0.99)?.nanos ?? null,
      waitP50: quantile(wait, bounds, 0.5)?.nanos ?? null,
      waitP99: quantile(wait, bounds, 0.99)?.nanos ?? null,
    });
  }

  private pushPoint(second: number, point: Record<(typeof CHART_COLUMNS)[number], number | null>): void {
    this.seconds.push(second);
    if (this.seconds.length > CHART_POINTS) {
      this.seconds.shift();
    }
    for (const name of CHART_COLUMNS) {
      this.columns[name].push(point[name]);
    }
  }

  private spark(last: Reading, reading: Reading): void {
    const seconds = (reading.state.nowMillis - last.state.nowMillis) / 1000;
    const sparks = new Map<string, Series>();
    for (const [key, folded] of reading.actors) {
      const series = this.sparks.get(key) ?? new Series(SPARK_POINTS);
      const added = folded.processed - (last.actors.get(key)?.processed ?? 0);
      series.push(Math.max(0, added) / seconds);
      sparks.set(key, series);
    }
    this.sparks = sparks;
  }
}

function fold(state: State): Reading {
  const actors = new Map<string, Folded>();
  for (const stats of state.actors) {
    actors.set(`${stats.system}/${stats.class}`, {
      stats,
      processed: stats.messages.reduce((n, message) => n + message.processed, 0),
      processing: sum(stats.messages.map((message) => message.processing)),
      wait: sum(stats.messages.map((message) => message.wait)),
    });
  }
  return { state, actors, processing: state.totals.processing, wait: state.totals.wait };
}

/** An answer that was overtaken by a later one has lower counters, too, and tells nothing new. */
function beganAnew(before: State, after: State): boolean {
  return (
    Math.abs(before.startedAtMillis - after.startedAtMillis) > START_JITTER_MILLIS ||
    (after.nowMillis > before.nowMillis && after.recorder.messages < before.recorder.messages)
  );
}

function newColumns(): Record<(typeof CHART_COLUMNS)[number], Series> {
  return {
    rate: new Series(CHART_POINTS),
    processingP50: new Series(CHART_POINTS),
    processingP99: new Series(CHART_POINTS),
    waitP50: new Series(CHART_POINTS),
    waitP99: new Series(CHART_POINTS),
  };
}

function nothing(): Record<(typeof CHART_COLUMNS)[number], null> {
  return {
    rate: null,
    processingP50: null,
    processingP99: null,
    waitP50: null,
    waitP99: null,
  };
}
