// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Turns answers of `/api` into the types of the contract. Nothing an answer holds can break the page: a field that is
 * missing or of the wrong type becomes its empty value, and only an answer that is no object at all is refused.
 */
import type {
  ActorLine,
  ActorStats,
  ActorSetting,
  ActorsPage,
  AskStats,
  AttributeValue,
  Attributes,
  Counts,
  FailureStats,
  Histogram,
  HookReport,
  MessageStats,
  OneActor,
  OtherClasses,
  Past,
  Peer,
  PeerStats,
  Received,
  Setting,
  PageChange,
  Preset,
  Settings,
  SettingsEntry,
  Span,
  SpanEvent,
  SpanLink,
  State,
  StoreStats,
  TailStats,
  Trace,
  TraceSummary,
  TroubleExample,
  TroubleGroup,
  TroubleList,
} from "./contract";
import type { Otlp, PageNode } from "./nodes";
import { sum } from "./histogram";

export type Json = Readonly<Record<string, unknown>>;

export function decodeState(value: unknown): State {
  const json = answer(value, "/api/state");
  const recorder = object(json["recorder"]);
  const totals = object(json["totals"]);
  const actors = list(json["actors"], actor);
  const failures = list(json["failures"], failure);
  const messages = () => actors.flatMap((one) => one.messages);
  return {
    service: text(json["service"]),
    systems: list(json["systems"], text),
    version: text(json["version"]),
    pekkoVersion: text(json["pekkoVersion"]),
    jdk: text(json["jdk"]),
    startedAtMillis: number(json["startedAtMillis"]),
    nowMillis: number(json["nowMillis"]),
    profiling: json["profiling"] === true,
    recorder: {
      messages: number(recorder["messages"]),
      spansRecorded: number(recorder["spansRecorded"]),
      spansExported: number(recorder["spansExported"]),
      spansDropped: number(recorder["spansDropped"]),
      tracesKept: number(recorder["tracesKept"]),
      tracesCut: number(recorder["tracesCut"]),
      faults: number(recorder["faults"]),
      folded: {
        actorClasses: number(object(recorder["folded"])["actorClasses"]),
        messagePairs: number(object(recorder["folded"])["messagePairs"]),
      },
      export: text(recorder["export"]),
      store: storeStats(recorder["store"]),
      tail: tailStats(recorder["tail"]),
    },
    hooks: hooks(json["hooks"]),
    problems: list(json["problems"], text),
    presets: list(json["presets"], pageChange),
    totals: {
      actorsLive: number(totals["actorsLive"]),
      deadLetters: number(totals["deadLetters"]),
      deadLettersSuppressed: number(totals["deadLettersSuppressed"]),
      unhandled: number(totals["unhandled"]),
      dropped: number(totals["dropped"]),
      stuckNow: number(totals["stuckNow"]),
      // Without them, the rows are all there is.
      classes: knownNumber(totals["classes"]) ?? actors.length,
      failed: knownNumber(totals["failed"]) ?? actors.reduce((n, one) => n + one.failed, 0),
      failures: knownNumber(totals["failures"]) ?? failures.length,
      errorTypes: knownNumber(totals["errorTypes"]) ?? new Set(failures.map((one) => one.errorType)).size,
      processing:
        "processing" in totals ? histogram(totals["processing"]) : sum(messages().map((one) => one.processing)),
      wait: "wait" in totals ? histogram(totals["wait"]) : sum(messages().map((one) => one.wait)),
    },
    boundsSeconds: list(json["bounds"], number),
    actors,
    failures,
    asks: list(json["asks"], ask),
    remote: list(json["remote"], peer),
  };
}

export function decodeSettings(value: unknown): Settings {
  const json = answer(value, "/api/settings");
  const control = json["control"];
  return {
    control: control === "on" || control === "token" ? control : "off",
    settings: list(json["settings"], setting),
    presets: list(json["presets"], preset),
    changes: list(json["changes"], pageChange),
    history: list(json["history"], settingsEntry),
  };
}

