// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** All the page knows, and who wants to hear when it changes. */
import {
  askDump,
  askNode,
  changeSettings,
  fetchNodes,
  fetchOpenedDump,
  fetchPast,
  fetchSettings,
  fetchState,
  fetchTraces,
  Refused,
  type SettingsRequest,
  TOKEN,
} from "./api";
import { Colours, GREYS } from "./lib/colour";
import type { Settings, State, TraceSummary } from "./lib/contract";
import { Dump } from "./lib/dump";
import { OpenedTraces } from "./lib/files";
import { History } from "./lib/history";
import { Typing } from "./lib/keys";
import { Poll, reasonOf } from "./lib/poll";
import {
  type ListChoice,
  overviewHash,
  parseHash,
  type Route,
  SETTINGS_HASH,
  traceHash,
  tracesHash,
  WHOLE_LIST,
} from "./lib/route";
import { ALL, choosable, nodeName, pathOf, type PageNode, present, tracesPathOf } from "./lib/nodes";
import { TIMERS } from "./timers";

export type Connection =
  | { readonly kind: "connecting"; readonly reason: string | null }
  | { readonly kind: "live" }
  | { readonly kind: "lost"; readonly sinceMillis: number; readonly reason: string };

const FIND_DELAY_MILLIS = 200;
const PAST_TIMEOUT_MILLIS = 5000;

export class Store {
  history = new History();
  /** The view instead of a process; null for a process. */
  dump: Dump | null = null;
  /** The processes on this page; empty until they are known. */
  nodes: readonly PageNode[] = [];
  /** The id of the one that is shown, or all. */
  node = ALL;
  /** The filter of actor classes. */
  readonly colours = new Colours();
  /** The libraries, whose spans stand among the actors' and behind them. */
  readonly greys = new Colours("grey", GREYS);
  readonly opened = new OpenedTraces();
  /** Why a file could not be opened. */
  notOpened: string | null = null;
  /** The list of processes. */
  readonly nodeColours = new Colours();
  connection: Connection = { kind: "connecting", reason: null };
  /** When this page saw the JVM come back as another one; null before. */
  restartSeenMillis: number | null = null;
  route: Route = parseHash(location.hash);
  traces: readonly TraceSummary[] | null = null;
  /** The key of that list, to tell it from another. */
  tracesList = "";
  /** The traces that were not looked at, a sentence each. */
  notLookedAt: readonly string[] = [];
  tracesPaused = false;
  settings: Settings | null = null;
  /** When they came, by `performance.now()`. */
  settingsAtMillis = 0;
  /** For how long a setting that is changed here holds; empty for until it is undone. */
  changesHold = "";
  /** The change that was refused last, by its setting or preset, and why. */
  refused: { readonly key: string; readonly reason: string } | null = null;
  readonly typing = new Typing();
  /** Why the list is not what was asked for. */
  queryRefused: string | null = null;

  /** The action that goes on when this page has its token: in words, and from where it was asked for. */
  waiting: { readonly words: string; readonly from: string; readonly act: (settings: Settings) => void } | null = null;

  private lastList: "overview" | "traces" = "overview";
  /** The filters of the two views. One typed in one view is not asked for in the other. */
  private readonly lists: Record<"overview" | "traces", ListChoice> = { overview: WHOLE_LIST, traces: WHOLE_LIST };
  private readonly listeners = new Set<() => void>();
  private findTimer = 0;

  private readonly statePoll = new Poll({
    request: (signal) => fetchState(this.shownPaths(), signal),
    onValue: (state) => this.takeState(state),
    onFailure: (reason) => this.lose(reason),
    intervalMillis: 1000,
    timeoutMillis: 5000,
    timers: TIMERS,
  });

  private readonly nodesPoll = new Poll({
    request: fetchNodes,
    onValue: (nodes) => this.takeNodes(nodes),
    onFailure: () => {},
    intervalMillis: 2000,
    timeoutMillis: 5000,
    timers: TIMERS,
  });

