// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** A tap on the messages to come: the address of the view, and the answers of `/api/v1/tap`. */
import { answer, knownNumber, knownText, list, number, object, text } from "./decode";

export const TAP_HASH = "#/tap";

/** What a tap takes, as it was typed; empty for what the server does by itself. */
export interface TapChoice {
  readonly className: string;
  readonly to: string;
  readonly count: string;
  readonly rate: string;
  readonly seconds: string;
}

const ANY: TapChoice = { className: "", to: "", count: "", rate: "", seconds: "" };

export interface TapMessage {
  readonly number: number;
  readonly atMillis: number;
  readonly messageClass: string;
  readonly actorPath: string;
  readonly senderPath: string | null;
  readonly waitNanos: number | null;
  readonly processingNanos: number;
  readonly error: string | null;
  readonly traceId: string;
  readonly spanId: string;
  readonly content: string | null;
}

export interface TapReading {
  readonly id: string;
  readonly open: boolean;
  readonly endedBy: string | null;
  readonly endsMillis: number;
  readonly count: number;
  readonly taken: number;
  readonly leftOut: number;
  readonly recordedShare: number | null;
  readonly last: number;
  readonly messages: readonly TapMessage[];
}

/** The parameters of a tap: in the page's address and in the server's alike. */
export function tapParameters(choice: Partial<TapChoice>): URLSearchParams {
  const { className, to, count, rate, seconds } = { ...ANY, ...choice };
  const parameters = new URLSearchParams();
  for (const [name, typed] of Object.entries({ class: className, to, count, rate, seconds })) {
    if (typed.trim() !== "") {
      parameters.set(name, typed.trim());
    }
  }
  return parameters;
}

export function tapHash(choice: Partial<TapChoice> = {}): string {
  const typed = tapParameters(choice).toString();
  return typed === "" ? TAP_HASH : `${TAP_HASH}?${typed}`;
}

/** A tap on one actor, by its path. */
export function tapOfActor(path: string): string {
  return tapHash({ to: path.replace(/^[a-z]+:\/\/[^/]*/, "") });
}

/** What is asked for; null if the address is another view's. */
export function parseTapHash(hash: string): TapChoice | null {
  if (hash !== TAP_HASH && !hash.startsWith(TAP_HASH + "?")) {
    return null;
  }
  const given = new URLSearchParams(hash.slice(TAP_HASH.length + 1));
  return {
    className: given.get("class") ?? "",
    to: given.get("to") ?? "",
    count: given.get("count") ?? "",
    rate: given.get("rate") ?? "",
    seconds: given.get("seconds") ?? "",
  };
}

export function decodeTap(value: unknown): TapReading {
  const json = answer(value, "/api/v1/tap");
  return {
    id: text(json["id"]),
    open: text(json["state"]) === "open",
    endedBy: knownText(json["endedBy"]),
    endsMillis: number(json["endsMillis"]),
    count: number(json["count"]),
    taken: number(json["taken"]),
    leftOut: number(json["leftOut"]),
    recordedShare: knownNumber(json["recordedShare"]),
    last: number(json["last"]),
    messages: list(json["messages"], message),
  };
}

function message(value: unknown): TapMessage {
  const json = object(value);
  return {
    number: number(json["number"]),
    atMillis: number(json["atMillis"]),
    messageClass: text(json["class"]),
    actorPath: text(json["actorPath"]),
    senderPath: knownText(json["senderPath"]),
    waitNanos: knownNumber(json["waitNanos"]),
    processingNanos: number(json["processingNanos"]),
    error: knownText(json["error"]),
    traceId: text(json["traceId"]),
    spanId: text(json["spanId"]),
    content: knownText(json["content"]),
  };
}
