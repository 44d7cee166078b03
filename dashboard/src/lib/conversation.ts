// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A trace as a conversation: who tells whom what, from top to bottom in the order of time. Each span is in exactly one
 * step, or counted among those that are not drawn.
 */
import { callOf } from "./calls";
import type { Span } from "./contract";
import { innermost, scopeName } from "./format";
import type { Node, Tree } from "./tree";

export type LaneKind = "actor" | "outside" | "http" | "db" | "queue" | "journal" | "service" | "dead" | "others";

/** One who takes part: an actor, or an end of HTTP, of a database, of a queue. */
export interface Lane {
  readonly kind: LaneKind;
  /** The class of an actor without its package, a host, a database. */
  readonly label: string;
  /** The last part of an actor's path, or how many actors it stands for; may be empty. */
  readonly detail: string;
  /** All of it, for a tooltip. */
  readonly full: string;
  /** The process, as spans name it. */
  readonly node: string | null;
  /** By what it is coloured, as {@link ownerOf} a span. */
  readonly owner: { readonly name: string; readonly actor: boolean };
}

export interface Message {
  /** A message, an ask or a request, the answer to one, work without a message, a dead letter. */
  readonly kind: "tell" | "ask" | "call" | "answer" | "work" | "dead";
  readonly from: number;
  readonly to: number;
  readonly label: string;
  /** When it was sent, after the first start, and when it was done; of all that it stands for. */
  readonly atNanos: number;
  readonly endNanos: number;
  /** The time before and in its processing, the longest if it stands for several; null if unknown. */
  readonly waitNanos: number | null;
  readonly workNanos: number | null;
  /** It waited in a stash, not in the mailbox. */
  readonly stashed: boolean;
  /** Why it failed; null if it did not. */
  readonly failed: string | null;
  /** How many of the same it stands for. */
  readonly times: number;
  /** The span to look at: of several the one that took longest. */
  readonly spanId: string;
}

export type Step =
  | Message
  /** For so long nothing was sent. */
  | { readonly kind: "gap"; readonly nanos: number }
  /** So many more messages, and how many of them failed. */
  | { readonly kind: "more"; readonly messages: number; readonly failed: number };

export interface Conversation {
  readonly lanes: readonly Lane[];
  readonly steps: readonly Step[];
  /** Whether messages were put together that could be shown one by one. */
  readonly isFolded: boolean;
}

const MAX_LANES = 16;
const MAX_STEPS = 300;
/** A conversation with no more steps is shown as it is. */
const SHORT = 24;
/** From so many on, equal messages are one step. */
const LEAST_REPEATS = 3;
/** The longest run of steps that is looked for again right after itself. */
const MAX_RUN = 6;
/** A pause of this share of the trace is a gap. */
const GAP_SHARE = 0.15;
const MAX_LABEL = 80;

/** Before messages are put together. */
interface Sent {
  readonly kind: Exclude<Message["kind"], "answer">;
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly atNanos: number;
  readonly waitNanos: number | null;
  readonly workNanos: number | null;
  readonly stashed: boolean;
  readonly failed: string | null;
  readonly spanId: string;
  readonly answer: Answer | null;
  readonly below: Sent[];
}

interface Answer {
  readonly from: string;
  readonly atNanos: number;
  readonly tookNanos: number;
  readonly failed: string | null;
}

/**
 * The conversation of a trace.
 *
 * @param folds whether equal messages become one step, if there are many
 */
export function conversation(tree: Tree, folds = true): Conversation {
  const reader = new Reader(tree);
  const top = reader.read();
  const names = fewLanes(reader.lanes, top);
  const all = inOrder(top.flatMap((one) => each(one, names)));
  const many = folds && all.length > SHORT;
  const folded = many ? runs(inOrder(grouped([top], names))) : all;
  return drawn(folded, reader.lanes, tree, many && folded.length < all.length);
}

