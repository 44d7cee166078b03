// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** All the page knows, and who wants to hear when it changes. */
import { changeSetting, fetchSettings, fetchState, fetchTraces } from "./api";
import { Colours, GREYS } from "./lib/colour";
import type { Settings, State, TraceSummary } from "./lib/contract";
import { History } from "./lib/history";
import { Poll, type Timers } from "./lib/poll";
import { parseHash, type Route } from "./lib/route";

export type Connection =
  | { readonly kind: "connecting"; readonly reason: string | null }
  | { readonly kind: "live" }
  | { readonly kind: "lost"; readonly sinceMillis: number; readonly reason: string };

export const TIMERS: Timers = {
  now: () => performance.now(),
  set: (action, millis) => window.setTimeout(action, millis),
  clear: (timer) => window.clearTimeout(timer as number),
};

const FIND_DELAY_MILLIS = 200;

export class Store {
  readonly history = new History();
  /** Of actor classes. */
  readonly colours = new Colours();
  /** Of libraries, whose spans stand among the actors' and behind them. */
  readonly greys = new Colours("grey", GREYS);
  connection: Connection = { kind: "connecting", reason: null };
  /** When this page saw the JVM come back as another one; null before. */
  restartSeenMillis: number | null = null;
  route: Route = parseHash(location.hash);
  traces: readonly TraceSummary[] | null = null;
  tracesPaused = false;
  settings: Settings | null = null;
  /** The change that was refused last, and why. */
  refused: { readonly key: string; readonly reason: string } | null = null;
  query = "";
  errorsOnly = false;

  private readonly listeners = new Set<() => void>();
  private findTimer = 0;

  private readonly statePoll = new Poll({
    request: fetchState,
    onValue: (state) => this.takeState(state),
    onFailure: (reason) => this.lose(reason),
    intervalMillis: 1000,
    timeoutMillis: 5000,
    timers: TIMERS,
  });

  private readonly tracesPoll = new Poll({
    request: (signal) => fetchTraces(this.query.trim(), this.errorsOnly, signal),
    onValue: (traces) => {
      this.traces = traces;
      this.changed();
    },
    // The state's poll tells of a server that is gone; the list shows what it had.
    onFailure: () => {},
    intervalMillis: 2000,
    timeoutMillis: 5000,
    timers: TIMERS,
  });

  private readonly settingsPoll = new Poll({
    request: fetchSettings,
    onValue: (settings) => {
      this.settings = settings;
      this.changed();
    },
    onFailure: () => {},
    intervalMillis: 2000,
    timeoutMillis: 5000,
    timers: TIMERS,
  });

  /** Follows the address and the tab's visibility from now on. */
  open(): void {
    addEventListener("hashchange", () => this.follow());
    document.addEventListener("visibilitychange", () => this.run());
    this.run();
  }

  get state(): State | null {
    return this.history.latest;
  }

  paletteOf(owner: { readonly actor: boolean }): Colours {
    return owner.actor ? this.colours : this.greys;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Changes the address without a new entry in the browser's history. */
  replaceRoute(hash: string): void {
    window.history.replaceState(null, "", hash);
    this.follow();
  }

  pauseTraces(paused: boolean): void {
    this.tracesPaused = paused;
    this.run();
    this.changed();
  }

  find(query: string): void {
    this.query = query;
    clearTimeout(this.findTimer);
    this.findTimer = window.setTimeout(() => this.tracesPoll.refresh(), FIND_DELAY_MILLIS);
    this.changed();
  }

  showErrorsOnly(errorsOnly: boolean): void {
    this.errorsOnly = errorsOnly;
    this.tracesPoll.refresh();
    this.changed();
  }

  /** Changes a setting; empty for what it would be without this page. */
  async set(key: string, value: string): Promise<void> {
    try {
      this.settings = await changeSetting(this.settings?.token ?? "", key, value);
      this.refused = null;
    } catch (error) {
      this.refused = { key, reason: error instanceof Error ? error.message : String(error) };
    }
    this.changed();
  }

  forgetRestart(): void {
    this.restartSeenMillis = null;
    this.changed();
  }

  private follow(): void {
    this.route = parseHash(location.hash);
    this.refused = null;
    this.run();
    this.changed();
  }

  /** Asks for what is on show and for nothing else. */
  private run(): void {
    const visible = document.visibilityState === "visible";
    toggle(this.statePoll, visible);
    toggle(this.settingsPoll, visible && this.route.view === "settings");
    toggle(this.tracesPoll, visible && !this.tracesPaused && this.route.view === "overview");
  }

  private takeState(state: State): void {
    if (this.history.add(state)) {
      this.restartSeenMillis = Date.now();
    }
    this.connection = { kind: "live" };
    this.changed();
  }

  private lose(reason: string): void {
    if (this.state === null) {
      this.connection = { kind: "connecting", reason };
    } else if (this.connection.kind === "lost") {
      this.connection = { ...this.connection, reason };
    } else {
      this.connection = { kind: "lost", sinceMillis: Date.now(), reason };
    }
    this.changed();
  }

  private changed(): void {
    for (const listener of this.listeners) {
      listener();
    }
  }
}

function toggle(poll: { start(): void; stop(): void }, on: boolean): void {
  if (on) {
    poll.start();
  } else {
    poll.stop();
  }
}
