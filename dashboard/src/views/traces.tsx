// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The latest traces, newest first. */
import { useRef } from "preact/hooks";
import { TRACES_LIMIT } from "../api";
import type { State, TraceSummary } from "../lib/contract";
import { count, duration, innermost, plural, timeOfDay } from "../lib/format";
import { compareHash, traceHash, tracesHash } from "../lib/route";
import { logShare } from "../lib/ruler";
import { epochMillis } from "../lib/read";
import type { Store } from "../store";
import { type Held, HeldMark, useHeld } from "./held";
import { Empty, Panel, Swatch } from "./parts";

const CLASSES_SHOWN = 5;
const OPENED_SHOWN = 20;
const QUERY_HELP = [
  "A word or an id, and terms that all have to hold:",
  "duration>500ms  status:error  event:dead_letter  root:Checkout",
  'actor:Cart  message:Charge  sender:Shopper  "a text with spaces"',
].join("\n");

/**
 * @param against the id of a trace that another one is chosen for, to see both side by side; empty for none
 */
export function Traces(props: { store: Store; state: State; against?: string }) {
  const { store, state, against = "" } = props;
  const { traces, tracesPaused, query, errorsOnly } = store;
  const held = useHeld(traces ?? [], ({ traceId }) => traceId, { subject: store.tracesList });
  return (
    <Panel
      title="Latest traces"
      id="traces"
      class="traces"
      note={tracesPaused ? <span class="paused">paused</span> : `${count(state.recorder.tracesKept)} kept`}
      tools={
        <>
          <HeldMark held={held} word="newer" />
          <input
            id="trace-filter"
            type="search"
            placeholder="Find  t"
            title={QUERY_HELP}
            aria-label="Find traces"
            value={query}
            onInput={(event) => store.find(event.currentTarget.value)}
          />
          <button
            type="button"
            class="toggle"
            aria-pressed={errorsOnly}
            title="Only traces with a failure, a time-out, a dead letter or a stuck actor (e)"
            onClick={() => store.showErrorsOnly(!errorsOnly)}
          >
            errors
          </button>
          <button
            type="button"
            class="toggle"
            aria-pressed={tracesPaused}
            title="Hold the list still (p)"
            onClick={() => store.pauseTraces(!tracesPaused)}
          >
            {tracesPaused ? "resume" : "pause"}
          </button>
          <OpenFile store={store} />
          {store.route.view === "overview" && (
            <a class="toggle" href={tracesHash({ query: store.query, errorsOnly: store.errorsOnly })}>
              groups
            </a>
          )}
        </>
      }
    >
      <Opened store={store} />
      {against !== "" && (
        <p class="against">
          Choose the trace to compare with{" "}
          <a class="link" href={traceHash(against)}>
            {against}
          </a>
          .{" "}
          <a class="link" href={tracesHash({ query: store.query, errorsOnly: store.errorsOnly })}>
            Do not compare
          </a>
        </p>
      )}
      <List store={store} state={state} held={held} against={against} />
    </Panel>
  );
}

function OpenFile({ store }: { store: Store }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class="toggle"
        title="Open traces from a file: OTLP JSON, as saved by this page or by other tools"
        onClick={() => input.current?.click()}
      >
        open …
      </button>
      <input
        ref={input}
        id="open-traces"
        type="file"
        accept=".json,.jsonl,application/json"
        hidden
        aria-label="Open traces from a file"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = "";
          if (file !== undefined) {
            void store.openFile(file);
          }
        }}
      />
    </>
  );
}

/** The traces opened from files, above those of the JVM. */
function Opened({ store }: { store: Store }) {
  const traces = store.opened.all();
  if (traces.length === 0 && store.notOpened === null) {
    return null;
  }
  return (
    <div class="opened-traces">
      {store.notOpened !== null && <p class="bad">Not opened: {store.notOpened}.</p>}
      {traces.length > 0 && (
        <ul>
          {traces.slice(0, OPENED_SHOWN).map((trace) => (
            <li key={trace.traceId}>
              <a class="link" href={traceHash(trace.traceId)}>
                {trace.name || trace.traceId}
              </a>{" "}
              <span class="dim">
                {duration(trace.durationNanos)}, {plural(trace.spans.length, "span")}, from a file
              </span>
            </li>
          ))}
        </ul>
      )}
      {traces.length > OPENED_SHOWN && <p class="dim">and {count(traces.length - OPENED_SHOWN)} more</p>}
      <button type="button" class="toggle" onClick={() => store.closeFiles()}>
        close
      </button>
    </div>
  );
}

