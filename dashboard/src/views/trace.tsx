// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** One trace: fetched, asked for again while spans may still come, and shown as a waterfall with a span's details. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { fetchTrace } from "../api";
import type { Trace } from "../lib/contract";
import { count, duration, innermost, plural, scopeName, timeOfDay } from "../lib/format";
import { Poll } from "../lib/poll";
import { traceHash } from "../lib/route";
import { buildTree, owners, type Tree } from "../lib/tree";
import { type Store, TIMERS } from "../store";
import { Detail } from "./detail";
import { Empty, Swatch } from "./parts";
import { Waterfall } from "./waterfall";

const REFRESH_MILLIS = 2000;
/** Spans of a trace that ended this long ago have come, or will not. */
const SETTLED_MILLIS = 10_000;
const OWNERS_SHOWN = 14;

type Loaded = "asking" | "gone" | Trace;

export function TraceView(props: { store: Store; traceId: string; spanId: string | null }) {
  const { store, traceId, spanId } = props;
  const [loaded, setLoaded] = useState<Loaded>("asking");
  const [failure, setFailure] = useState<string | null>(null);
  const [dropped, setDropped] = useState(false);

  useEffect(() => {
    const poll = new Poll({
      request: (signal) => fetchTrace(traceId, signal),
      onValue: (trace) => {
        setFailure(null);
        if (trace === null) {
          setLoaded((before) => (typeof before === "object" ? before : "gone"));
          setDropped(true);
          poll.stop();
          return;
        }
        setLoaded((before) => (sameSpans(before, trace) ? before : trace));
        setDropped(false);
        const end = trace.startEpochMillis + trace.durationNanos / 1e6;
        if ((store.state?.nowMillis ?? Date.now()) - end > SETTLED_MILLIS) {
          poll.stop();
        }
      },
      onFailure: setFailure,
      intervalMillis: REFRESH_MILLIS,
      timeoutMillis: 10_000,
      timers: TIMERS,
    });
    poll.start();
    return () => poll.stop();
  }, [traceId]);

  const tree = useMemo(() => (typeof loaded === "object" ? buildTree(loaded) : null), [loaded]);
  if (typeof loaded !== "object" || tree === null) {
    return (
      <div class="panel trace-missing">
        <a class="back" href="#/">
          ← Overview
        </a>
        {loaded === "gone" ? (
          <Empty title="This trace is not kept any more">
            The store holds the latest traces and lets the oldest go; <code>{traceId}</code> is not among them. Export
            by OTLP to keep traces for longer.
          </Empty>
        ) : (
          <Empty title="Asking for the trace …">
            {failure === null ? <code>{traceId}</code> : `No answer yet: ${failure}.`}
          </Empty>
        )}
      </div>
    );
  }
  const select = (id: string | null) => store.replaceRoute(traceHash(traceId, id));
  const selected = tree.nodes.find((node) => node.span.spanId === spanId) ?? null;
  return (
    <div class="trace-view">
      <TraceHead store={store} trace={loaded} tree={tree} dropped={dropped} />
      <div class={`trace-body ${selected === null ? "" : "with-detail"}`}>
        <Waterfall store={store} tree={tree} selected={selected} onSelect={select} />
        {selected !== null && (
          <Detail
            store={store}
            node={selected}
            startEpochMillis={loaded.startEpochMillis}
            onClose={() => select(null)}
            onSelect={select}
          />
        )}
      </div>
    </div>
  );
}

function TraceHead(props: { store: Store; trace: Trace; tree: Tree; dropped: boolean }) {
  const { store, trace, tree } = props;
  const root = tree.nodes.find((node) => !node.orphan) ?? tree.nodes[0];
  const errors = tree.roots.reduce((n, node) => n + node.errors, 0);
  const found = useMemo(() => owners(trace.spans), [trace]);
  return (
    <div class="panel trace-head">
      <div class="trace-title">
        <a class="back" href="#/" aria-label="Back to the overview">
          ←
        </a>
        <h2>{root === undefined ? "Trace without spans" : root.span.name || "unnamed"}</h2>
        {errors > 0 && <span class="mark bad">{plural(errors, "error")}</span>}
        <ul class="facts">
          <li>
            <b>{duration(tree.toNanos - tree.fromNanos)}</b>
          </li>
          <li>{plural(trace.spans.length, "span")}</li>
          <li>
            <span class="fact-label">began</span> {timeOfDay(trace.startEpochMillis, true)}
          </li>
          <li class="fact-extra">
            <span class="fact-label">trace</span> <Copied text={trace.traceId} />
          </li>
        </ul>
      </div>
      <ul class="owners" aria-label="Colours">
        {found.slice(0, OWNERS_SHOWN).map((owner) => (
          <li key={owner.name} title={`${owner.name}: ${plural(owner.spans, "span")}`}>
            <Swatch colour={store.paletteOf(owner).of(owner.name)} />
            {owner.actor ? innermost(owner.name) : <i>{scopeName(owner.name)}</i>}
            <span class="owner-count">{count(owner.spans)}</span>
          </li>
        ))}
        {found.length > OWNERS_SHOWN && <li>and {count(found.length - OWNERS_SHOWN)} more</li>}
        <li class="owner-key">
          <span class="key-wait" aria-hidden="true" /> in the mailbox
          <span class="key-work" aria-hidden="true" /> processing
        </li>
      </ul>
      {tree.orphans > 0 && (
        <p class="trace-note odd" id="orphans">
          {tree.orphans === 1
            ? "One span has a parent that is not in the store"
            : `${count(tree.orphans)} spans have a parent that is not in the store`}
          : it was dropped, has not ended yet, or belongs to another process.{" "}
          {tree.orphans === 1 ? "It stands" : "They stand"} at the top level.
        </p>
      )}
      {props.dropped && (
        <p class="trace-note">
          The store has let this trace go in the meantime; reloading the page will not bring it back.
        </p>
      )}
    </div>
  );
}

function Copied({ text }: { text: string }) {
  const [done, setDone] = useState(false);
  const copy = () => {
    navigator.clipboard?.writeText(text).then(
      () => {
        setDone(true);
        setTimeout(() => setDone(false), 1500);
      },
      () => {},
    );
  };
  return (
    <button type="button" class="copy" title="Copy the trace id" onClick={copy}>
      <code>{text}</code> <span aria-live="polite">{done ? "copied" : ""}</span>
    </button>
  );
}

/** Spans are only ever added, so their number tells. */
function sameSpans(before: Loaded, after: Trace): boolean {
  return (
    typeof before === "object" &&
    before.spans.length === after.spans.length &&
    before.durationNanos === after.durationNanos
  );
}