/** Makes messages of spans. */
class Reader {
  readonly lanes = new Map<string, Lane>();
  private readonly places = new Map<Node, string>();
  /** Requests by the span that has sent them. */
  private readonly sent = new Map<Node, Sent>();
  private readonly top: Sent[] = [];

  constructor(private readonly tree: Tree) {}

  read(): Sent[] {
    const from = this.tree.fromNanos;
    for (const node of this.tree.nodes) {
      const place = this.place(node);
      this.places.set(node, place);
      for (const one of this.messages(node, place, from)) {
        const above = this.above(node);
        (above === null ? this.top : above.below).push(one);
        if (one.kind !== "dead") {
          this.sent.set(node, one);
        }
      }
    }
    return this.top;
  }

  /** The message that led to the one of a span. */
  private above(node: Node): Sent | null {
    for (let up = node.parent; up !== null; up = up.parent) {
      const found = this.sent.get(up);
      if (found !== undefined) {
        return found;
      }
    }
    return null;
  }

  /** Where the work of a span is done. */
  private place(node: Node): string {
    const { span, parent } = node;
    if (isProcessing(span) || isOperation(span)) {
      return this.actor(span.node, text(span, "pekko.actor.path"), text(span, "pekko.actor.class"));
    }
    if (span.kind === "SERVER") {
      const port = span.attributes["server.port"];
      const host = text(span, "server.address") + (port === undefined ? "" : `:${String(port)}`);
      return this.lane("http", "HTTP", host, span.node, span.scope);
    }
    if (parent !== null && span.kind !== "CONSUMER") {
      return this.places.get(parent) ?? this.service(span);
    }
    return isAsk(span) ? this.outside(span) : this.service(span);
  }

  private messages(node: Node, place: string, from: number): Sent[] {
    const { span, parent } = node;
    const after = parent === null ? undefined : this.sent.get(parent);
    const at = Math.max(span.offsetNanos - from, after?.atNanos ?? 0);
    const base = {
      label: label(span),
      atNanos: at,
      waitNanos: span.waitNanos,
      workNanos: Math.max(0, span.durationNanos - (span.waitNanos ?? 0)),
      stashed: "pekko.stash.wait" in span.attributes || span.events.some((event) => event.name === "stashed"),
      failed: failure(span),
      spanId: span.spanId,
      answer: null,
      below: [],
    };
    const lost = span.events.flatMap((event): Sent[] => {
      if (event.name !== "pekko.dead_letter") {
        return [];
      }
      const message = event.attributes["pekko.message.class"];
      return [
        {
          ...base,
          kind: "dead",
          from: place,
          to: this.lane("dead", "dead letters", "", null, ""),
          label: typeof message === "string" ? innermost(message) : "a message",
          atNanos: Math.max(at, event.offsetNanos - from),
          waitNanos: null,
          workNanos: null,
          failed: "became a dead letter",
        },
      ];
    });
    if (isProcessing(span)) {
      // The request of an ask is drawn where the ask is.
      const asked = parent !== null && this.receiver(parent) === node;
      return asked ? lost : [{ ...base, kind: "tell", from: this.sender(node), to: place }, ...lost];
    }
    if (isAsk(span) || isRequest(span)) {
      return [this.request(node, place, base), ...lost];
    }
    if (span.kind === "SERVER") {
      const asked = parent !== null && this.receiver(parent) === node;
      const answer = this.answer(node, place, from);
      return asked ? [] : [{ ...base, kind: "ask", from: this.caller(node), to: place, failed: null, answer }];
    }
    if (span.kind === "PRODUCER" || span.kind === "CONSUMER") {
      const topic = text(span, "messaging.destination.name") || text(span, "messaging.destination");
      const queue = this.lane("queue", topic || text(span, "messaging.system") || "queue", "", null, span.scope);
      const ends = span.kind === "PRODUCER" ? { from: place, to: queue } : { from: queue, to: place };
      return [{ ...base, kind: "call", ...ends }];
    }
    if (isOperation(span)) {
      return [{ ...base, kind: "call", from: place, to: this.lane("journal", "journal", "", span.node, span.scope) }];
    }
    return [{ ...base, kind: "work", from: place, to: place }, ...lost];
  }