  private readonly tracesPoll = new Poll({
    request: async (signal) => {
      const list = `${this.node} ${this.errorsOnly} ${this.query.trim()}`;
      return { list, ...(await fetchTraces(this.query.trim(), this.errorsOnly, signal)) };
    },
    onValue: ({ list, traces, notLookedAt }) => {
      this.traces = traces;
      this.tracesList = list;
      this.notLookedAt = notLookedAt;
      this.queryRefused = null;
      this.changed();
    },
    // The state's poll tells of a server that is gone; the list shows what it had.
    onFailure: (reason, error) => {
      if (error instanceof Refused) {
        this.queryRefused = reason;
        this.changed();
      }
    },
    intervalMillis: 2000,
    timeoutMillis: 5000,
    timers: TIMERS,
  });

  private readonly settingsPoll = new Poll({
    request: fetchSettings,
    onValue: (settings) => this.takeSettings(settings),
    onFailure: () => {},
    intervalMillis: 2000,
    timeoutMillis: 5000,
    timers: TIMERS,
  });

  /** Follows the address and the tab's visibility from now on. */
  open(): void {
    if (TOKEN.takeFrom(location.hash)) {
      this.replaceRoute("#/");
    }
    addEventListener("hashchange", () => this.follow());
    document.addEventListener("visibilitychange", () => this.run());
    this.choose();
    if (location.search === "?dump") {
      fetchOpenedDump()
        .then((file) => this.openDump(file))
        .catch((error: unknown) => this.lose(reasonOf(error)));
      return;
    }
    this.run();
    void this.recall();
  }

