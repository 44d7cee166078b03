// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Traces added up: by duration and by time, to choose a part of them, and by name. */
import { useRef, useState } from "preact/hooks";
import { fetchGroups } from "../api";
import { count, duration, plural, timeOfDay } from "../lib/format";
import {
  hasDurations,
  hasName,
  hasTimes,
  withDurations,
  withName,
  withoutDurations,
  withoutTimes,
  withTimes,
} from "../lib/groups";
import type { TraceGroup, TraceGroups } from "../lib/contract";
import { traceHash } from "../lib/route";
import type { Store } from "../store";
import { Differences } from "./differences";
import { type Held, HeldMark, useHeld } from "./held";
import { Empty, Panel } from "./parts";
import { usePolled } from "./polled";

const REFRESH_MILLIS = 2000;
/** While somebody types, nothing is asked for each letter. */
const TYPING_MILLIS = 200;
const CHART_HEIGHT = 72;

/**
 * @param differs whether the traces that match are compared with the others; not given where there is no place for it
 */
export function GroupsView({ store, differs }: { store: Store; differs?: boolean }) {
  const { query, errorsOnly } = store;
  const {
    value: groups,
    answers,
    refused,
  } = usePolled((signal) => fetchGroups(query.trim(), errorsOnly, signal), REFRESH_MILLIS, {
    subject: `${store.node} ${errorsOnly} ${query.trim()}`,
    paused: store.tracesPaused,
    delayMillis: TYPING_MILLIS,
  });

  const held = useHeld(groups?.groups ?? [], ({ name }) => name, { subject: answers, fills: true });

  return (
    <div class="trace-groups">
      <div class="pair">
        <Panel
          title="By duration"
          id="by-duration"
          note={groups === null ? undefined : ofKept(groups)}
          tools={hasDurations(query) && <All onClick={() => store.find(withoutDurations(query))} />}
        >
          <Histogram
            label="Traces by duration"
            bins={(groups?.durations ?? []).map((bin) => ({ ...bin, from: bin.fromNanos, to: bin.toNanos }))}
            text={(nanos) => duration(nanos)}
            onChoose={(from, to) => store.find(withDurations(query, from, to))}
          />
        </Panel>
        <Panel
          title="By time"
          id="by-time"
          note={groups === null ? undefined : ofKept(groups)}
          tools={hasTimes(query) && <All onClick={() => store.find(withoutTimes(query))} />}
        >
          <Histogram
            label="Traces by when they began"
            bins={(groups?.times ?? []).map((bin) => ({ ...bin, from: bin.fromMillis, to: bin.toMillis }))}
            text={(millis) => timeOfDay(millis)}
            onChoose={(from, to) => to !== null && store.find(withTimes(query, from, to))}
          />
        </Panel>
      </div>
      {differs !== undefined && <Differences store={store} shown={differs} />}
      <Panel
        title="By name"
        id="by-name"
        note={groups === null ? undefined : covered(groups)}
        tools={
          <>
            <HeldMark held={held} word="moved" />
            {hasName(query) && <All onClick={() => store.find(withName(query, ""))} />}
          </>
        }
      >
        {refused !== null ? (
          <Empty title="These cannot be added up">{refused}</Empty>
        ) : groups === null ? (
          <Empty title="Adding up …" />
        ) : groups.groups.length === 0 && groups.notLookedAt.length > 0 ? (
          <Empty title="No trace found so far">{groups.notLookedAt.join(" ")}</Empty>
        ) : groups.groups.length === 0 ? (
          <Empty title="No trace matches">A trace in memory has to match for all that is shown here.</Empty>
        ) : (
          <Names store={store} groups={groups} held={held} />
        )}
      </Panel>
    </div>
  );
}

/** The histograms are of what can be looked at. */
function ofKept(groups: TraceGroups): string {
  return `of the ${count(groups.traces)} kept that match`;
}

function covered({ recorded, traces, trouble }: TraceGroups): string {
  const all = `${plural(recorded.traces, "trace")} since ${timeOfDay(recorded.sinceMillis)}, ${count(recorded.trouble)} with errors`;
  return `${all}; ${count(traces)} kept that match, ${count(trouble)} with errors`;
}

function All({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" class="toggle" onClick={onClick}>
      show all
    </button>
  );
}

function Names({ store, groups, held }: { store: Store; groups: TraceGroups; held: Held<TraceGroup> }) {
  return (
    <div class="table-scroll">
      <table class="names">
        <thead>
          <tr>
            <th>Name</th>
            <th class="figure" title="All that this process has recorded, kept or not">
              Traces
            </th>
            <th class="figure" title="Those with a failure, a time-out, a dead letter or a stuck actor">
              Errors
            </th>
            <th class="figure" title="Half of all traces that were taken, kept or not, took no longer, about">
              p50
            </th>
            <th class="figure" title="The same for 99 of 100">
              p99
            </th>
            <th class="figure" title="Those that match and can be looked at; failed and slow ones stay longest">
              Kept
            </th>
            <th class="figure" title="Among those kept that match">
              Longest
            </th>
            <th class="figure" title="When the last of those kept that match began">
              Last
            </th>
          </tr>
        </thead>
        <tbody {...held.box}>
          {held.rows.map((group) => (
            <Name key={group.name} store={store} group={group} />
          ))}
        </tbody>
      </table>
      {groups.notLookedAt.length > 0 && <p class="actor-doubts">{groups.notLookedAt.join(" ")}</p>}
      {groups.groupsLeftOut > 0 && <p class="more">and {count(groups.groupsLeftOut)} more names</p>}
    </div>
  );
}

