// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** One trace: fetched, asked for again while spans may still come, and shown as a waterfall with a span's details. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { fetchTrace } from "../api";
import type { Absent } from "../lib/answers";
import type { Trace } from "../lib/contract";
import { count, duration, innermost, plural, scopeName, timeOfDay } from "../lib/format";
import { save } from "../lib/files";
import { withName } from "../lib/groups";
import { toOtlp } from "../lib/otlp";
import { Poll } from "../lib/poll";
import { traceHash, tracesHash } from "../lib/route";
import { whereHash } from "../lib/where";
import { buildTree, isTrouble, nextError, owners, type Tree } from "../lib/tree";
import { epochMillis } from "../lib/read";
import type { Store } from "../store";
import { TIMERS } from "../timers";
import { ConversationView } from "./conversation";
import { Detail } from "./detail";
import { Logs } from "./logs";
import { Empty, Swatch } from "./parts";
import { PartMark } from "./traces";
import { pollWhileVisible } from "./polled";
import { Waterfall } from "./waterfall";

const REFRESH_MILLIS = 2000;
/** Spans of a trace that ended this long ago have come, or will not. */
const SETTLED_MILLIS = 10_000;
const OWNERS_SHOWN = 14;

type Loaded = "asking" | Absent | Trace;

export function TraceView(props: { store: Store; traceId: string; spanId: string | null; talks: boolean }) {
  const { store, traceId, spanId, talks } = props;
  const [loaded, setLoaded] = useState<Loaded>("asking");
  const [failure, setFailure] = useState<string | null>(null);
  const [dropped, setDropped] = useState(false);

  const opened = store.opened.get(traceId);
  useEffect(() => {
    if (opened !== null) {
      setLoaded(opened);
      return;
    }
    const poll = new Poll({
      request: (signal) => fetchTrace(traceId, signal),
      onValue: (trace) => {
        setFailure(null);
        if ("absent" in trace) {
          setLoaded((before) => (isTrace(before) ? before : trace));
          setDropped(true);
          poll.stop();
          return;
        }
        setLoaded((before) => (sameSpans(before, trace) ? before : trace));
        setDropped(false);
        const end = epochMillis(trace.startEpochNanos) + trace.durationNanos / 1e6;
        if (!trace.running && (store.state?.nowMillis ?? Date.now()) - end > SETTLED_MILLIS) {
          poll.stop();
        }
      },
      onFailure: setFailure,
      intervalMillis: REFRESH_MILLIS,
      timeoutMillis: 10_000,
      timers: TIMERS,
    });
    return pollWhileVisible(poll);
  }, [traceId, opened]);

  const tree = useMemo(() => (isTrace(loaded) ? buildTree(loaded) : null), [loaded]);
  const select = (id: string | null) => store.replaceRoute(traceHash(traceId, id, talks));
  const selected = tree?.nodes.find((node) => node.span.spanId === spanId) ?? null;
  const goToNextError = () => {
    const wrong = tree === null ? null : nextError(tree, selected);
    if (wrong !== null) {
      select(wrong.span.spanId);
    }
  };
  useKey(store, "n", goToNextError);
  if (!isTrace(loaded) || tree === null) {
    return (
      <div class="panel trace-missing">
        <a class="back" href={store.back}>
          ← Traces
        </a>
        {loaded !== "asking" && !isTrace(loaded) ? (
          <Empty title="This trace cannot be shown">
            {loaded.absent} <code>{traceId}</code>. To keep all traces, export them by OTLP.
          </Empty>
        ) : (
          <Empty title="Asking for the trace …">
            {failure === null ? <code>{traceId}</code> : `No answer yet: ${failure}.`}
          </Empty>
        )}
      </div>
    );
  }
  return (
    <div class="trace-view">
      <TraceHead
        store={store}
        trace={loaded}
        tree={tree}
        dropped={dropped}
        spanId={spanId}
        talks={talks}
        onNextError={goToNextError}
      />
      <div class={`trace-body ${selected === null ? "" : "with-detail"}`}>
        {talks ? (
          <ConversationView store={store} traceId={traceId} tree={tree} selected={selected} onSelect={select} />
        ) : (
          <Waterfall store={store} tree={tree} selected={selected} onSelect={select} />
        )}
        {selected !== null && (
          <Detail
            store={store}
            node={selected}
            startEpochMillis={epochMillis(loaded.startEpochNanos)}
            onClose={() => select(null)}
            onSelect={select}
          />
        )}
      </div>
      <Logs choice={{ trace: traceId }} paths={store.pathsOf(loaded.spans)} />
    </div>
  );
}