  /** Shows a dump from now on, and nothing else. */
  async openDump(file: Blob): Promise<void> {
    const dump = await Dump.read(file);
    askDump(dump);
    this.dump = dump;
    this.history = new History();
    this.traces = null;
    this.settings = null;
    this.run();
    this.statePoll.refresh();
    this.tracesPoll.refresh();
    this.settingsPoll.refresh();
    await this.recall();
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

  /** Changes the address, without a new entry in the browser's history unless it is another view's. */
  replaceRoute(hash: string): void {
    if (parseHash(hash).view === this.route.view) {
      window.history.replaceState(null, "", hash);
    } else {
      window.history.pushState(null, "", hash);
    }
    this.follow();
  }

  pauseTraces(paused: boolean): void {
    this.tracesPaused = paused;
    this.run();
    this.changed();
  }

  get query(): string {
    return this.lists[this.lastList].query;
  }

  get errorsOnly(): boolean {
    return this.lists[this.lastList].errorsOnly;
  }

  /** The column of the actors' table, with a minus to sort downwards; empty for the busiest first. */
  get sort(): string {
    return this.lists.overview.sort;
  }

  private list(change: Partial<ListChoice>): void {
    this.lists[this.lastList] = { ...this.lists[this.lastList], ...change };
  }

  find(query: string): void {
    this.list({ query });
    this.address();
    clearTimeout(this.findTimer);
    this.findTimer = window.setTimeout(() => this.tracesPoll.refresh(), FIND_DELAY_MILLIS);
    this.changed();
  }

  showErrorsOnly(errorsOnly: boolean): void {
    this.list({ errorsOnly });
    this.address();
    this.tracesPoll.refresh();
    this.changed();
  }

  sortBy(sort: string): void {
    this.list({ sort });
    this.address();
    this.changed();
  }

  /** Opens traces from a file, and shows the trace if it is only one. */
  async openFile(file: File): Promise<void> {
    try {
      const [first, ...others] = await this.opened.open(file);
      this.notOpened = null;
      if (first !== undefined && others.length === 0) {
        location.hash = traceHash(first.traceId);
      }
    } catch (error) {
      this.notOpened = `${file.name}: ${error instanceof Error ? error.message : String(error)}`;
    }
    this.changed();
  }

  closeFiles(): void {
    this.opened.forget();
    this.notOpened = null;
    this.changed();
  }

  /** The address of the overview as it is now, to go back to. */
  get overview(): string {
    return overviewHash(this.lists.overview);
  }

  /** The address of the list that was looked at last, to go back to. */
  get back(): string {
    return this.lastList === "overview" ? this.overview : this.tracesAddress();
  }

  private tracesAddress(): string {
    const { route } = this;
    const against = route.view === "traces" ? route.against : "";
    return tracesHash(this.lists.traces, against, route.view === "traces" && route.differs === true);
  }

  /** Keeps the address as the list is, so that it can be shared and come back to. */
  private address(): void {
    if (this.route.view === "overview") {
      window.history.replaceState(null, "", this.overview);
    } else if (this.route.view === "traces") {
      window.history.replaceState(null, "", this.tracesAddress());
    }
  }

  /** The charts' past; without it they begin now. */
  private async recall(): Promise<void> {
    try {
      this.history.recall(await fetchPast(AbortSignal.timeout(PAST_TIMEOUT_MILLIS)));
      this.changed();
    } catch {
      // An older agent has none; the state's poll tells of one that is gone.
    }
  }

  /** Changes a setting; empty for what it would be without this page. */
  async set(key: string, value: string): Promise<void> {
    await this.change(
      key,
      value === "" ? { key, value } : { key, value, for: this.route.view === "settings" ? this.changesHold : "" },
    );
  }

  /** Begins a preset; empty for as long as it says itself. */
  async begin(preset: string, during: string): Promise<void> {
    await this.change(preset, { preset, for: during });
  }

  /** Ends a change before its time. */
  async end(id: string): Promise<void> {
    await this.change(id, { end: id });
  }

  private async change(what: string, change: SettingsRequest): Promise<void> {
    try {
      this.takeSettings(await changeSettings(change));
      this.refused = null;
      this.statePoll.refresh();
    } catch (error) {
      this.refused = { key: what, reason: error instanceof Error ? error.message : String(error) };
    }
    this.changed();
  }

  private takeSettings(settings: Settings): void {
    this.settings = settings;
    this.settingsAtMillis = performance.now();
    const { waiting } = this;
    if (waiting !== null && settings.control === "on") {
      this.waiting = null;
      waiting.act(settings);
      location.hash = waiting.from;
    }
    this.changed();
  }

  /** Asks once; while they are on show, they are asked for again and again. */
  askSettings(): void {
    fetchSettings(AbortSignal.timeout(PAST_TIMEOUT_MILLIS))
      .then((settings) => this.takeSettings(settings))
      .catch(() => {}); // the state's poll tells of a server that is gone
  }

  /** The time for which the next changes of single settings hold. */
  hold(during: string): void {
    this.changesHold = during;
    this.changed();
  }

  /** Uses this token from now on, as if it had been in the address. */
  useToken(token: string): void {
    TOKEN.set(token);
    this.settingsPoll.refresh();
    this.changed();
  }

  /** Leads to where the token is given; with it, the act goes on, and this view is back. */
  askToken(words: string, act: (settings: Settings) => void): void {
    this.waiting = { words, from: location.hash, act };
    location.hash = SETTINGS_HASH;
  }

  forgetRestart(): void {
    this.restartSeenMillis = null;
    this.changed();
  }

  private follow(): void {
    if (TOKEN.takeFrom(location.hash)) {
      window.history.replaceState(null, "", "#/");
    }
    this.route = parseHash(location.hash);
    this.refused = null;
    if (this.route.view !== "settings") {
      this.waiting = null; // it was left without a token
    }
    this.choose();
    this.run();
    this.changed();
  }

  /** Takes over what the address says of the list. */
  private choose(): void {
    if (this.route.view !== "overview" && this.route.view !== "traces") {
      return;
    }
    const { view, list } = this.route;
    const { query, errorsOnly } = this;
    this.lastList = view;
    // A space at the end, which the address does not have, is still being typed after.
    this.lists[view] = this.query.trim() === list.query ? { ...list, query: this.query } : list;
    if (this.query.trim() !== query.trim() || this.errorsOnly !== errorsOnly) {
      this.traces = null;
      this.tracesPoll.refresh();
    }
  }

  /** Asks for what is on show and for nothing else. */
  private run(): void {
    const visible = document.visibilityState === "visible";
    toggle(this.statePoll, visible);
    toggle(this.nodesPoll, visible);
    toggle(this.settingsPoll, visible && this.route.view === "settings");
    toggle(this.tracesPoll, visible && !this.tracesPaused && this.showsTraces());
  }

  private showsTraces(): boolean {
    return this.route.view === "overview" || this.route.view === "traces";
  }

  /** Shows one process, or all. */
  show(node: string): void {
    this.node = node;
    this.ask();
    this.history = new History();
    this.restartSeenMillis = null;
    this.traces = null;
    this.settings = null;
    this.statePoll.refresh();
    this.tracesPoll.refresh();
    this.settingsPoll.refresh();
    if (node !== ALL) {
      void this.recall();
    }
    this.changed();
  }

  /** The process of a span, in words; empty where there is one only. */
  nodeOf(span: { readonly node: string | null }): string {
    const own = this.node === ALL ? this.nodes.find((one) => one.state === "serves")?.id : this.node;
    const node = this.nodes.find((one) => one.id === (span.node ?? own));
    return this.nodes.length < 2 || node === undefined ? "" : nodeName(node);
  }

  /** The ways to the processes of these spans that can be asked, and to the page's own. */
  pathsOf(spans: readonly { readonly node: string | null }[]): readonly string[] {
    const nodes = new Set(spans.map((span) => span.node));
    const joined = this.nodes.filter((one) => one.state === "joined" && nodes.has(one.id));
    return ["", ...joined.map((one) => pathOf(this.nodes, one.id))];
  }

  /** Whether what is shown is of a process that does not serve this page. */
  get isOfAnother(): boolean {
    return pathOf(this.nodes, this.node) !== "";
  }

  /** Requests from now on are for the process that is shown. */
  private ask(): void {
    askNode(pathOf(this.nodes, this.node), tracesPathOf(this.nodes, this.node), this.node);
  }

  private shownPaths(): readonly string[] {
    if (this.node !== ALL) {
      return [pathOf(this.nodes, this.node)];
    }
    const others = present(this.nodes).flatMap(otherPath);
    const isAlone = this.nodes.some((one) => one.state === "page");
    return isAlone ? (others.length > 0 ? others : [pathOf(this.nodes, ALL)]) : ["", ...others];
  }

  /** The process that is shown, if it is gone. */
  get goneNode(): PageNode | null {
    const path = pathOf(this.nodes, this.node);
    return this.nodes.find((one) => one.state === "gone" && path === `nodes/${one.id}/`) ?? null;
  }

  private takeNodes(nodes: readonly PageNode[]): void {
    const before = Math.max(1, present(this.nodes).length);
    this.nodes = nodes;
    if (this.node !== ALL && !choosable(nodes).some((one) => one.id === this.node)) {
      this.show(ALL);
    } else if (this.node === ALL && before !== Math.max(1, present(nodes).length)) {
      this.history = new History(); // sums of other processes are other figures
      this.statePoll.refresh();
    } else {
      this.ask();
    }
    this.changed();
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

function otherPath(node: PageNode): readonly string[] {
  return node.state === "serves" ? [] : [`nodes/${node.id}/`];
}

function toggle(poll: { start(): void; stop(): void }, on: boolean): void {
  if (on) {
    poll.start();
  } else {
    poll.stop();
  }
}
