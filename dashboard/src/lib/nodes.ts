// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The processes on the page, and which of them is shown. */
import { answer } from "./answers";
import type { ActorClass, Asks, Failures, Histogram, MessageClass, Otlp, Process, State } from "./contract";

/** One process. */
export interface PageNode extends Process {
  /** The fate of the OTLP that came; of a page that is no application. */
  readonly otlp: Otlp | null;
}

/** One without an id is left out. */
export function readNodes(value: unknown): readonly PageNode[] {
  const { nodes, otlp } = answer("/api/v1/nodes", value);
  return nodes.filter((node) => node.id !== "").map((node) => ({ ...node, otlp: node.state === "page" ? otlp : null }));
}

/** The fate of the OTLP that came, if any did or was refused. */
export function otlpOf(nodes: readonly PageNode[]): Otlp | null {
  const otlp = nodes.find((node) => node.otlp !== null)?.otlp ?? null;
  return otlp !== null && otlp.requests + otlp.refused > 0 ? otlp : null;
}

/** All processes; the overview sums them up. */
export const ALL = "";

/** How a process is called: service and process number tell it from others of the same service. */
export function nodeName(node: PageNode): string {
  return `${node.service || "unnamed"} ${node.pid}`;
}

/** Processes whose figures can be asked for. */
export function present(nodes: readonly PageNode[]): readonly PageNode[] {
  return nodes.filter((node) => node.state === "serves" || node.state === "joined");
}

/** Processes that can be looked at: those, and the ones that are gone and of which something is kept. */
export function choosable(nodes: readonly PageNode[]): readonly PageNode[] {
  return [...present(nodes), ...nodes.filter((node) => node.state === "gone" && node.keptAtMillis > 0)];
}

/**
 * Where the requests of one process go: below its own path, unless it serves the page. A page that is no application
 * has no actors, so there "all" is the first that can be looked at.
 */
export function pathOf(nodes: readonly PageNode[], id: string): string {
  const chosen = id === ALL && nodes.some((node) => node.state === "page") ? (choosable(nodes)[0]?.id ?? ALL) : id;
  const node = nodes.find((one) => one.id === chosen);
  return chosen === ALL || node?.state === "serves" ? "" : `nodes/${chosen}/`;
}

/** Where the page has traces: those of a process that is gone are the page's. */
export function tracesPathOf(nodes: readonly PageNode[], id: string): string {
  const node = nodes.find((one) => one.id === id);
  return node?.state === "joined" ? `nodes/${id}/` : "";
}

/** One process of all: counts are summed, classes of the same name are one. The first says what else there is. */
export function sum(states: readonly [State, ...State[]]): State {
  const [first] = states;
  const hooks = states.map((state) => state.hooks);
  const rows = grouped(
    states.flatMap((state) => state.actors),
    (actor) => `${actor.class}\n${actor.system}`,
    actors,
  );
  const failures = grouped(
    states.flatMap((state) => state.failures),
    (failure) => `${failure.actorClass}\n${failure.errorType}`,
    (some): Failures => ({ ...some[0], count: add(some, (one) => one.count) }),
  );
  return {
    ...first,
    systems: [...new Set(states.flatMap((state) => state.systems))],
    startedAtMillis: Math.min(...states.map((state) => state.startedAtMillis)),
    profiling: states.some((state) => state.profiling),
    recorder: {
      ...first.recorder,
      messages: add(states, (state) => state.recorder.messages),
      spansRecorded: add(states, (state) => state.recorder.spansRecorded),
      spansExported: add(states, (state) => state.recorder.spansExported),
      spansDropped: add(states, (state) => state.recorder.spansDropped),
      tracesCut: add(states, (state) => state.recorder.tracesCut),
      faults: add(states, (state) => state.recorder.faults),
      folded: {
        actorClasses: add(states, (state) => state.recorder.folded.actorClasses),
        messagePairs: add(states, (state) => state.recorder.folded.messagePairs),
      },
    },
    hooks: hooks.find((one) => one.state === "missing") ?? hooks.find((one) => one.state === "pending") ?? first.hooks,
    problems: [...new Set(states.flatMap((state) => state.problems))],
    totals: {
      actorsLive: add(states, (state) => state.totals.actorsLive),
      deadLetters: add(states, (state) => state.totals.deadLetters),
      deadLettersSuppressed: add(states, (state) => state.totals.deadLettersSuppressed),
      unhandled: add(states, (state) => state.totals.unhandled),
      dropped: add(states, (state) => state.totals.dropped),
      stuckNow: add(states, (state) => state.totals.stuckNow),
      // Nobody knows of things without a row whether another process has the same.
      classes: Math.max(rows.length, ...states.map((state) => state.totals.classes)),
      failed: add(states, (state) => state.totals.failed),
      failures: Math.max(failures.length, ...states.map((state) => state.totals.failures)),
      errorTypes: Math.max(
        new Set(failures.map((failure) => failure.errorType)).size,
        ...states.map((state) => state.totals.errorTypes),
      ),
      processing: histogram(states.map((state) => state.totals.processing)),
      wait: histogram(states.map((state) => state.totals.wait)),
    },
    actors: rows,
    failures,
    asks: grouped(
      states.flatMap((state) => state.asks),
      (ask) => ask.class,
      (some): Asks => ({
        ...some[0],
        count: add(some, (one) => one.count),
        timeouts: add(some, (one) => one.timeouts),
        duration: histogram(some.map((one) => one.duration)),
      }),
    ),
    remote: states.flatMap((state) => state.remote),
  };
}

type Some<T> = readonly [T, ...T[]];

function actors(some: Some<ActorClass>): ActorClass {
  return {
    ...some[0],
    live: add(some, (one) => one.live),
    started: add(some, (one) => one.started),
    stopped: add(some, (one) => one.stopped),
    restarted: add(some, (one) => one.restarted),
    failed: add(some, (one) => one.failed),
    messages: grouped(
      some.flatMap((one) => one.messages),
      (message) => message.class,
      (same): MessageClass => ({
        ...same[0],
        processed: add(same, (one) => one.processed),
        failed: add(same, (one) => one.failed),
        processing: histogram(same.map((one) => one.processing)),
        wait: histogram(same.map((one) => one.wait)),
      }),
    ),
  };
}

function histogram(some: readonly Histogram[]): Histogram {
  const longest = Math.max(0, ...some.map((one) => one.buckets.length));
  return {
    count: add(some, (one) => one.count),
    sumNanos: add(some, (one) => one.sumNanos),
    buckets: Array.from({ length: longest }, (_, i) => add(some, (one) => one.buckets[i] ?? 0)),
  };
}

function add<T>(some: readonly T[], of: (one: T) => number): number {
  return some.reduce((total, one) => total + of(one), 0);
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string, join: (some: Some<T>) => T): readonly T[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group === undefined) {
      groups.set(keyOf(one), [one]);
    } else {
      group.push(one);
    }
  }
  return [...groups.values()].map(join);
}