  /** An ask, or a request over HTTP, RPC or to a database, with its answer. */
  private request(node: Node, place: string, base: Omit<Sent, "kind" | "from" | "to">): Sent {
    const { span } = node;
    const receiver = this.receiver(node);
    const from = this.tree.fromNanos;
    if (receiver === null && !isAsk(span)) {
      return { ...base, kind: "call", from: place, to: this.peer(span) };
    }
    const to = receiver === null ? this.asked(span) : this.place(receiver);
    const of = receiver?.span ?? null;
    const wait = of === null ? null : (of.waitNanos ?? Math.max(0, of.offsetNanos - span.offsetNanos));
    return {
      ...base,
      kind: "ask",
      from: place,
      to,
      label: of === null || of.kind !== "SERVER" ? base.label : label(of),
      waitNanos: wait,
      workNanos: of === null ? null : Math.max(0, of.durationNanos - (of.waitNanos ?? 0)),
      failed: of === null || of.kind === "SERVER" ? null : failure(of),
      answer: this.answer(node, this.answering(node, receiver) ?? to, from),
    };
  }

  private answer(node: Node, from: string, start: number): Answer {
    const { span } = node;
    const end = span.offsetNanos + span.durationNanos - start;
    return { from, atNanos: end, tookNanos: span.durationNanos, failed: failure(span) };
  }

  /** The span that a request became on the other side. */
  private receiver(node: Node): Node | null {
    const fits = isAsk(node.span)
      ? (span: Span) => isProcessing(span)
      : isRequest(node.span)
        ? (span: Span) => span.kind === "SERVER"
        : () => false;
    return node.children.find((child) => fits(child.span)) ?? null;
  }

  /** The actor that was at work below an ask when the answer came, where that is known; null if it is not. */
  private answering(ask: Node, receiver: Node | null): string | null {
    if (!isAsk(ask.span) || receiver === null) {
      return null;
    }
    const end = ask.span.offsetNanos + ask.span.durationNanos;
    let found: Node | null = null;
    const stack: Node[] = [...ask.children];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const { span } = at;
      const begins = span.offsetNanos + (span.waitNanos ?? 0);
      const works = isProcessing(span) && begins <= end && end <= span.offsetNanos + span.durationNanos;
      if (works && (found === null || span.offsetNanos > found.span.offsetNanos)) {
        found = at;
      }
      if (!isAsk(span)) {
        stack.push(...at.children);
      }
    }
    return found === null ? null : this.place(found);
  }

  /** The sender of a message: who was at work then, else whom it names. */
  private sender(node: Node): string {
    const { span, parent } = node;
    if (parent !== null) {
      return this.places.get(parent) ?? this.outside(span);
    }
    const path = text(span, "pekko.sender.path");
    return path === "" || /\/(temp|deadLetters)(\/|$)/.test(path)
      ? this.outside(span)
      : this.actor(span.node, path, "");
  }

  private caller(node: Node): string {
    return (node.parent === null ? undefined : this.places.get(node.parent)) ?? this.outside(node.span);
  }

  /** The other end of a request that no span tells of. */
  private peer(span: Span): string {
    const call = callOf(span);
    const host = text(span, "server.address") || text(span, "net.peer.name");
    if (call?.kind === "db") {
      return this.lane("db", call.mark, text(span, "db.namespace") || text(span, "db.name") || host, null, span.scope);
    }
    return this.lane(call === null ? "service" : "http", host || scopeName(span.scope), "", null, span.scope);
  }

  private asked(span: Span): string {
    const path = text(span, "pekko.actor.path");
    return path === "" ? this.outside(span) : this.actor(span.node, path, text(span, "pekko.actor.class"));
  }

  private outside(span: Span): string {
    return this.lane("outside", "outside", "", span.node, "");
  }

  private service(span: Span): string {
    return this.lane("service", scopeName(span.scope), "", span.node, span.scope);
  }

  private actor(node: string | null, path: string, className: string): string {
    const key = `actor ${node ?? ""} ${path}`;
    const known = this.lanes.get(key);
    if (known === undefined || (known.owner.name === path && className !== "")) {
      const last = path.slice(path.lastIndexOf("/") + 1);
      this.lanes.set(key, {
        kind: "actor",
        label: className === "" ? last || "an actor" : innermost(className),
        detail: className === "" ? "" : last,
        full: className === "" ? path : `${className} ${path}`,
        node,
        owner: { name: className === "" ? path : className, actor: true },
      });
    }
    return key;
  }

  private lane(kind: LaneKind, name: string, detail: string, node: string | null, scope: string): string {
    const key = `${kind} ${node ?? ""} ${name} ${detail}`;
    if (!this.lanes.has(key)) {
      const full = detail === "" ? name : `${name} ${detail}`;
      this.lanes.set(key, { kind, label: name, detail, full, node, owner: { name: scope, actor: false } });
    }
    return key;
  }
}

