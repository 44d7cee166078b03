// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The answers of `/api/v1/threads`: dispatchers with their threads, and what each thread does. */
import { answer, knownNumber, knownText, list, number, object, text } from "./decode";

/** The message that a thread processes. */
export interface Work {
  readonly actorPath: string | null;
  readonly actorClass: string;
  readonly messageClass: string;
  /** Null if the message is not timed. */
  readonly forNanos: number | null;
  readonly traceId: string | null;
  readonly spanId: string | null;
}

export interface ThreadLine {
  readonly id: number;
  readonly name: string;
  /** As the JVM says it, in lower case: `runnable`, `blocked`, `timed_waiting` … */
  readonly state: string;
  readonly work: Work | null;
}

/** A dispatcher; without a name, the threads of none. */
export interface Dispatcher {
  readonly system: string | null;
  readonly name: string | null;
  readonly executor: string | null;
  readonly parallelism: number | null;
  readonly active: number | null;
  readonly queued: number | null;
  readonly actors: number | null;
  /** For how long a task has been waiting for a thread; 0 if none is. */
  readonly waitNanos: number;
  readonly threads: readonly ThreadLine[];
}

export interface ThreadTable {
  readonly starvations: number;
  readonly threadsLeftOut: number;
  readonly dispatchers: readonly Dispatcher[];
}

export function decodeThreads(value: unknown): ThreadTable {
  const json = answer(value, "/api/v1/threads");
  return {
    starvations: number(json["starvations"]),
    threadsLeftOut: number(json["threadsLeftOut"]),
    dispatchers: list(json["dispatchers"], dispatcher),
  };
}

export function decodeStack(value: unknown): readonly string[] {
  return list(answer(value, "/api/v1/threads")["frames"], text);
}

function dispatcher(value: unknown): Dispatcher {
  const json = object(value);
  return {
    system: knownText(json["system"]),
    name: knownText(json["name"]),
    executor: knownText(json["executor"]),
    parallelism: knownNumber(json["parallelism"]),
    active: knownNumber(json["active"]),
    queued: knownNumber(json["queued"]),
    actors: knownNumber(json["actors"]),
    waitNanos: number(json["waitNanos"]),
    threads: list(json["threads"], thread),
  };
}

function thread(value: unknown): ThreadLine {
  const json = object(value);
  const work = json["work"];
  return {
    id: number(json["id"]),
    name: text(json["name"]),
    state: text(json["state"]),
    work: work === null || work === undefined ? null : workOf(object(work)),
  };
}

function workOf(json: ReturnType<typeof object>): Work {
  return {
    actorPath: knownText(json["actorPath"]),
    actorClass: text(json["actorClass"]),
    messageClass: text(json["messageClass"]),
    forNanos: knownNumber(json["forNanos"]),
    traceId: knownText(json["traceId"]),
    spanId: knownText(json["spanId"]),
  };
}
