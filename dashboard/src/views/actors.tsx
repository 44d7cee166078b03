// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The table of actor classes: how busy, how fast, how healthy; each opens to its message classes. */
import { Fragment } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { State } from "../lib/contract";
import { count, innermost, NOTHING, plural, quantileText, rate, shortCount } from "../lib/format";
import type { ActorRow, Latency } from "../lib/history";
import { actorsHash } from "../lib/route";
import { type Column, filterRows, nextSorting, parseSorting, type Sorting, sortingText, sortRows } from "../lib/table";
import { ACTOR_CLASSES_NEVER, MESSAGES_NEVER } from "../lib/switches";
import type { Store } from "../store";
import { HeldMark, useHeld } from "./held";
import { ClassName, Empty, Panel, Sparkline, Swatch } from "./parts";
import { TraceSwitch } from "./traceswitch";

const ROWS_AT_FIRST = 100;
const MESSAGES_AT_FIRST = 20;
/** The class under which is counted what has no row of its own. */
const OTHER = "other";
const HEADS: readonly { column: Column; label: string; title: string; narrow?: string }[] = [
  { column: "className", label: "Actor class", title: "The class of the actor or of its behaviour" },
  { column: "live", label: "Live", title: "Actors alive now" },
  {
    column: "rate",
    label: "Msg / s",
    title: "Messages processed a second, over the last ten seconds; the line shows a minute",
  },
  { column: "processingP50", label: "p50", narrow: "proc ", title: "Processing time, median" },
  { column: "processingP99", label: "p99", narrow: "proc ", title: "Processing time, 99th percentile" },
  { column: "waitP50", label: "p50", narrow: "wait ", title: "Time in the mailbox, median" },
  { column: "waitP99", label: "p99", narrow: "wait ", title: "Time in the mailbox, 99th percentile" },
  { column: "failed", label: "Failed", title: "Messages whose processing threw, since start" },
  { column: "restarted", label: "Restarts", title: "Restarts by supervision, since start" },
];

export function Actors({ store, state }: { store: Store; state: State }) {
  const sorting = useMemo(() => parseSorting(store.sort), [store.sort]);
  const [filter, setFilter] = useState("");
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [limit, setLimit] = useState(ROWS_AT_FIRST);

  const all = store.history.actorRows();
  const found = filterRows(all, filter);
  const held = useHeld(sortRows(found, sorting), ({ key }) => key, {
    subject: `${store.node} ${store.sort} ${filter}`,
    fills: true,
  });
  const { rows } = held;

  const toggle = (key: string) => {
    const next = new Set(open);
    if (!next.delete(key)) {
      next.add(key);
    }
    setOpen(next);
  };

  return (
    <Panel
      title="Actors by class"
      id="actors"
      class="actors"
      note={windowNote(store.history.windowMillis)}
      tools={
        <>
          <HeldMark held={held} word="moved" />
          <input
            id="actor-filter"
            type="search"
            placeholder="Filter classes  /"
            aria-label="Filter actor classes"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        </>
      }
    >
      {all.length === 0 ? (
        <Empty title="No actor has been seen yet">
          The first message to an actor of the application shows it here. Pekko's own system actors stay out of sight.
        </Empty>
      ) : rows.length === 0 ? (
        <Empty title={`No class matches “${filter}”`}>
          {plural(all.length, "class is", "classes are")} known; the filter looks for each of its words anywhere in the
          name.
        </Empty>
      ) : (
        <div class="table-scroll">
          <table>
            <Heads sorting={sorting} onSort={(column) => store.sortBy(sortingText(nextSorting(sorting, column)))} />
            <tbody {...held.box}>
              {rows.slice(0, limit).map((row) => (
                <Fragment key={row.key}>
                  <Row
                    row={row}
                    store={store}
                    withSystem={state.systems.length > 1}
                    open={open.has(row.key)}
                    onToggle={() => toggle(row.key)}
                  />
                  {open.has(row.key) && <Messages store={store} row={row} />}
                </Fragment>
              ))}
            </tbody>
          </table>
          {rows.length > limit && (
            <p class="more">
              {count(limit)} of {count(rows.length)} classes are shown.{" "}
              <button type="button" class="text-button" onClick={() => setLimit(limit + ROWS_AT_FIRST)}>
                Show {Math.min(ROWS_AT_FIRST, rows.length - limit)} more
              </button>{" "}
              or narrow them with the filter.
            </p>
          )}
          {state.totals.classes > all.length && (
            <p class="more">
              These are the {count(all.length)} busiest of {count(state.totals.classes)} classes since the start.{" "}
              <a class="link" href={actorsHash()}>
                Single actors
              </a>{" "}
              can be found of every class.
            </p>
          )}
          <Others state={state} />
        </div>
      )}
    </Panel>
  );
}

/** The classes behind the row `other`. */
function Others({ state }: { state: State }) {
  const { actorClasses, messagePairs } = state.recorder.folded;
  if (actorClasses === 0 && messagePairs === 0) {
    return null;
  }
  return (
    <p class="more others">
      Counted together as <strong>{OTHER}</strong>:{" "}
      {actorClasses > 0 && (
        <>
          the actors of about {count(actorClasses)} classes beyond the first 4,096 (
          <a class="link" href={actorsHash({ className: OTHER })}>
            which they are
          </a>
          ){messagePairs > 0 && ", and "}
        </>
      )}
      {messagePairs > 0 && (
        <>
          the messages of {count(messagePairs)} rarer pairs of actor and message class (
          <code>deimos.metrics.max-series</code>)
        </>
      )}
      .
    </p>
  );
}

