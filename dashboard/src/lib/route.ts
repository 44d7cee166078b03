// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import { parseCheckHash } from "./check";
import { parseClusterHash } from "./cluster";
import { type MapChoice, parseMapHash } from "./map";
import { parseTapHash, type TapChoice } from "./tap";
import { parseWhereHash } from "./where";
import { parseProfileHash, type ProfileChoice } from "./profile";

/** The traces of the list, and the order of the actors; empty for what the page does by itself. */
export interface ListChoice {
  readonly query: string;
  readonly errorsOnly: boolean;
  /** A column, with a minus before it to sort downwards. */
  readonly sort: string;
}

export const WHOLE_LIST: ListChoice = { query: "", errorsOnly: false, sort: "" };

/** The living actors of the list, and their order; empty for what the page does by itself. */
export interface ActorsChoice {
  readonly query: string;
  readonly className: string;
  /** A group of paths. */
  readonly group: string;
  /** The path of whose children are listed. */
  readonly parent: string;
  /** A column, with a minus before it for the greatest first. */
  readonly sort: string;
  /** Whether Pekko's own actors are among them. */
  readonly pekko: boolean;
}

export const ALL_ACTORS: ActorsChoice = { query: "", className: "", group: "", parent: "", sort: "", pekko: false };

/** The trouble of the list, and the open group; empty for all, and none. */
export interface TroubleChoice {
  readonly query: string;
  readonly kind: string;
  readonly open: string;
}

export const ALL_TROUBLE: TroubleChoice = { query: "", kind: "", open: "" };

/** The threads of the list, and the one whose stack is shown; empty for none. */
export interface ThreadsChoice {
  readonly query: string;
  /** Whether threads without a message are among them. */
  readonly all: boolean;
  readonly open: string;
}

/**
 * The view of the address: the overview, the actors or one of them, the settings, or one trace with perhaps a span of
 * it chosen.
 */
export type Route =
  | { readonly view: "overview"; readonly list: ListChoice }
  /** With the id of a trace that another one is looked for to compare it with; empty for none. */
  | {
      readonly view: "traces";
      readonly list: ListChoice;
      readonly against: string;
      /** Whether those of the list are compared with the others. */
      readonly differs?: true;
    }
  | { readonly view: "compare"; readonly left: string; readonly right: string }
  | { readonly view: "actors"; readonly choice: ActorsChoice }
  | { readonly view: "actor"; readonly path: string }
  /** With the words that findings are looked for by. */
  | { readonly view: "check"; readonly query: string }
  | { readonly view: "trouble"; readonly choice: TroubleChoice }
  | { readonly view: "map"; readonly choice: MapChoice }
  | { readonly view: "where"; readonly query: string }
  | { readonly view: "tap"; readonly choice: TapChoice }
  | { readonly view: "threads"; readonly choice: ThreadsChoice }
  | { readonly view: "profile"; readonly choice: ProfileChoice }
  | { readonly view: "system" }
  /** With the column that links are sorted by; empty for what the page does by itself. */
  | { readonly view: "cluster"; readonly sort: string }
  | { readonly view: "settings" }
  | {
      readonly view: "trace";
      readonly traceId: string;
      readonly spanId: string | null;
      /** Whether it is shown as a conversation, and not as a waterfall. */
      readonly talks?: true;
    };

const TRACE = /^#\/trace\/([0-9a-f]{32})(?:\/([0-9a-f]{16}))?(\?as=conversation)?$/i;

const COMPARE = /^#\/compare\/([0-9a-f]{32})\/([0-9a-f]{32})$/i;
const ID = /^[0-9a-f]{32}$/;

const ACTOR = /^#\/actor\/(.+)$/;
const SCHEME = "pekko://";
/** Akka's paths keep theirs in the address. */
const ANY_SCHEME = /^(?:pekko|akka):\/\//;