function preset(value: unknown): Preset {
  const json = object(value);
  return {
    name: text(json["name"]),
    title: text(json["title"]),
    does: text(json["does"]),
    costs: text(json["costs"]),
    forMillis: knownNumber(json["forMillis"]),
    settings: list(json["settings"], (one) => {
      const held = object(one);
      return { key: text(held["key"]), now: text(held["now"]), then: text(held["then"]) };
    }),
    refused: text(json["refused"]),
  };
}

function pageChange(value: unknown): PageChange {
  const json = object(value);
  return {
    id: text(json["id"]),
    preset: text(json["preset"]),
    key: text(json["key"]),
    value: text(json["value"]),
    sinceMillis: number(json["sinceMillis"]),
    leftMillis: knownNumber(json["leftMillis"]),
    by: text(json["by"]),
  };
}

function settingsEntry(value: unknown): SettingsEntry {
  const json = object(value);
  return {
    atMillis: number(json["atMillis"]),
    by: text(json["by"]),
    what: text(json["what"]),
    settings: list(json["settings"], (one) => {
      const changed = object(one);
      return { key: text(changed["key"]), from: text(changed["from"]), to: text(changed["to"]) };
    }),
    leftOut: number(json["leftOut"]),
  };
}

/** What is not known of a process is left out of it; one without an id is left out whole. */
export function decodeNodes(value: unknown): readonly PageNode[] {
  const json = answer(value, "/api/v1/nodes");
  const otlp = json["otlp"] === null || json["otlp"] === undefined ? null : otlpCounts(json["otlp"]);
  return list(json["nodes"], node)
    .filter((one) => one.id !== "")
    .map((one) => (one.state === "page" ? { ...one, otlp } : one));
}

function otlpCounts(value: unknown): Otlp {
  const json = object(value);
  const lastRefused = json["lastRefused"];
  return {
    requests: number(json["requests"]),
    refused: number(json["refused"]),
    spans: number(json["spans"]),
    spansTurnedAway: number(json["spansTurnedAway"]),
    notKept: number(json["notKept"]),
    lastRefused: typeof lastRefused === "string" ? lastRefused : null,
    lastRefusedMillis: number(json["lastRefusedMillis"]),
  };
}

function node(value: unknown): PageNode {
  const json = object(value);
  const state = json["state"];
  return {
    id: text(json["id"]),
    state: state === "serves" || state === "page" || state === "sends" || state === "gone" ? state : "joined",
    sinceMillis: number(json["sinceMillis"]),
    service: text(json["service"]),
    systems: list(json["systems"], text),
    pid: number(json["pid"]),
    version: text(json["version"]),
    pekkoVersion: text(json["pekkoVersion"]),
    jdk: text(json["jdk"]),
    startedAtMillis: number(json["startedAtMillis"]),
    saidAtMillis: number(json["saidAtMillis"]),
    keptAtMillis: number(json["keptAtMillis"]),
    messages: number(json["messages"]),
    actorsLive: number(json["actorsLive"]),
    spansReceived: number(json["spansReceived"]),
    spansNotSent: number(json["spansNotSent"]),
    heapUsedBytes: number(json["heapUsedBytes"]),
    heapMaxBytes: number(json["heapMaxBytes"]),
    otlp: null,
  };
}

export function decodeTraces(value: unknown): readonly TraceSummary[] {
  return list(answer(value, "/api/traces")["traces"], summary);
}

/** What was not looked at, a sentence each, of an answer that was searched for. */
export function decodeNotLookedAt(value: unknown): readonly string[] {
  return list(object(value)["notLookedAt"], text);
}

export function decodeTrace(value: unknown): Trace {
  const json = answer(value, "/api/traces/{traceId}");
  return {
    traceId: text(json["traceId"]),
    name: text(json["name"]),
    complete: json["complete"] !== false,
    reduced: json["reduced"] === true,
    running: json["running"] === true,
    startEpochMillis: epochMillis(json["startEpochNanos"]),
    durationNanos: number(json["durationNanos"]),
    clocks: list(json["clocks"], (one) => {
      const clock = object(one);
      return { node: text(clock["node"]), offsetNanos: number(clock["offsetNanos"]) };
    }),
    spans: list(json["spans"], span),
  };
}