/**
 * The lane to draw for each: itself, or one for all actors of a class if there are too many, or one for all that take
 * part least. Adds those lanes.
 */
function fewLanes(lanes: Map<string, Lane>, top: readonly Sent[]): (lane: string) => string {
  const uses = new Map<string, number>();
  const stack = [...top];
  for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
    for (const end of [one.from, one.to, ...(one.answer === null ? [] : [one.answer.from])]) {
      uses.set(end, (uses.get(end) ?? 0) + 1);
    }
    stack.push(...one.below);
  }
  const of = new Map([...uses.keys()].map((key) => [key, key]));
  if (uses.size > MAX_LANES) {
    const byClass = new Map<string, string[]>();
    for (const key of uses.keys()) {
      const lane = lanes.get(key);
      if (lane?.kind === "actor" && lane.detail !== "") {
        const name = `class ${lane.node ?? ""} ${lane.owner.name}`;
        byClass.set(name, [...(byClass.get(name) ?? []), key]);
      }
    }
    for (const [name, members] of byClass) {
      const first = lanes.get(members[0] ?? "");
      if (members.length > 1 && first !== undefined) {
        lanes.set(name, {
          ...first,
          detail: `${members.length} actors`,
          full: `${members.length} × ${first.owner.name}`,
        });
        for (const key of members) {
          of.set(key, name);
          uses.set(name, (uses.get(name) ?? 0) + (uses.get(key) ?? 0));
        }
      }
    }
  }
  const shown = [...new Set(of.values())].sort((a, b) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0));
  const rest = new Set(shown.length > MAX_LANES ? shown.slice(MAX_LANES - 1) : []);
  if (rest.size > 0) {
    lanes.set("others", {
      kind: "others",
      label: `${rest.size} others`,
      detail: "",
      full: [...rest]
        .slice(0, 20)
        .map((key) => lanes.get(key)?.full ?? "")
        .join("\n"),
      node: null,
      owner: { name: "", actor: false },
    });
  }
  return (lane) => {
    const name = of.get(lane) ?? lane;
    return rest.has(name) ? "others" : name;
  };
}

/** A step before its lanes are numbers. */
type Row = Omit<Message, "from" | "to"> & { readonly from: string; readonly to: string };

/** A message and its answer, and all below, one by one. Without recursion: a trace may be a chain of thousands. */
function each(top: Sent, names: (lane: string) => string): Row[] {
  const rows: Row[] = [];
  const stack = [top];
  for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
    rows.push(...rowsOf([one], names));
    stack.push(...one.below);
  }
  return rows;
}