function windowNote(millis: number | null): string {
  if (millis === null) {
    return "measuring …";
  }
  return `rates and times over the last ${Math.round(millis / 1000)} s`;
}

function Heads(props: { sorting: Sorting; onSort: (column: Column) => void }) {
  const { sorting } = props;
  return (
    <thead>
      <tr class="groups">
        <th colSpan={3} />
        <th colSpan={2} scope="colgroup">
          Processing
        </th>
        <th colSpan={2} scope="colgroup">
          In mailbox
        </th>
        <th colSpan={2} />
      </tr>
      <tr>
        {HEADS.map(({ column, label, title, narrow }) => {
          const sorted = sorting.column === column;
          return (
            <th
              key={column}
              scope="col"
              class={`col-${column}`}
              aria-sort={!sorted ? "none" : sorting.descending ? "descending" : "ascending"}
              onClick={() => props.onSort(column)}
            >
              <button type="button" class={sorted ? "sorted" : ""} title={title}>
                {narrow !== undefined && <span class="narrow-only">{narrow}</span>}
                {label}
                <span class="arrow" aria-hidden="true">
                  {sorted ? (sorting.descending ? "↓" : "↑") : ""}
                </span>
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function Row(props: { row: ActorRow; store: Store; withSystem: boolean; open: boolean; onToggle: () => void }) {
  const { row } = props;
  return (
    <tr class={`actor ${row.ratePerSecond === 0 ? "idle" : ""}`} onClick={props.onToggle}>
      <th scope="row">
        <button
          type="button"
          class="disclose"
          aria-expanded={props.open}
          aria-label={`Message classes of ${row.className}`}
          onClick={(event) => {
            event.stopPropagation();
            props.onToggle();
          }}
        >
          <span class={`chevron ${props.open ? "open" : ""}`} aria-hidden="true" />
        </button>
        <Swatch colour={props.store.colours.of(row.className)} />
        <ClassName name={row.className} />
        {props.withSystem && <span class="system">{row.system}</span>}
      </th>
      <td title={`${plural(row.live, "living actor")}, one by one`} onClick={(event) => event.stopPropagation()}>
        <a href={actorsHash({ className: row.className })}>{shortCount(row.live)}</a>
      </td>
      <td class="rate" title={`${plural(row.processed, "message")} since start`}>
        <Sparkline values={row.rates} label={`Messages a second of ${row.className} in the last minute`} />
        <span class="rate-value">{rate(row.ratePerSecond)}</span>
      </td>
      <Latencies of={row} />
      <td class={row.failed > 0 ? "bad" : "zero"} title={count(row.failed)}>
        {shortCount(row.failed)}
      </td>
      <td class={row.restarted > 0 ? "odd" : "zero"} title={count(row.restarted)}>
        {shortCount(row.restarted)}
      </td>
    </tr>
  );
}

function Latencies({ of }: { of: Latency }) {
  return (
    <>
      {[of.processingP50, of.processingP99, of.waitP50, of.waitP99].map((value, i) => (
        <td key={i} class={value === null ? "zero" : i % 2 === 1 ? "p99" : ""}>
          {quantileText(value)}
        </td>
      ))}
    </>
  );
}

function Messages({ store, row }: { store: Store; row: ActorRow }) {
  const [limit, setLimit] = useState(MESSAGES_AT_FIRST);
  const messages = store.history.messageRows(row.key);
  if (messages.length === 0) {
    return (
      <tr class="message">
        <td colSpan={HEADS.length} class="more">
          No message processed yet.
        </td>
      </tr>
    );
  }
  return (
    <>
      <tr class="of-class">
        <td colSpan={HEADS.length} class="more">
          All messages to {innermost(row.className)}:{" "}
          <TraceSwitch store={store} setting={ACTOR_CLASSES_NEVER} className={row.className} />
        </td>
      </tr>
      {messages.slice(0, limit).map((message) => (
        <tr key={message.className} class={`message ${message.ratePerSecond === 0 ? "idle" : ""}`}>
          <th scope="row">
            <ClassName name={message.className} />
          </th>
          <td class="zero">{NOTHING}</td>
          <td class="rate" title={`${plural(message.processed, "message")} since start`}>
            <span class="rate-value">{rate(message.ratePerSecond)}</span>
          </td>
          <Latencies of={message} />
          <td class={message.failed > 0 ? "bad" : "zero"} title={count(message.failed)}>
            {shortCount(message.failed)}
          </td>
          <td class="zero">
            <TraceSwitch store={store} setting={MESSAGES_NEVER} className={message.className} otherwise={NOTHING} />
          </td>
        </tr>
      ))}
      {messages.length > limit && (
        <tr class="message">
          <td colSpan={HEADS.length} class="more">
            {count(limit)} of {count(messages.length)} message classes are shown, the most frequent first.{" "}
            <button type="button" class="text-button" onClick={() => setLimit(limit + 100)}>
              Show more
            </button>
          </td>
        </tr>
      )}
    </>
  );
}