/** Columns that are not as long as the times are left out. */
export function decodePast(value: unknown): Past {
  const json = answer(value, "/api/history");
  const seconds = list(json["seconds"], number);
  const columns: Record<string, readonly (number | null)[]> = {};
  for (const [name, values] of Object.entries(json)) {
    if (name !== "seconds" && Array.isArray(values) && values.length === seconds.length) {
      columns[name] = values.map((one: unknown) => (typeof one === "number" && Number.isFinite(one) ? one : null));
    }
  }
  return { seconds, columns };
}

/** Milliseconds with their fraction, of nanoseconds since 1970 that are too many for a double. */
export function epochMillis(value: unknown): number {
  const digits = typeof value === "number" ? String(Math.trunc(value)) : text(value);
  if (!/^\d{1,30}$/.test(digits)) {
    return 0;
  }
  const nanos = BigInt(digits);
  return Number(nanos / 1_000_000n) + Number(nanos % 1_000_000n) / 1e6;
}

function storeStats(value: unknown): StoreStats {
  const json = object(value);
  return {
    admittedShare: number(json["admittedShare"]),
    spansKept: number(json["spansKept"]),
    spansNotKept: number(json["spansNotKept"]),
    errorsNotKept: number(json["errorsNotKept"]),
    spansTruncated: number(json["spansTruncated"]),
    tracesLetGo: number(json["tracesLetGo"]),
    spansLetGo: number(json["spansLetGo"]),
    tracesThinned: number(json["tracesThinned"]),
    spansThinned: number(json["spansThinned"]),
    tracesEvicted: number(json["tracesEvicted"]),
    troubleEvicted: number(json["troubleEvicted"]),
    spansEvicted: number(json["spansEvicted"]),
    troubleWholeNanos: number(json["troubleWholeNanos"]),
    tracesPerSecond: number(json["tracesPerSecond"]),
    roomForSpans: number(json["roomForSpans"]),
  };
}

function tailStats(value: unknown): TailStats {
  const json = object(value);
  return {
    spansHeld: number(json["spansHeld"]),
    spansKept: counts(json["spansKept"]),
    spansLetGo: counts(json["spansLetGo"]),
  };
}

export function decodeActors(value: unknown): ActorsPage {
  const json = answer(value, "/api/v1/actors");
  const known = object(json["known"]);
  return {
    nowMillis: number(json["nowMillis"]),
    total: number(json["total"]),
    living: number(json["living"]),
    offset: number(json["offset"]),
    known: {
      recordedShare: knownNumber(known["recordedShare"]),
      mailboxes: number(known["mailboxes"]),
      leftOut: number(known["leftOut"]),
    },
    other: json["other"] === null || json["other"] === undefined ? null : otherClasses(json["other"]),
    notLookedAt: list(json["notLookedAt"], text),
    actors: list(json["actors"], actorLine),
  };
}

function otherClasses(value: unknown): OtherClasses {
  const json = object(value);
  return {
    classes: number(json["classes"]),
    most: list(json["most"], (one) => {
      const named = object(one);
      return { className: text(named["class"]), living: number(named["living"]) };
    }),
  };
}

export function decodeActor(value: unknown): OneActor {
  const json = answer(value, "/api/v1/actors");
  const log = object(json["log"]);
  return {
    nowMillis: number(json["nowMillis"]),
    line: actorLine(json),
    alive: json["alive"] === true,
    now: text(json["now"]),
    dispatcher: text(json["dispatcher"]),
    mailboxType: text(json["mailboxType"]),
    mailboxNow: knownNumber(json["mailboxNow"]),
    childrenNow: knownNumber(json["childrenNow"]),
    stashed: knownNumber(json["stashed"]),
    settings: list(json["settings"], actorSetting),
    log: { messages: number(log["messages"]), sinceMillis: knownNumber(log["sinceMillis"]) },
    received: list(json["received"], received),
    senders: list(json["senders"], actorPeer),
    receivers: list(json["receivers"], actorPeer),
  };
}

function actorSetting(value: unknown): ActorSetting {
  const json = object(value);
  return { key: text(json["key"]), value: text(json["value"]), source: text(json["source"]) };
}