/** The same, with equal messages that have the same cause as one. */
function grouped(from: readonly (readonly Sent[])[], names: (lane: string) => string): Row[] {
  const rows: Row[] = [];
  const stack = [...from];
  for (let siblings = stack.pop(); siblings !== undefined; siblings = stack.pop()) {
    const alike = new Map<string, Sent[]>();
    for (const one of siblings) {
      const failed = one.failed !== null || (one.answer?.failed ?? null) !== null;
      const key = JSON.stringify([one.kind, names(one.from), names(one.to), one.label, failed]);
      const group = alike.get(key);
      if (group === undefined) {
        alike.set(key, [one]);
      } else {
        group.push(one);
      }
    }
    for (const group of alike.values()) {
      for (const together of group.length < LEAST_REPEATS ? group.map((one) => [one]) : [group]) {
        rows.push(...rowsOf(together, names));
        const below = together.flatMap((one) => one.below);
        if (below.length > 0) {
          stack.push(below);
        }
      }
    }
  }
  return rows;
}

/** The steps of messages that are alike: the message, and its answer if there is one. */
function rowsOf(alike: readonly Sent[], names: (lane: string) => string): Row[] {
  const [first] = alike;
  if (first === undefined) {
    return [];
  }
  const took = (one: Sent) => (one.answer?.tookNanos ?? 0) + (one.waitNanos ?? 0) + (one.workNanos ?? 0);
  const longest = alike.reduce((a, b) => (took(b) > took(a) ? b : a));
  const starts = alike.map((one) => one.atNanos);
  const common = { label: first.label, times: alike.length, spanId: longest.spanId };
  const rows: Row[] = [
    {
      ...common,
      kind: first.kind,
      from: names(first.from),
      to: names(first.to),
      atNanos: least(starts),
      endNanos: greatest(alike.map((one) => one.atNanos + (one.waitNanos ?? 0) + (one.workNanos ?? 0))),
      waitNanos: greatestOf(alike.map((one) => one.waitNanos)),
      workNanos: greatestOf(alike.map((one) => one.workNanos)),
      stashed: first.stashed,
      failed: first.failed,
    },
  ];
  const answers = alike.flatMap((one) => (one.answer === null ? [] : [one.answer]));
  const [answer] = answers;
  if (answer !== undefined) {
    rows.push({
      ...common,
      kind: "answer",
      from: names(answer.from),
      to: names(first.from),
      atNanos: Math.max(least(answers.map((one) => one.atNanos)), least(starts)),
      endNanos: greatest(answers.map((one) => one.atNanos)),
      waitNanos: null,
      workNanos: greatest(answers.map((one) => one.tookNanos)),
      stashed: false,
      failed: answer.failed,
    });
  }
  return rows;
}

function inOrder(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => a.atNanos - b.atNanos);
}

/** Puts steps together that follow each other again and again, such as the two of a ping and a pong. */
function runs(rows: readonly Row[]): Row[] {
  const keys = rows.map((row) =>
    JSON.stringify([row.kind, row.from, row.to, row.label, row.failed !== null, row.times]),
  );
  const left: Row[] = [];
  for (let at = 0; at < rows.length;) {
    const { length, repeats } = run(keys, at);
    for (let i = 0; i < length; i++) {
      const same = Array.from({ length: repeats }, (_, n) => rows[at + n * length + i]).filter(
        (row) => row !== undefined,
      );
      const [first] = same;
      if (first !== undefined) {
        left.push({
          ...first,
          endNanos: greatest(same.map((row) => row.endNanos)),
          waitNanos: greatestOf(same.map((row) => row.waitNanos)),
          workNanos: greatestOf(same.map((row) => row.workNanos)),
          times: first.times * same.length,
        });
      }
    }
    at += length * repeats;
  }
  return left;
}

