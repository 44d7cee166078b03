// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The page's only requests: to `/api` of the server it came from. Polls come from its stream of updates, where there is
 * one.
 */
import { type Absent, answer } from "./lib/answers";
import type {
  Actors,
  Check,
  Cluster,
  Inside,
  Logs,
  Map as MessageMap,
  OneActor,
  Past,
  Profile,
  Settings,
  State,
  System,
  Tap,
  Threads,
  Trace,
  TraceComparison,
  TraceGroups,
  Traces,
  Trouble,
  Where,
  WholeTroubleExample,
} from "./lib/contract";
import type { Dump } from "./lib/dump";
import { type MapChoice, mapParameters } from "./lib/map";
import { type PageNode, readNodes, sum } from "./lib/nodes";
import { type ProfileChoice, profileParameters, readProfile } from "./lib/profile";
import { type ActorsChoice, actorsParameters, type TroubleChoice } from "./lib/route";
import { type TapChoice, tapParameters } from "./lib/tap";
import { Live } from "./lib/live";
import { keptForThisTab, Token } from "./lib/token";
import { readTrace } from "./lib/tree";
import { TIMERS } from "./timers";
import { openUpdates } from "./updates";

/** Sent with every request, where it is known. */
export const TOKEN = new Token(keptForThisTab());

const NO_TOKEN = "it needs its token: open the page by the address after “deimos: page at” in the application's log";
export const TRACES_LIMIT = 100;
const CHANGE_TIMEOUT_MILLIS = 5000;
const DUMP_TIMEOUT_MILLIS = 60_000;

/** The process of all requests below: the beginning of its path. */
let base = "";
/** The same for traces. */
let tracesBase = "";
/** The process whose trouble is asked for; the page has that of all. */
let troubleNode = "";

export function askNode(path: string, tracesPath: string, node: string): void {
  base = path;
  tracesBase = tracesPath;
  troubleNode = node;
}

export async function fetchNodes(signal: AbortSignal): Promise<readonly PageNode[]> {
  const response = await plainRequest("api/v1/nodes", { signal });
  return response.status === 404 ? [] : readNodes(await body(response));
}

/** The figures of one process, or of several as one; those that do not answer now are left out. */
export async function fetchState(paths: readonly string[], signal: AbortSignal): Promise<State> {
  const [first, ...others] = paths;
  const rest = Promise.allSettled(others.map((path) => stateOf(path, signal)));
  const own = await stateOf(first ?? base, signal);
  const answered = (await rest).flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  return answered.length === 0 ? own : sum([own, ...answered]);
}

async function stateOf(path: string, signal: AbortSignal): Promise<State> {
  return answer("/api/state", await body(await plainRequest(`${path}api/state`, { signal })));
}

export async function fetchTraces(query: string, errorsOnly: boolean, signal: AbortSignal): Promise<Traces> {
  const parameters = new URLSearchParams({ limit: String(TRACES_LIMIT) });
  if (errorsOnly) {
    parameters.set("errors", "true");
  }
  if (query !== "") {
    parameters.set("q", query);
  }
  const response = await plainRequest(`${tracesBase}api/traces?${parameters.toString()}`, { signal });
  if (response.status === 400) {
    throw new Refused((await reason(response)) ?? "the server cannot read the query");
  }
  return answer("/api/traces", await body(response));
}

/** The traces that match, added up. */
export async function fetchGroups(query: string, errorsOnly: boolean, signal: AbortSignal): Promise<TraceGroups> {
  const parameters = new URLSearchParams();
  if (errorsOnly) {
    parameters.set("errors", "true");
  }
  if (query !== "") {
    parameters.set("q", query);
  }
  const response = await plainRequest(`${tracesBase}api/v1/traces/groups?${parameters.toString()}`, { signal });
  if (response.status === 400 || response.status === 404) {
    throw new Refused((await reason(response)) ?? "the server cannot read the query");
  }
  return answer("/api/v1/traces/groups", await body(response));
}