export function decodeTrouble(value: unknown): TroubleList {
  const json = answer(value, "/api/v1/trouble");
  return {
    total: number(json["total"]),
    stuckNow: number(json["stuckNow"]),
    groupsLetGo: number(json["groupsLetGo"]),
    kinds: counts(json["kinds"]),
    groups: list(json["groups"], troubleGroup),
  };
}

export function decodeTroubleGroup(value: unknown): readonly TroubleExample[] {
  return list(answer(value, "/api/v1/trouble")["examples"], troubleExample);
}

function troubleGroup(value: unknown): TroubleGroup {
  const json = object(value);
  return {
    id: text(json["id"]),
    node: text(json["node"]),
    kind: text(json["kind"]),
    actorClass: knownText(json["actorClass"]),
    messageClass: knownText(json["messageClass"]),
    why: knownText(json["why"]),
    count: number(json["count"]),
    firstMillis: knownNumber(json["firstMillis"]),
    lastMillis: knownNumber(json["lastMillis"]),
    latest: json["latest"] === null ? null : troubleExample(json["latest"]),
  };
}

function troubleExample(value: unknown): TroubleExample {
  const json = object(value);
  return {
    atMillis: knownNumber(json["atMillis"]),
    story: text(json["story"]),
    actorPath: knownText(json["actorPath"]),
    senderPath: knownText(json["senderPath"]),
    traceId: knownText(json["traceId"]),
    spanId: knownText(json["spanId"]),
    stack: knownText(json["stack"]),
    before: list(json["before"], received),
  };
}

function actorLine(value: unknown): ActorLine {
  const json = object(value);
  return {
    id: number(json["id"]),
    path: text(json["path"]),
    className: text(json["class"]),
    pekko: json["pekko"] === true,
    group: knownText(json["group"]),
    mailbox: knownNumber(json["mailbox"]),
    children: knownNumber(json["children"]),
    ratePerSecond: number(json["ratePerSecond"]),
    busyShare: number(json["busyShare"]),
    waitP99Nanos: knownNumber(json["waitP99Nanos"]),
    messages: number(json["messages"]),
    failures: number(json["failures"]),
    restarts: number(json["restarts"]),
    madeAtMillis: number(json["madeAtMillis"]),
  };
}

function received(value: unknown): Received {
  const json = object(value);
  const path = text(json["senderPath"]);
  return {
    startEpochMillis: epochMillis(json["startEpochNanos"]),
    className: text(json["class"]),
    senderPath: path === "" ? null : path,
    byActor: number(json["sender"]) !== 0,
    waitNanos: knownNumber(json["waitNanos"]),
    processingNanos: number(json["processingNanos"]),
    failed: json["failed"] === true,
    traceId: text(json["traceId"]),
    spanId: text(json["spanId"]),
  };
}

function actorPeer(value: unknown): Peer {
  const json = object(value);
  const path = text(json["path"]);
  return {
    id: number(json["id"]),
    path: path === "" ? null : path,
    className: text(json["class"]),
    messages: number(json["messages"]),
    failures: number(json["failures"]),
  };
}

function counts(value: unknown): Counts {
  return Object.fromEntries(Object.entries(object(value)).map(([key, of]) => [key, number(of)]));
}

function setting(value: unknown): Setting {
  const json = object(value);
  return {
    key: text(json["key"]),
    value: text(json["value"]),
    default: text(json["default"]),
    values: text(json["values"]),
    choices: list(json["choices"], text),
    does: text(json["does"]),
    costs: text(json["costs"]),
    source: text(json["source"]),
    mayChange: json["mayChange"] === true,
    changedHere: json["changedHere"] === true,
    preset: text(json["preset"]),
    leftMillis: knownNumber(json["leftMillis"]),
  };
}

function hooks(value: unknown): HookReport {
  const json = object(value);
  const state = json["state"];
  return {
    state: state === "ok" || state === "missing" ? state : "pending",
    ok: number(json["ok"]),
    total: number(json["total"]),
    missing: list(json["missing"], text),
  };
}

function actor(value: unknown): ActorStats {
  const json = object(value);
  return {
    className: text(json["class"]),
    system: text(json["system"]),
    live: number(json["live"]),
    started: number(json["started"]),
    stopped: number(json["stopped"]),
    restarted: number(json["restarted"]),
    failed: number(json["failed"]),
    messages: list(json["messages"], message),
  };
}