function List(props: { store: Store; state: State; held: Held<TraceSummary>; against: string }) {
  const { store, state, held } = props;
  const { traces } = store;
  if (store.queryRefused !== null) {
    return <Empty title="This cannot be looked for">{store.queryRefused}</Empty>;
  }
  if (traces === null) {
    return <Empty title="Asking for traces …" />;
  }
  if (traces.length === 0 && store.notLookedAt.length > 0) {
    return <Empty title="No trace found so far">{store.notLookedAt.join(" ")}</Empty>;
  }
  if (traces.length === 0) {
    return store.query.trim() !== "" || store.errorsOnly ? (
      <Empty title={store.errorsOnly ? "No trace with errors found" : "No trace found"}>
        {plural(state.recorder.tracesKept, "trace is", "traces are")} kept, none of them matches.
      </Empty>
    ) : (
      <NoTrace state={state} />
    );
  }
  const longest = held.rows.reduce((n, trace) => Math.max(n, trace.durationNanos), 0);
  return (
    <div class="trace-scroll">
      <ul class="trace-list" {...held.box}>
        {held.rows.map((trace) => (
          <Row key={trace.traceId} trace={trace} longestNanos={longest} store={store} against={props.against} />
        ))}
      </ul>
      {store.notLookedAt.length > 0 && <p class="actor-doubts">{store.notLookedAt.join(" ")}</p>}
      {traces.length >= TRACES_LIMIT && (
        <p class="more">
          The newest {TRACES_LIMIT} of {count(state.recorder.tracesKept)}. Find looks through all of them.
        </p>
      )}
    </div>
  );
}

function NoTrace({ state }: { state: State }) {
  const { messages, export: target } = state.recorder;
  if (messages > 0 && target !== "store") {
    return (
      <Empty title="No trace is kept here">
        Spans go to {target || "nowhere"}; look for them there. The store behind this page holds none.
      </Empty>
    );
  }
  return <Empty title="No trace yet">The first message that an actor of the application processes begins one.</Empty>;
}

/** Whether a trace is not whole, and why. */
export function PartMark({ trace }: { trace: Pick<TraceSummary, "running" | "reduced" | "complete"> }) {
  if (trace.running) {
    return <span class="mark">running</span>;
  }
  if (trace.reduced) {
    return (
      <span class="mark odd" title="It made room for newer ones: what shows its trouble is left, and the way to it">
        reduced
      </span>
    );
  }
  return trace.complete ? null : (
    <span class="mark" title="The rest of it is on another node, or was not kept">
      in part
    </span>
  );
}

function Row(props: { trace: TraceSummary; longestNanos: number; store: Store; against: string }) {
  const { trace, store } = props;
  const classes = trace.actorClasses.slice(0, CLASSES_SHOWN);
  const share = logShare(trace.durationNanos, props.longestNanos);
  return (
    <li>
      <a
        class={`trace-row ${trace.errors + trace.timeouts + trace.incidents > 0 ? "error" : ""}`}
        href={
          props.against === "" || props.against === trace.traceId
            ? traceHash(trace.traceId)
            : compareHash(props.against, trace.traceId)
        }
      >
        <span class="trace-name" title={trace.name}>
          {trace.name === "" ? "unnamed" : trace.name}
        </span>
        <span class="trace-marks">
          {trace.errors > 0 && <span class="mark bad">{plural(trace.errors, "error")}</span>}
          {trace.timeouts > 0 && (
            <span class="mark odd">{trace.timeouts === 1 ? "timed out" : `${count(trace.timeouts)} time-outs`}</span>
          )}
          {trace.incidents > 0 && (
            <span class="mark odd" title="A message became a dead letter, or an actor was stuck">
              {plural(trace.incidents, "incident")}
            </span>
          )}
          {trace.nodes > 1 && <span class="mark">{trace.nodes} processes</span>}
          <PartMark trace={trace} />
        </span>
        <span class="trace-duration">{duration(trace.durationNanos)}</span>
        <span class="trace-classes">
          <time>{timeOfDay(epochMillis(trace.startEpochNanos), true)}</time>
          {classes.map((name) => (
            <span key={name} class="trace-class" title={name}>
              <Swatch colour={store.colours.of(name)} />
              {innermost(name)}
            </span>
          ))}
          {trace.actorClasses.length > CLASSES_SHOWN && <span>+{trace.actorClasses.length - CLASSES_SHOWN}</span>}
        </span>
        <span class="trace-spans">{plural(trace.spans, "span")}</span>
        <span class="trace-bar" title="Length on a logarithmic scale" aria-hidden="true">
          <span style={{ width: `${(share * 100).toFixed(1)}%` }} />
        </span>
      </a>
    </li>
  );
}