/** The traces that match against the others of the same name. */
export async function fetchComparison(
  query: string,
  errorsOnly: boolean,
  signal: AbortSignal,
): Promise<TraceComparison> {
  const parameters = new URLSearchParams({ q: query, errors: String(errorsOnly) });
  const response = await plainRequest(`${tracesBase}api/v1/traces/compare?${parameters.toString()}`, { signal });
  if (response.status === 400 || response.status === 404 || response.status === 503) {
    throw new Refused((await reason(response)) ?? "the server cannot compare them");
  }
  return answer("/api/v1/traces/compare", await body(response));
}

/** The server has read what was asked and says what is wrong with it. */
export class Refused extends Error {}

export async function fetchPast(signal: AbortSignal): Promise<Past> {
  return answer("/api/history", await json("api/history", signal));
}

/** The trace, or why it is not here. */
export async function fetchTrace(traceId: string, signal: AbortSignal): Promise<Trace | Absent> {
  const response = await plainRequest(`${tracesBase}api/traces/${encodeURIComponent(traceId)}`, { signal });
  if (response.status === 404) {
    return { absent: (await reason(response)) ?? "The server does not say why." };
  }
  return readTrace(await body(response));
}

/** A part of the list of living actors. */
export async function fetchActors(
  choice: ActorsChoice,
  offset: number,
  limit: number,
  signal: AbortSignal,
): Promise<Actors> {
  const parameters = actorsParameters(choice);
  parameters.set("offset", String(offset));
  parameters.set("limit", String(limit));
  const response = await request(`api/v1/actors?${parameters.toString()}`, { signal });
  if (response.status === 400 || response.status === 404) {
    throw new Refused((await reason(response)) ?? "the server cannot list actors");
  }
  return answer("/api/v1/actors", await body(response));
}

/** One actor, or why it is not here. */
export async function fetchActor(path: string, signal: AbortSignal): Promise<OneActor | Absent> {
  const response = await request(`api/v1/actors/${encodeURIComponent(path)}`, { signal });
  if (response.status === 404) {
    return { absent: (await reason(response)) ?? "The server does not say why." };
  }
  return answer("/api/v1/actors/{id}", await body(response));
}

/** The senders and receivers. */
export async function fetchMap(choice: MapChoice, signal: AbortSignal): Promise<MessageMap> {
  const response = await request(`api/v1/map?${mapParameters(choice).toString()}`, { signal });
  if (response.status === 400 || response.status === 404) {
    throw new Refused((await reason(response)) ?? "the server has no map");
  }
  return answer("/api/v1/map", await body(response));
}

/** Incidents in groups. */
export async function fetchTrouble(choice: TroubleChoice, signal: AbortSignal): Promise<Trouble> {
  const parameters = new URLSearchParams({ q: choice.query.trim(), kind: choice.kind, node: troubleNode });
  const response = await plainRequest(`api/v1/trouble?${parameters.toString()}`, { signal });
  if (response.status === 404) {
    throw new Refused((await reason(response)) ?? "the server keeps none");
  }
  return answer("/api/v1/trouble", await body(response));
}

/** The examples of one group, or why there are none. */
export async function fetchTroubleGroup(
  id: string,
  signal: AbortSignal,
): Promise<readonly WholeTroubleExample[] | Absent> {
  const response = await plainRequest(`api/v1/trouble/${encodeURIComponent(id)}`, { signal });
  if (response.status === 404) {
    return { absent: (await reason(response)) ?? "The server does not say why." };
  }
  return answer("/api/v1/trouble/{id}", await body(response)).examples;
}

/** The findings of the rules, or the reason why none look. */
export async function fetchCheck(signal: AbortSignal): Promise<Check | Absent> {
  const response = await request("api/v1/check", { signal });
  if (response.status === 404) {
    return { absent: (await reason(response)) ?? "The server does not say why." };
  }
  return answer("/api/v1/check", await body(response));
}

/** The inside of an actor, or why that is not known. */
export async function fetchInside(path: string): Promise<Inside | Absent> {
  // Without a signal it is asked once, not again and again by the stream of updates.
  const response = await request(`api/v1/inside/${encodeURIComponent(path)}`, {});
  if (response.status === 404 || response.status === 503) {
    return { absent: (await reason(response)) ?? "The server does not say why." };
  }
  return answer("/api/v1/inside/{id}", await body(response));
}

export interface LogsChoice {
  readonly actor?: string;
  readonly trace?: string;
}