/** The run of steps from here that covers most by being repeated; one step, once, if none is. */
function run(keys: readonly string[], at: number): { readonly length: number; readonly repeats: number } {
  let best = { length: 1, repeats: 1 };
  for (let length = 1; length <= MAX_RUN; length++) {
    let repeats = 1;
    while (isAgain(keys, at, length, repeats)) {
      repeats++;
    }
    if (repeats >= LEAST_REPEATS && length * repeats > best.length * best.repeats) {
      best = { length, repeats };
    }
  }
  return best;
}

function isAgain(keys: readonly string[], at: number, length: number, repeats: number): boolean {
  for (let i = 0; i < length; i++) {
    const key = keys[at + repeats * length + i];
    if (key === undefined || key !== keys[at + i]) {
      return false;
    }
  }
  return true;
}

function drawn(rows: readonly Row[], lanes: ReadonlyMap<string, Lane>, tree: Tree, isFolded: boolean): Conversation {
  const kept = rows.slice(0, MAX_STEPS);
  const order: string[] = [];
  const number = (key: string) => {
    const known = order.indexOf(key);
    return known >= 0 ? known : order.push(key) - 1;
  };
  const steps: Step[] = [];
  const gap = GAP_SHARE * (tree.toNanos - tree.fromNanos);
  let before = 0;
  for (const row of kept) {
    if (row.atNanos - before >= gap && steps.length > 0) {
      steps.push({ kind: "gap", nanos: row.atNanos - before });
    }
    before = Math.max(before, row.times > 1 ? row.endNanos : row.atNanos);
    steps.push({ ...row, from: number(row.from), to: number(row.to) });
  }
  const rest = rows.slice(MAX_STEPS);
  if (rest.length > 0) {
    const messages = (some: readonly Row[]) => some.reduce((sum, row) => sum + row.times, 0);
    // An ask that failed counts by its answer.
    const failed = rest.filter((row) => row.failed !== null && row.kind !== "ask");
    steps.push({
      kind: "more",
      messages: messages(rest.filter(({ kind }) => kind !== "answer")),
      failed: messages(failed),
    });
  }
  return { lanes: order.flatMap((key) => lanes.get(key) ?? []), steps, isFolded };
}

function isPekko(span: Span): boolean {
  return span.attributes["messaging.system"] === "pekko";
}

function isProcessing(span: Span): boolean {
  return (
    isPekko(span) && span.attributes["messaging.operation.type"] === "process" && "pekko.actor.path" in span.attributes
  );
}

function isAsk(span: Span): boolean {
  return isPekko(span) && span.attributes["messaging.operation.type"] === "send";
}

/** Work of an actor beside messages, such as to persist events. */
function isOperation(span: Span): boolean {
  return !isPekko(span) && "pekko.actor.path" in span.attributes;
}

function isRequest(span: Span): boolean {
  return span.kind === "CLIENT" && !isPekko(span);
}

function label(span: Span): string {
  const message = text(span, "pekko.message.class");
  const call = callOf(span);
  const said =
    message !== "" && isPekko(span)
      ? innermost(message)
      : call?.kind === "db"
        ? call.what || span.name
        : call !== null && span.kind === "CLIENT"
          ? `${span.name} ${call.what}`
          : span.name;
  const flat = said.replace(/\s+/g, " ").trim();
  return flat === "" ? "unnamed" : flat.length > MAX_LABEL ? flat.slice(0, MAX_LABEL) + "…" : flat;
}

function failure(span: Span): string | null {
  if (span.status !== "ERROR") {
    return null;
  }
  const call = callOf(span);
  const type = text(span, "error.type");
  return span.statusMessage || call?.mark || (type === "timeout" ? "no answer in time" : type) || "error";
}

function text(span: Span, name: string): string {
  const value = span.attributes[name];
  return typeof value === "string" ? value : "";
}

/** Not by Math.min(...): there may be more than arguments can be. */
function least(some: readonly number[]): number {
  return some.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

function greatest(some: readonly number[]): number {
  return some.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
}

function greatestOf(some: readonly (number | null)[]): number | null {
  const known = some.filter((one) => one !== null);
  return known.length === 0 ? null : greatest(known);
}
