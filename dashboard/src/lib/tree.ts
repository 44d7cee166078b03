// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The tree of a trace's spans, by parent. Spans come from other processes and late, so parents may be missing, come
 * twice or even form a ring: every span is shown exactly once all the same, and what is odd about it is said.
 */
import { answer } from "./answers";
import type { Span, Trace } from "./contract";

export interface Node {
  readonly span: Span;
  /** Place in the trace's own list; unique, which a span id need not be. */
  readonly index: number;
  readonly parent: Node | null;
  readonly depth: number;
  readonly children: readonly Node[];
  /** Names a parent that is not among the spans. */
  readonly orphan: boolean;
  /** Its own error and those below it. */
  readonly errors: number;
  readonly descendants: number;
}

export interface Tree {
  readonly roots: readonly Node[];
  /** All nodes in the order in which they are shown. */
  readonly nodes: readonly Node[];
  readonly orphans: number;
  /** The times of the earliest start and the latest end, from the trace's start. */
  readonly fromNanos: number;
  readonly toNanos: number;
}

interface Growing extends Node {
  parent: Growing | null;
  depth: number;
  children: Growing[];
  orphan: boolean;
  errors: number;
  descendants: number;
}

/** A span does not end before it began, nor does it wait for less than nothing. */
export function readTrace(value: unknown): Trace {
  const trace = answer("/api/traces/{id}", value);
  const least = (nanos: number) => Math.max(0, nanos);
  const spans = trace.spans.map((span) => ({
    ...span,
    durationNanos: least(span.durationNanos),
    waitNanos: span.waitNanos === null ? null : least(span.waitNanos),
  }));
  return { ...trace, spans };
}

export function buildTree(trace: Trace): Tree {
  const nodes = trace.spans.map((span, index): Growing => ({
    span,
    index,
    parent: null,
    depth: 0,
    children: [],
    orphan: false,
    errors: span.status === "ERROR" ? 1 : 0,
    descendants: 0,
  }));
  const byId = new Map<string, Growing>();
  for (const node of nodes) {
    if (!byId.has(node.span.spanId)) {
      byId.set(node.span.spanId, node);
    }
  }
  for (const node of nodes) {
    const { parentSpanId } = node.span;
    if (parentSpanId === null) {
      continue;
    }
    const parent = byId.get(parentSpanId);
    node.parent = parent === undefined || closesRing(node, parent) ? null : parent;
    node.orphan = parent === undefined;
    node.parent?.children.push(node);
  }
  const roots = nodes.filter((node) => node.parent === null).sort(byStart);
  const ordered = preorder(roots);
  for (const node of [...ordered].reverse()) {
    if (node.parent !== null) {
      node.parent.errors += node.errors;
      node.parent.descendants += node.descendants + 1;
    }
  }
  let fromNanos = 0;
  let toNanos = trace.durationNanos;
  for (const { span } of ordered) {
    fromNanos = Math.min(fromNanos, span.offsetNanos);
    toNanos = Math.max(toNanos, span.offsetNanos + span.durationNanos);
  }
  return {
    roots,
    nodes: ordered,
    orphans: ordered.filter((node) => node.orphan).length,
    fromNanos,
    toNanos: Math.max(toNanos, fromNanos + 1),
  };
}

/** The nodes that are shown when the children of the collapsed ones are not. */
export function visibleNodes(tree: Tree, collapsed: ReadonlySet<number>): readonly Node[] {
  if (collapsed.size === 0) {
    return tree.nodes;
  }
  const shown: Node[] = [];
  for (let i = 0; i < tree.nodes.length; i++) {
    const node = tree.nodes[i];
    if (node !== undefined) {
      shown.push(node);
      i += collapsed.has(node.index) ? node.descendants : 0;
    }
  }
  return shown;
}

const TROUBLE = new Set(["pekko.dead_letter", "pekko.stuck", "pekko.ask_timeout"]);

/** Whether something went wrong in a span: an error, or a message that was lost or stuck. */
export function isTrouble(span: Span): boolean {
  return span.status === "ERROR" || span.events.some((event) => TROUBLE.has(event.name));
}

/** The next span with trouble below a node, from the top again after the last; null if there is none. */
export function nextError(tree: Tree, after: Node | null): Node | null {
  const at = after === null ? -1 : tree.nodes.indexOf(after);
  const wrong = tree.nodes.filter((node) => isTrouble(node.span));
  return wrong.find((node) => tree.nodes.indexOf(node) > at) ?? wrong[0] ?? null;
}

/** By what a span is coloured and named in the legend: the actor's class, else the library that made it. */
export function ownerOf(span: Span): { readonly name: string; readonly actor: boolean } {
  const actorClass = span.attributes["pekko.actor.class"];
  return typeof actorClass === "string" && actorClass !== ""
    ? { name: actorClass, actor: true }
    : { name: span.scope, actor: false };
}

/** The owners of a trace with their number of spans, the most frequent first. */
export function owners(spans: readonly Span[]): readonly { name: string; actor: boolean; spans: number }[] {
  const found = new Map<string, { name: string; actor: boolean; spans: number }>();
  for (const span of spans) {
    const owner = ownerOf(span);
    const entry = found.get(owner.name) ?? { ...owner, spans: 0 };
    entry.spans++;
    found.set(owner.name, entry);
  }
  return [...found.values()].sort((a, b) => b.spans - a.spans || a.name.localeCompare(b.name));
}

/** Parents are given one by one, so a ring can only be closed by the last of its members. */
function closesRing(node: Growing, parent: Growing): boolean {
  for (let above: Growing | null = parent; above !== null; above = above.parent) {
    if (above === node) {
      return true;
    }
  }
  return false;
}

/** Without recursion: a trace may be a chain of thousands. */
function preorder(roots: readonly Growing[]): Growing[] {
  const ordered: Growing[] = [];
  const stack = [...roots].reverse();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    ordered.push(node);
    node.children.sort(byStart);
    for (let i = node.children.length - 1; i >= 0; i--) {
      const child = node.children[i];
      if (child !== undefined) {
        child.depth = node.depth + 1;
        stack.push(child);
      }
    }
  }
  return ordered;
}

function byStart(a: Growing, b: Growing): number {
  return a.span.offsetNanos - b.span.offsetNanos || a.index - b.index;
}