/** A key that works wherever nothing is typed into. */
function useKey(store: Store, key: string, act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = (event.target as HTMLElement).matches("input, textarea, select");
      if (event.key !== key || typing || event.ctrlKey || event.metaKey || event.altKey) {
        return;
      }
      if (key.length > 1 || !store.typing.goesOn(event)) {
        latest.current();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [key]);
}

function TraceHead(props: {
  store: Store;
  trace: Trace;
  tree: Tree;
  dropped: boolean;
  spanId: string | null;
  talks: boolean;
  onNextError: () => void;
}) {
  const { store, trace, tree } = props;
  const root = tree.nodes.find((node) => !node.orphan) ?? tree.nodes[0];
  const errors = tree.nodes.filter((node) => isTrouble(node.span)).length;
  const found = useMemo(() => owners(trace.spans), [trace]);
  return (
    <div class="panel trace-head">
      <div class="trace-title">
        <a class="back" href={store.back} aria-label="Back to the traces">
          ←
        </a>
        <h2>{trace.name || (root === undefined ? "Trace without spans" : root.span.name || "unnamed")}</h2>
        {errors > 0 && (
          <button
            type="button"
            class="mark bad next-error"
            title="Go to the next span with an error (n)"
            onClick={props.onNextError}
          >
            {plural(errors, "error")} ›
          </button>
        )}
        <PartMark trace={trace} />
        {store.opened.get(trace.traceId) !== null && <span class="mark">from a file</span>}
        <ul class="facts">
          <li>
            <b>{duration(tree.toNanos - tree.fromNanos)}</b>
          </li>
          <li>{plural(trace.spans.length, "span")}</li>
          <li>
            <span class="fact-label">began</span> {timeOfDay(epochMillis(trace.startEpochNanos), true)}
          </li>
          <li class="fact-extra">
            <span class="fact-label">trace</span> <Copied text={trace.traceId} />
          </li>
          <li>
            <nav class="switch" aria-label="How the trace is shown">
              {[false, true].map((talks) => (
                <a
                  key={String(talks)}
                  class="toggle"
                  aria-current={talks === props.talks ? "true" : undefined}
                  href={traceHash(trace.traceId, props.spanId, talks)}
                  title={talks ? "A sequence diagram: who told whom, in order" : "When each span began and ended"}
                >
                  {talks ? "conversation" : "waterfall"}
                </a>
              ))}
            </nav>
          </li>
          <li>
            <a
              class="toggle"
              href={whereHash(`trace:${trace.traceId}`)}
              title="The fate of the messages of this trace, those that still wait among them"
            >
              messages
            </a>
          </li>
          <li>
            <a
              class="toggle"
              href={tracesHash({ query: withName("", trace.name) }, trace.traceId)}
              title="Choose another trace to see both side by side"
            >
              compare …
            </a>
          </li>
          <li>
            <button
              type="button"
              class="toggle"
              title="Save this trace as OTLP JSON, which this page and other tools open"
              onClick={() =>
                save(`trace-${trace.traceId}.json`, JSON.stringify(toOtlp(trace, store.state?.service ?? "")))
              }
            >
              save
            </button>
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
          : it has not ended yet, belongs to another process, or was not kept.{" "}
          {tree.orphans === 1 ? "It stands" : "They stand"} at the top level.
        </p>
      )}
      {trace.clocks.length > 0 && (
        <p class="trace-note" id="clocks-corrected">
          Times are by the page's clock. Corrected:{" "}
          {trace.clocks
            .map(({ node, offsetNanos }) => {
              const differs = `${duration(Math.abs(offsetNanos))} ${offsetNanos < 0 ? "behind" : "ahead"}`;
              return `${store.nodeOf({ node }) || node}, ${differs}`;
            })
            .join("; ")}
          .
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

function isTrace(loaded: Loaded): loaded is Trace {
  return loaded !== "asking" && "spans" in loaded;
}

/** Spans are added, or a trace is thinned to make room: either way their number tells. */
function sameSpans(before: Loaded, after: Trace): boolean {
  return (
    isTrace(before) &&
    before.spans.length === after.spans.length &&
    before.durationNanos === after.durationNanos &&
    before.running === after.running
  );
}