/** The last log records: of the process that is shown, or of several; those that keep none are left out. */
export async function fetchLogs(
  choice: LogsChoice,
  paths: readonly string[] | null,
  signal: AbortSignal,
): Promise<Logs | Absent> {
  const parameters = new URLSearchParams({ ...choice, limit: "200" }).toString();
  const answers = await Promise.allSettled(
    (paths ?? [base]).map((path) => logsOf(`${path}api/v1/logs?${parameters}`, signal)),
  );
  const found = answers.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const kept = found.filter((one): one is Logs => !("absent" in one) && one.kept);
  const [first, ...others] = kept;
  if (first === undefined) {
    return found[0] ?? { absent: "No process has answered." };
  }
  return others.reduce(
    (all, one) => ({
      ...all,
      total: all.total + one.total,
      leftOut: all.leftOut + one.leftOut,
      records: [...all.records, ...one.records].sort((a, b) => b.atMillis - a.atMillis),
    }),
    first,
  );
}

async function logsOf(path: string, signal: AbortSignal): Promise<Logs | Absent> {
  const response = await plainRequest(path, { signal });
  if (response.status === 404) {
    return { absent: (await reason(response)) ?? "The server does not say why." };
  }
  return answer("/api/v1/logs", await body(response));
}

/** The fate of a message. */
export async function fetchWhere(query: string, signal: AbortSignal): Promise<Where> {
  const response = await request(`api/v1/where?${new URLSearchParams({ q: query }).toString()}`, { signal });
  if (response.status === 400 || response.status === 404 || response.status === 503) {
    throw new Refused((await reason(response)) ?? "the server does not look for messages");
  }
  return answer("/api/v1/where", await body(response));
}

/** Opens a tap on the messages to come. */
export async function openTap(choice: TapChoice, signal: AbortSignal): Promise<Tap> {
  return tap(`api/v1/tap?${tapParameters(choice).toString()}`, signal);
}

/** The messages of a tap after one. */
export async function fetchTap(id: string, after: number, signal: AbortSignal): Promise<Tap> {
  return tap(`api/v1/tap/${encodeURIComponent(id)}?after=${after}`, signal);
}

async function tap(path: string, signal: AbortSignal): Promise<Tap> {
  const response = await request(path, { signal });
  if (response.status === 400 || response.status === 404 || response.status === 503) {
    throw new Refused((await reason(response)) ?? "the server has no tap");
  }
  return answer("/api/v1/tap", await body(response));
}

/** Dispatchers with those of their threads that are asked for. */
export async function fetchThreads(
  choice: { readonly query: string; readonly all: boolean },
  signal: AbortSignal,
): Promise<Threads> {
  const parameters = new URLSearchParams({ q: choice.query.trim(), busy: String(!choice.all) });
  return answer("/api/v1/threads", await json(`api/v1/threads?${parameters.toString()}`, signal));
}

/** Where a thread is now, or why that is not known. */
export async function fetchStack(id: number, signal: AbortSignal): Promise<readonly string[] | Absent> {
  const response = await request(`api/v1/threads/${id}`, { signal });
  if (response.status === 404) {
    return { absent: (await reason(response)) ?? "The server does not say why." };
  }
  return answer("/api/v1/threads/{id}", await body(response)).frames;
}

/** The classes of messages by processor time, waits and allocation, or the reason why they are not known. */
export async function fetchProfile(choice: Partial<ProfileChoice>, signal: AbortSignal): Promise<Profile | Absent> {
  const response = await request(`api/v1/profile?${profileParameters(choice).toString()}`, { signal });
  if (response.status === 404) {
    return { absent: (await reason(response)) ?? "The server does not say why." };
  }
  return readProfile(await body(response));
}

/** All stacks of it, as other tools read them. */
export async function fetchProfileFile(
  choice: ProfileChoice,
  format: "collapsed" | "speedscope" | "pprof",
): Promise<Blob> {
  const parameters = profileParameters(choice);
  parameters.set("format", format);
  const response = await request(`api/v1/profile?${parameters.toString()}`, {
    signal: AbortSignal.timeout(DUMP_TIMEOUT_MILLIS),
  });
  if (!response.ok) {
    throw new Error((await reason(response)) ?? `the server answered with status ${response.status}`);
  }
  return response.blob();
}