export const SETTINGS_HASH = "#/settings";
export const ACTORS_HASH = "#/actors";
export const TROUBLE_HASH = "#/trouble";
export const SYSTEM_HASH = "#/system";
export const THREADS_HASH = "#/threads";
export const TRACES_HASH = "#/traces";

export function parseHash(hash: string): Route {
  if (hash === SETTINGS_HASH) {
    return { view: "settings" };
  }
  if (hash === ACTORS_HASH || hash.startsWith(ACTORS_HASH + "?")) {
    return { view: "actors", choice: actorsChoice(hash.slice(ACTORS_HASH.length)) };
  }
  if (hash === TROUBLE_HASH || hash.startsWith(TROUBLE_HASH + "?")) {
    const given = new URLSearchParams(hash.slice(TROUBLE_HASH.length + 1));
    const choice = { query: given.get("q") ?? "", kind: given.get("kind") ?? "", open: given.get("open") ?? "" };
    return { view: "trouble", choice };
  }
  if (hash === TRACES_HASH || hash.startsWith(TRACES_HASH + "?")) {
    const given = new URLSearchParams(hash.slice(TRACES_HASH.length + 1));
    const against = given.get("with") ?? "";
    return {
      view: "traces",
      list: listChoice(hash),
      against: ID.test(against) ? against : "",
      ...(given.get("differs") === "true" ? { differs: true } : {}),
    };
  }
  const compared = COMPARE.exec(hash);
  if (compared !== null) {
    return {
      view: "compare",
      left: (compared[1] ?? "").toLowerCase(),
      right: (compared[2] ?? "").toLowerCase(),
    };
  }
  const check = parseCheckHash(hash);
  if (check !== null) {
    return { view: "check", query: check };
  }
  const map = parseMapHash(hash);
  if (map !== null) {
    return { view: "map", choice: map };
  }
  const where = parseWhereHash(hash);
  if (where !== null) {
    return { view: "where", query: where };
  }
  const tap = parseTapHash(hash);
  if (tap !== null) {
    return { view: "tap", choice: tap };
  }
  const profile = parseProfileHash(hash);
  if (profile !== null) {
    return { view: "profile", choice: profile };
  }
  const cluster = parseClusterHash(hash);
  if (cluster !== null) {
    return { view: "cluster", sort: cluster };
  }
  if (hash === SYSTEM_HASH) {
    return { view: "system" };
  }
  if (hash === THREADS_HASH || hash.startsWith(THREADS_HASH + "?")) {
    const given = new URLSearchParams(hash.slice(THREADS_HASH.length + 1));
    const choice = { query: given.get("q") ?? "", all: given.get("all") === "true", open: given.get("open") ?? "" };
    return { view: "threads", choice };
  }
  const actor = ACTOR.exec(hash);
  if (actor !== null) {
    const given = actor[1] ?? "";
    return { view: "actor", path: ANY_SCHEME.test(given) ? given : SCHEME + given };
  }
  const match = TRACE.exec(hash);
  if (match === null) {
    return { view: "overview", list: listChoice(hash) };
  }
  return {
    view: "trace",
    traceId: (match[1] ?? "").toLowerCase(),
    spanId: match[2]?.toLowerCase() ?? null,
    ...(match[3] === undefined ? {} : { talks: true }),
  };
}

function listChoice(hash: string): ListChoice {
  const at = hash.indexOf("?");
  if (!(hash.startsWith("#/?") || hash.startsWith(TRACES_HASH)) || at < 0) {
    return WHOLE_LIST;
  }
  const given = new URLSearchParams(hash.slice(at + 1));
  return { query: given.get("q") ?? "", errorsOnly: given.get("errors") === "true", sort: given.get("sort") ?? "" };
}

function actorsChoice(query: string): ActorsChoice {
  const given = new URLSearchParams(query.slice(1));
  return {
    query: given.get("q") ?? "",
    className: given.get("class") ?? "",
    group: given.get("group") ?? "",
    parent: given.get("parent") ?? "",
    sort: given.get("sort") ?? "",
    pekko: given.get("pekko") === "true",
  };
}

