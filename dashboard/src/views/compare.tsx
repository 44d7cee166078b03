// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Two traces side by side. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { fetchTrace } from "../api";
import { compare, type Compared, type Side } from "../lib/compare";
import type { Absent } from "../lib/answers";
import type { Trace } from "../lib/contract";
import { count, duration, plural, timeOfDay } from "../lib/format";
import { reasonOf } from "../lib/poll";
import { traceHash } from "../lib/route";
import { buildTree } from "../lib/tree";
import { epochMillis } from "../lib/read";
import type { Store } from "../store";
import { Empty } from "./parts";

const TIMEOUT_MILLIS = 10_000;
const MAX_LINES = 1000;
const MAX_INDENT = 12;

type Loaded = Trace | Absent | null;

export function CompareView({ store, left, right }: { store: Store; left: string; right: string }) {
  const one = useTrace(store, left);
  const other = useTrace(store, right);
  const lines = useMemo(
    () => (isTrace(one) && isTrace(other) ? compare(buildTree(one), buildTree(other)) : null),
    [one, other],
  );
  if (!isTrace(one) || !isTrace(other) || lines === null) {
    const absent = [one, other].find((loaded): loaded is Absent => loaded !== null && "absent" in loaded);
    return (
      <div class="panel trace-missing">
        <a class="back" href={store.back}>
          ← Traces
        </a>
        {absent === undefined ? (
          <Empty title="Asking for the two traces …" />
        ) : (
          <Empty title="One of the traces cannot be shown">{absent.absent}</Empty>
        )}
      </div>
    );
  }
  const greatest = lines.reduce((n, line) => Math.max(n, line.left.nanos, line.right.nanos), 1);
  return (
    <section class="panel compare" aria-labelledby="compared">
      <div class="panel-head">
        <a class="back" href={store.back} aria-label="Back to the traces">
          ←
        </a>
        <h2 id="compared">Two traces side by side</h2>
      </div>
      <div class="table-scroll">
        <table class="compared">
          <thead>
            <tr>
              <th rowSpan={2}>Span</th>
              <Head trace={one} letter="A" />
              <Head trace={other} letter="B" />
              <th rowSpan={2} class="figure">
                B − A
              </th>
            </tr>
            <tr>
              {["A", "B"].flatMap((side) => [
                <th key={`${side}n`} class="figure">
                  Spans
                </th>,
                <th key={`${side}t`} class="figure">
                  Time
                </th>,
                <th key={`${side}w`} class="figure">
                  In mailbox
                </th>,
              ])}
            </tr>
          </thead>
          <tbody>
            {lines.slice(0, MAX_LINES).map((line) => (
              <Line key={line.path.join("\n")} line={line} greatest={greatest} />
            ))}
          </tbody>
        </table>
        {lines.length > MAX_LINES && <p class="more">and {count(lines.length - MAX_LINES)} more</p>}
      </div>
    </section>
  );
}

function Head({ trace, letter }: { trace: Trace; letter: string }) {
  return (
    <th colSpan={3} class="compared-head">
      <a class="link" href={traceHash(trace.traceId)}>
        {letter}: {trace.name || trace.traceId}
      </a>{" "}
      <span class="dim">
        {duration(trace.durationNanos)}, {plural(trace.spans.length, "span")},{" "}
        {timeOfDay(epochMillis(trace.startEpochNanos), true)}
      </span>
    </th>
  );
}

function Line({ line, greatest }: { line: Compared; greatest: number }) {
  const { left, right } = line;
  const more = right.nanos - left.nanos;
  return (
    <tr class={left.spans === 0 || right.spans === 0 ? "only-one" : ""}>
      <th scope="row" style={{ paddingLeft: `${8 + Math.min(MAX_INDENT, line.path.length - 1) * 14}px` }}>
        {line.name}
        {left.spans === 0 && <span class="mark"> only B</span>}
        {right.spans === 0 && <span class="mark"> only A</span>}
      </th>
      <Figures side={left} />
      <Figures side={right} />
      <td class={`figure difference ${more > 0 ? "longer" : more < 0 ? "shorter" : ""}`}>
        <span
          class="difference-bar"
          aria-hidden="true"
          style={{ width: `${((60 * Math.abs(more)) / greatest).toFixed(1)}px` }}
        />
        {more === 0 ? "0" : (more > 0 ? "+" : "") + duration(more)}
      </td>
    </tr>
  );
}

function Figures({ side }: { side: Side }) {
  return (
    <>
      <td class={`figure ${side.errors > 0 ? "bad" : ""}`}>
        {count(side.spans)}
        {side.errors > 0 && ` (${plural(side.errors, "error")})`}
      </td>
      <td class="figure">{side.spans === 0 ? "–" : duration(side.nanos)}</td>
      <td class="figure">{side.waitNanos === 0 ? "–" : duration(side.waitNanos)}</td>
    </>
  );
}

/** From a file, if it was opened from one; else from the server, once. */
function useTrace(store: Store, id: string): Loaded {
  const [loaded, setLoaded] = useState<Loaded>(null);
  useEffect(() => {
    const opened = store.opened.get(id);
    if (opened !== null) {
      setLoaded(opened);
      return;
    }
    const over = new AbortController();
    setLoaded(null);
    fetchTrace(id, AbortSignal.any([over.signal, AbortSignal.timeout(TIMEOUT_MILLIS)])).then(setLoaded, (error) => {
      if (!over.signal.aborted) {
        setLoaded({ absent: `No answer: ${reasonOf(error)}.` });
      }
    });
    return () => over.abort();
  }, [id]);
  return loaded;
}

function isTrace(loaded: Loaded): loaded is Trace {
  return loaded !== null && "spans" in loaded;
}