/** The actor system as a whole, and its last hour. */
export async function fetchSystem(signal: AbortSignal): Promise<System> {
  return answer("/api/v1/system", await json("api/v1/system", signal));
}

/** The cluster as all its nodes see it; the page has that of all. */
export async function fetchCluster(signal: AbortSignal): Promise<Cluster> {
  return answer("/api/v1/cluster", await body(await plainRequest("api/v1/cluster", { signal })));
}

export async function fetchSettings(signal: AbortSignal): Promise<Settings> {
  return answer("/api/settings", await json("api/settings", signal));
}

/** One change of settings: a setting, a preset that begins, or the end of either. */
export type SettingsRequest =
  | { readonly key: string; readonly value: string; readonly for?: string }
  | { readonly preset: string; readonly for?: string }
  | { readonly end: string };

/** Changes settings and gives all as they are then. */
export async function changeSettings(change: SettingsRequest): Promise<Settings> {
  const given = Object.entries(change).filter(([name, value]) => value !== "" || name === "value");
  const query = new URLSearchParams(Object.fromEntries(given)).toString();
  const response = await request(`api/settings?${query}`, {
    method: "POST",
    signal: AbortSignal.timeout(CHANGE_TIMEOUT_MILLIS),
  });
  if (!response.ok) {
    throw new Error((await reason(response)) ?? `the server answered with status ${response.status}`);
  }
  return answer("/api/settings", await body(response));
}

/** Why the server refused, if it says so. */
async function reason(response: Reply): Promise<string | null> {
  try {
    const said = ((await response.json()) as { error?: unknown } | null)?.error;
    return typeof said === "string" && said !== "" ? said : null;
  } catch {
    return null;
  }
}

async function json(path: string, signal: AbortSignal): Promise<unknown> {
  return body(await request(path, { signal }));
}

/** Has the page ask a dump instead of the server it came from, from now on. */
export function askDump(dump: Dump): void {
  asked = dump;
}

let asked: Dump | null = null;

/** All that the page of this process knows, packed. */
export async function fetchDump(): Promise<Blob> {
  const response = await request("api/v1/dump", { signal: AbortSignal.timeout(DUMP_TIMEOUT_MILLIS) });
  if (!response.ok) {
    throw new Error((await reason(response)) ?? `the server answered with status ${response.status}`);
  }
  return response.blob();
}

/** The dump that this page was opened with. */
export async function fetchOpenedDump(): Promise<Blob> {
  const response = await request("dump", { signal: AbortSignal.timeout(DUMP_TIMEOUT_MILLIS) });
  if (!response.ok) {
    throw new Error(`the server answered with status ${response.status}`);
  }
  return response.blob();
}

/** The used part of a response. */
type Reply = Pick<Response, "status" | "ok" | "json" | "blob">;

function request(path: string, how: RequestInit): Promise<Reply> {
  return plainRequest(base + path, how);
}

const LIVE = new Live({
  open: (requests, signal) => openUpdates(requests, TOKEN.headers(), signal),
  timers: TIMERS,
});

async function plainRequest(path: string, how: RequestInit): Promise<Reply> {
  if (asked !== null) {
    const { status, body: found } =
      how.method === undefined ? asked.answer(path) : { status: 403, body: { error: "a dump cannot be changed" } };
    return Response.json(found, { status });
  }
  if (how.method === undefined && how.signal) {
    const live = await LIVE.ask(`/${path}`, how.signal);
    if (live !== null) {
      const ok = live.status >= 200 && live.status < 300;
      const json = () => Promise.resolve(live.value);
      return { status: live.status, ok, json, blob: () => Response.json(live.value).blob() };
    }
  }
  try {
    return await fetch(path, { ...how, headers: TOKEN.headers(), cache: "no-store" });
  } catch (error) {
    // Browsers name this in their own ways ("Failed to fetch", "Load failed"), none of which says what it is.
    throw error instanceof TypeError ? new Error("no connection") : error;
  }
}

async function body(response: Reply): Promise<unknown> {
  if (response.status === 401) {
    throw new Error(NO_TOKEN);
  }
  if (!response.ok) {
    throw new Error(`the server answered with status ${response.status}`);
  }
  try {
    return await response.json();
  } catch (error) {
    throw error instanceof SyntaxError ? new Error("the answer was cut off or is no JSON") : error;
  }
}