/** The parameters of a list of actors: in the page's address and in the server's alike. */
export function actorsParameters(choice: Partial<ActorsChoice>): URLSearchParams {
  const { query, className, group, parent, sort, pekko } = { ...ALL_ACTORS, ...choice };
  const parameters = new URLSearchParams();
  const texts = { q: query.trim(), class: className, group, parent, sort };
  for (const [name, text] of Object.entries(texts)) {
    if (text !== "") {
      parameters.set(name, text);
    }
  }
  if (pekko) {
    parameters.set("pekko", "true");
  }
  return parameters;
}

export function actorsHash(choice: Partial<ActorsChoice> = {}): string {
  const text = actorsParameters(choice).toString();
  return text === "" ? ACTORS_HASH : `${ACTORS_HASH}?${text}`;
}

export function troubleHash(given: Partial<TroubleChoice> = {}): string {
  const { query, kind, open } = { ...ALL_TROUBLE, ...given };
  const parameters = new URLSearchParams();
  for (const [name, text] of Object.entries({ q: query.trim(), kind, open })) {
    if (text !== "") {
      parameters.set(name, text);
    }
  }
  const text = parameters.toString();
  return text === "" ? TROUBLE_HASH : `${TROUBLE_HASH}?${text}`;
}

export function threadsHash({ query, all, open }: ThreadsChoice): string {
  const parameters = new URLSearchParams();
  for (const [name, text] of Object.entries({ q: query.trim(), all: all ? "true" : "", open })) {
    if (text !== "") {
      parameters.set(name, text);
    }
  }
  const text = parameters.toString();
  return text === "" ? THREADS_HASH : `${THREADS_HASH}?${text}`;
}

/** The address of one actor: its path, which Pekko has encoded already. */
export function actorHash(path: string): string {
  return `#/actor/${path.startsWith(SCHEME) ? path.slice(SCHEME.length) : path}`;
}

export interface Ancestor {
  readonly name: string;
  readonly path: string;
}

/** An actor's system, its ancestors and itself, from the top. */
export function ancestors(path: string): readonly Ancestor[] {
  const scheme = ANY_SCHEME.exec(path)?.[0];
  if (scheme === undefined) {
    return [{ name: path, path }];
  }
  const names = path.slice(scheme.length).split("/");
  return names.map((name, i) => ({ name, path: scheme + names.slice(0, i + 1).join("/") }));
}

export function overviewHash(choice: Partial<ListChoice> = {}): string {
  const { query, errorsOnly, sort } = { ...WHOLE_LIST, ...choice };
  const parameters = new URLSearchParams();
  if (query.trim() !== "") {
    parameters.set("q", query.trim());
  }
  if (errorsOnly) {
    parameters.set("errors", "true");
  }
  if (sort !== "") {
    parameters.set("sort", sort);
  }
  const text = parameters.toString();
  return text === "" ? "#/" : `#/?${text}`;
}

/** The list of traces, perhaps to choose one to compare with another, or compared with all others. */
export function tracesHash(choice: Partial<ListChoice> = {}, against = "", differs = false): string {
  const { query, errorsOnly } = { ...WHOLE_LIST, ...choice };
  const parameters = new URLSearchParams();
  if (query.trim() !== "") {
    parameters.set("q", query.trim());
  }
  if (errorsOnly) {
    parameters.set("errors", "true");
  }
  if (against !== "") {
    parameters.set("with", against);
  }
  if (differs) {
    parameters.set("differs", "true");
  }
  const text = parameters.toString();
  return text === "" ? TRACES_HASH : `${TRACES_HASH}?${text}`;
}

export function compareHash(left: string, right: string): string {
  return `#/compare/${left}/${right}`;
}

export function traceHash(traceId: string, spanId: string | null = null, talks = false): string {
  return `#/trace/${traceId}${spanId === null ? "" : "/" + spanId}${talks ? "?as=conversation" : ""}`;
}