/** The traces behind the percentiles. */
function measured(all: TraceGroup["recorded"]): string | undefined {
  return all === null ? undefined : `of ${count(all.measured)} of ${count(all.traces)} traces`;
}

function Name({ store, group }: { store: Store; group: TraceGroup }) {
  const all = group.recorded;
  return (
    <tr class="trace-group">
      <th scope="row">
        <button type="button" class="text-button" onClick={() => store.find(withName(store.query, group.name))}>
          {group.name || "unnamed"}
        </button>
      </th>
      <td class="figure">{all === null ? "–" : count(all.traces)}</td>
      <td class={`figure ${(all ?? group).trouble > 0 ? "bad" : ""}`}>{all === null ? "–" : count(all.trouble)}</td>
      <td class="figure" title={measured(all)}>
        {all === null || all.measured === 0 ? "–" : duration(all.p50Nanos)}
      </td>
      <td class="figure" title={measured(all)}>
        {all === null || all.measured === 0 ? "–" : duration(all.p99Nanos)}
      </td>
      <td class="figure" title={`${count(group.trouble)} of them with errors`}>
        {count(group.traces)}
      </td>
      <td class="figure">
        <a class="link" href={traceHash(group.slowest)}>
          {duration(group.maxNanos)}
        </a>
      </td>
      <td class="figure">{timeOfDay(group.lastMillis)}</td>
    </tr>
  );
}

interface Range {
  readonly anchor: number;
  readonly head: number;
}

interface Bin {
  readonly from: number;
  /** Null in the last one, which has no end. */
  readonly to: number | null;
  readonly traces: number;
  readonly trouble: number;
}

/**
 * Bars to choose from: drag over them, or go with the arrow keys, widen with shift, and take with Enter. A choice
 * becomes a term of the query, and so a part of the address.
 */
function Histogram(props: {
  label: string;
  bins: readonly Bin[];
  text: (value: number) => string;
  onChoose: (from: number, to: number | null) => void;
}) {
  const { bins } = props;
  const [range, setRange] = useState<Range | null>(null);
  const dragging = useRef(false);
  const most = bins.reduce((n, bin) => Math.max(n, bin.traces), 1);
  if (bins.length === 0) {
    return <div class="bins-none">none</div>;
  }
  const last = bins.length - 1;
  const low = range === null ? -1 : Math.min(range.anchor, range.head, last);
  const high = range === null ? -1 : Math.min(Math.max(range.anchor, range.head), last);
  const at = (event: PointerEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return Math.max(0, Math.min(last, Math.floor(((event.clientX - box.left) / box.width) * bins.length)));
  };
  const choose = () => {
    const from = bins[low];
    const to = bins[high];
    if (from !== undefined && to !== undefined) {
      setRange(null);
      props.onChoose(from.from, to.to);
    }
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step !== 0) {
      const head = range === null ? (step > 0 ? 0 : last) : Math.max(0, Math.min(last, range.head + step));
      setRange({ anchor: event.shiftKey && range !== null ? range.anchor : head, head });
    } else if (event.key === "Enter" && range !== null) {
      choose();
    } else if (event.key === "Escape" && range !== null) {
      setRange(null);
    } else {
      return;
    }
    event.preventDefault();
  };
  const chosen = bins.slice(Math.max(0, low), high + 1);
  const said =
    range === null
      ? `${props.text(bins[0]?.from ?? 0)} to ${end(bins[last], props.text)}`
      : `${props.text(bins[low]?.from ?? 0)} to ${end(bins[high], props.text)}: ${plural(
          chosen.reduce((n, bin) => n + bin.traces, 0),
          "trace",
        )}`;
  return (
    <div class="bins-box">
      <div
        class="bins"
        role="group"
        tabIndex={0}
        aria-label={`${props.label}. Arrow keys choose a bar, with shift several, Enter shows these traces only.`}
        style={{ height: `${CHART_HEIGHT}px` }}
        onKeyDown={onKey}
        onBlur={() => setRange(null)}
        onPointerDown={(event) => {
          dragging.current = true;
          event.currentTarget.setPointerCapture(event.pointerId);
          setRange({ anchor: at(event), head: at(event) });
        }}
        onPointerMove={(event) => {
          if (dragging.current && range !== null) {
            setRange({ anchor: range.anchor, head: at(event) });
          }
        }}
        onPointerUp={() => {
          dragging.current = false;
          choose();
        }}
        onPointerCancel={() => {
          dragging.current = false;
          setRange(null);
        }}
      >
        {bins.map((bin, i) => (
          <span
            key={bin.from}
            class={`bin ${i >= low && i <= high ? "chosen" : ""}`}
            title={`${props.text(bin.from)} to ${end(bin, props.text)}: ${plural(bin.traces, "trace")}, ${count(bin.trouble)} with errors`}
          >
            <span class="bin-all" style={{ height: `${(100 * bin.traces) / most}%` }}>
              <span class="bin-bad" style={{ height: `${bin.traces === 0 ? 0 : (100 * bin.trouble) / bin.traces}%` }} />
            </span>
          </span>
        ))}
      </div>
      <p class="bins-said" aria-live="polite">
        {said}
      </p>
    </div>
  );
}

function end(bin: Bin | undefined, text: (value: number) => string): string {
  return bin === undefined || bin.to === null ? "more" : text(bin.to);
}