function message(value: unknown): MessageStats {
  const json = object(value);
  return {
    className: text(json["class"]),
    processed: number(json["processed"]),
    failed: number(json["failed"]),
    processing: histogram(json["processing"]),
    wait: histogram(json["wait"]),
  };
}

function failure(value: unknown): FailureStats {
  const json = object(value);
  return {
    actorClass: text(json["actorClass"]),
    errorType: text(json["errorType"]),
    count: number(json["count"]),
  };
}

function ask(value: unknown): AskStats {
  const json = object(value);
  return {
    className: text(json["class"]),
    count: number(json["count"]),
    timeouts: number(json["timeouts"]),
    duration: histogram(json["duration"]),
  };
}

function peer(value: unknown): PeerStats {
  const json = object(value);
  return {
    system: text(json["system"]),
    peer: text(json["peer"]),
    direction: json["direction"] === "in" ? "in" : "out",
    stream: text(json["stream"]),
    connected: json["connected"] === true,
    messages: number(json["messages"]),
    bytes: number(json["bytes"]),
    flushes: number(json["flushes"]),
    flushNanos: number(json["flushNanos"]),
    codecNanos: number(json["codecNanos"]),
    queued: number(json["queued"]),
    dropped: number(json["dropped"]),
    reconnects: number(json["reconnects"]),
  };
}

function histogram(value: unknown): Histogram {
  const json = object(value);
  return {
    count: number(json["count"]),
    sumNanos: number(json["sumNanos"]),
    buckets: list(json["buckets"], number),
  };
}

function summary(value: unknown): TraceSummary {
  const json = object(value);
  return {
    traceId: text(json["traceId"]),
    name: text(json["name"]),
    startEpochMillis: epochMillis(json["startEpochNanos"]),
    durationNanos: number(json["durationNanos"]),
    spans: number(json["spans"]),
    errors: number(json["errors"]),
    timeouts: number(json["timeouts"]),
    incidents: number(json["incidents"]),
    complete: json["complete"] !== false,
    reduced: json["reduced"] === true,
    running: json["running"] === true,
    actorClasses: list(json["actorClasses"], text),
    nodes: number(json["nodes"]),
  };
}

function span(value: unknown): Span {
  const json = object(value);
  const parent = text(json["parentSpanId"]);
  const wait = json["waitNanos"];
  const status = json["status"];
  return {
    spanId: text(json["spanId"]),
    parentSpanId: parent === "" ? null : parent,
    name: text(json["name"]),
    kind: text(json["kind"]),
    scope: text(json["scope"]),
    node: text(json["node"]),
    offsetNanos: number(json["offsetNanos"]),
    durationNanos: Math.max(0, number(json["durationNanos"])),
    waitNanos: typeof wait === "number" && Number.isFinite(wait) ? Math.max(0, wait) : null,
    status: status === "ERROR" || status === "OK" ? status : "UNSET",
    statusMessage: text(json["statusMessage"]),
    attributes: attributes(json["attributes"]),
    events: list(json["events"], event),
    links: list(json["links"], link),
  };
}

function event(value: unknown): SpanEvent {
  const json = object(value);
  return {
    name: text(json["name"]),
    offsetNanos: number(json["offsetNanos"]),
    attributes: attributes(json["attributes"]),
  };
}

function link(value: unknown): SpanLink {
  const json = object(value);
  return { traceId: text(json["traceId"]), spanId: text(json["spanId"]) };
}

function attributes(value: unknown): Attributes {
  // A key may be called __proto__; an object made from entries keeps it as a key like any other.
  return Object.fromEntries(Object.entries(object(value))) as Record<string, AttributeValue>;
}

export function answer(value: unknown, path: string): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(`${path} answered with something that is no JSON object`);
  }
  return value as Json;
}

export function object(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

export function knownText(value: unknown): string | null {
  const known = text(value);
  return known === "" ? null : known;
}

export function knownNumber(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function list<T>(value: unknown, decode: (element: unknown) => T): T[] {
  return Array.isArray(value) ? value.map((element: unknown) => decode(element)) : [];
}
