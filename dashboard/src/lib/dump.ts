// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A dump: all that the page of a process knew at one time, in one file. It answers what the page asks in place of the
 * server, and finds and sorts as that does, but for the terms of a search for traces, which are words here.
 */

type Json = Readonly<Record<string, unknown>>;

export interface DumpAnswer {
  readonly status: number;
  readonly body: unknown;
}

const VERSION = 1;
const MAX_CHARACTERS = 512 * 1024 * 1024;

/** The orders of actors, and the field of each. */
const SORTS: Readonly<Record<string, string>> = {
  mailbox: "mailbox",
  peak: "mailboxPeak",
  rate: "ratePerSecond",
  busy: "busyShare",
  wait: "waitP99Nanos",
  messages: "messages",
  failures: "failures",
  restarts: "restarts",
};

export class Dump {
  private constructor(
    readonly madeAtMillis: number,
    private readonly answers: Json,
  ) {}

  /** Reads a file, packed or not. */
  static async read(file: Blob): Promise<Dump> {
    const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    const packed = head[0] === 0x1f && head[1] === 0x8b;
    const bytes = file.stream();
    const plain = packed ? bytes.pipeThrough(new DecompressionStream("gzip")) : bytes;
    return Dump.of(await textOf(plain));
  }

  static of(text: string): Dump {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      throw new Error("the file is no dump of Deimos: it holds no JSON");
    }
    const { deimosDump, madeAtMillis, answers } = object(json);
    if (typeof deimosDump !== "number" || typeof madeAtMillis !== "number") {
      throw new Error("the file is no dump of Deimos");
    }
    if (deimosDump > VERSION) {
      throw new Error(`the dump is of form ${deimosDump}, and this page reads up to ${VERSION}: use a newer page`);
    }
    return new Dump(madeAtMillis, object(answers));
  }

  /** Answers a request of the page: a path below `api`, with its query. */
  answer(request: string): DumpAnswer {
    const at = request.indexOf("?");
    const path = "/" + decodeURIComponent(at < 0 ? request : request.slice(0, at));
    const query = new URLSearchParams(at < 0 ? "" : request.slice(at + 1));
    if (!Object.hasOwn(this.answers, path)) {
      return { status: 404, body: { error: "this is not in the dump" } };
    }
    const body = object(this.answers[path]);
    switch (path) {
      case "/api/traces":
        return ok({ traces: traces(body, query) });
      case "/api/v1/actors":
        return ok(actors(body, query));
      case "/api/v1/trouble":
        return ok(trouble(body, query));
      case "/api/v1/threads":
        return ok(threads(body, query));
      default:
        return ok(body);
    }
  }
}

async function textOf(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const reader = bytes.pipeThrough(new TextDecoderStream()).getReader();
  const parts: string[] = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > MAX_CHARACTERS) {
      await reader.cancel();
      throw new Error("the file is larger than a dump can be");
    }
    parts.push(part.value);
  }
  return parts.join("");
}

function ok(body: unknown): DumpAnswer {
  return { status: 200, body };
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(object) : [];
}

/** Whether all the words are in what is said. */
function matcher(query: URLSearchParams): (said: unknown) => boolean {
  const words = (query.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return (said) => {
    const text = words.length === 0 ? "" : JSON.stringify(said).toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

/** The spans that the server counts as trouble in a trace. */
const TROUBLE = ["errors", "timeouts", "incidents"];

function traces(body: Json, query: URLSearchParams): readonly Json[] {
  const matches = matcher(query);
  const errors = query.get("errors") === "true";
  return list(body["traces"])
    .filter((trace) => (!errors || TROUBLE.some((one) => Number(trace[one]) > 0)) && matches(trace))
    .slice(0, Number(query.get("limit") ?? 100));
}

function actors(body: Json, query: URLSearchParams): Json {
  const matches = matcher(query);
  const className = query.get("class") ?? "";
  const group = query.get("group") ?? "";
  const parent = query.get("parent") ?? "";
  const found = list(body["actors"]).filter((actor) => {
    const path = String(actor["path"]);
    const type = String(actor["class"]);
    return (
      (className === "" || type === className || type.endsWith(`.${className}`)) &&
      (group === "" || actor["group"] === group) &&
      (parent === "" || path.slice(0, path.lastIndexOf("/")) === parent) &&
      (parent !== "" || query.get("pekko") === "true" || actor["pekko"] !== true) &&
      matches([path, type])
    );
  });
  const sort = query.get("sort") ?? "-mailbox";
  const down = sort.startsWith("-");
  const word = down ? sort.slice(1) : sort;
  const value = (actor: Json) =>
    word === "age" ? -Number(actor["madeAtMillis"]) : Number(actor[SORTS[word] ?? ""] ?? -1);
  found.sort((a, b) => (down ? value(b) - value(a) : value(a) - value(b)));
  const offset = Number(query.get("offset") ?? 0);
  const limit = Number(query.get("limit") ?? 100);
  return { ...body, total: found.length, offset, actors: found.slice(offset, offset + limit) };
}

function trouble(body: Json, query: URLSearchParams): Json {
  const matches = matcher(query);
  const kind = query.get("kind") ?? "";
  const groups = list(body["groups"]).filter((group) => (kind === "" || group["kind"] === kind) && matches(group));
  return { ...body, total: groups.length, groups };
}

function threads(body: Json, query: URLSearchParams): Json {
  const matches = matcher(query);
  const busy = query.get("busy") === "true";
  const dispatchers = list(body["dispatchers"]).map((dispatcher) => ({
    ...dispatcher,
    threads: list(dispatcher["threads"]).filter((thread) => (!busy || thread["work"] !== null) && matches(thread)),
  }));
  return { ...body, dispatchers };
}
