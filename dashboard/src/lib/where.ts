// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Where a message is: the address of the view, and the answer of `/api/v1/where`. */
import { answer, knownNumber, knownText, list, number, object, text } from "./decode";

export const WHERE_HASH = "#/where";

/** What becomes of a message, in a reader's words. */
export const FATES: Readonly<Record<string, string>> = {
  processing: "processing",
  in_mailbox: "in a mailbox",
  stashed: "stashed",
  buffered: "buffered",
  outbound: "to another node",
  ask_open: "no answer yet",
  dead_letter: "dead letter",
  ask_timeout: "ask time-out",
  ask_failed: "failed ask",
  stuck: "stuck",
  failed: "failed",
  answered: "answered",
  processed: "processed",
};

export const BAD_FATES: ReadonlySet<string> = new Set(["dead_letter", "ask_timeout", "ask_failed", "stuck", "failed"]);

export interface WhereMatch {
  readonly fate: string;
  readonly story: string;
  readonly messageClass: string | null;
  readonly actorPath: string | null;
  readonly senderPath: string | null;
  readonly atMillis: number | null;
  readonly traceId: string | null;
  readonly spanId: string | null;
  readonly content: string | null;
  readonly troubleId: string | null;
}

/** How much was looked at. */
export interface Looked {
  readonly records: number;
  readonly sinceMillis: number | null;
  readonly actors: number;
  readonly waiting: number;
  readonly asks: number;
  readonly troubles: number;
  readonly traces: number;
}

export interface Whereabouts {
  readonly query: string;
  readonly total: number;
  readonly fates: Readonly<Record<string, number>>;
  readonly matches: readonly WhereMatch[];
  readonly looked: Looked;
  readonly notLookedAt: readonly string[];
}

export function whereHash(query: string): string {
  return query.trim() === "" ? WHERE_HASH : `${WHERE_HASH}?${new URLSearchParams({ q: query.trim() }).toString()}`;
}

/** What is looked for; null if the address is another view's. */
export function parseWhereHash(hash: string): string | null {
  if (hash !== WHERE_HASH && !hash.startsWith(WHERE_HASH + "?")) {
    return null;
  }
  return new URLSearchParams(hash.slice(WHERE_HASH.length + 1)).get("q") ?? "";
}

export function decodeWhere(value: unknown): Whereabouts {
  const json = answer(value, "/api/v1/where");
  const looked = object(json["looked"]);
  return {
    query: text(json["query"]),
    total: number(json["total"]),
    fates: Object.fromEntries(Object.entries(object(json["fates"])).map(([fate, n]) => [fate, number(n)])),
    matches: list(json["matches"], match),
    looked: {
      records: number(looked["records"]),
      sinceMillis: knownNumber(looked["sinceMillis"]),
      actors: number(looked["actors"]),
      waiting: number(looked["waiting"]),
      asks: number(looked["asks"]),
      troubles: number(looked["troubles"]),
      traces: number(looked["traces"]),
    },
    notLookedAt: list(json["notLookedAt"], text),
  };
}

function match(value: unknown): WhereMatch {
  const json = object(value);
  return {
    fate: text(json["fate"]),
    story: text(json["story"]),
    messageClass: knownText(json["messageClass"]),
    actorPath: knownText(json["actorPath"]),
    senderPath: knownText(json["senderPath"]),
    atMillis: knownNumber(json["atMillis"]),
    traceId: knownText(json["traceId"]),
    spanId: knownText(json["spanId"]),
    content: knownText(json["content"]),
    troubleId: knownText(json["troubleId"]),
  };
}
