// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The last log records of an actor or of a trace, the latest last. */
import { fetchLogs, type LogsChoice } from "../api";
import type { LogRecord } from "../lib/contract";
import { count, innermost, timeOfDay } from "../lib/format";
import { actorHash, traceHash } from "../lib/route";
import { Panel } from "./parts";
import { usePolled } from "./polled";

const REFRESH_MILLIS = 3000;

/** Nothing where no records are kept, or none are of this trace. */
export function Logs(props: { choice: LogsChoice; paths?: readonly string[] }) {
  const { choice, paths = null } = props;
  const { value } = usePolled((signal) => fetchLogs(choice, paths, signal), REFRESH_MILLIS, {
    subject: JSON.stringify([choice, paths]),
  });
  if (
    value === null ||
    "absent" in value ||
    !value.kept ||
    (value.records.length === 0 && choice.trace !== undefined)
  ) {
    return null;
  }
  const { records, total, leftOut } = value;
  const shown = `${records.length < total ? `the last ${count(records.length)} of ` : ""}${count(total)}`;
  return (
    <Panel
      title="Log records"
      id={`logs-${choice.trace ?? "actor"}`}
      class="log-records"
      note={leftOut > 0 ? `${shown}; ${count(leftOut)} of all came too fast to be kept` : shown}
    >
      {records.length === 0 ? (
        <p class="dim">It has logged nothing of late, or nothing from the level of deimos.content.logs on.</p>
      ) : (
        <ol>
          {[...records].reverse().map((one, i) => (
            <Line key={i} of={one} isOfTrace={choice.trace !== undefined} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Line({ of: one, isOfTrace }: { of: LogRecord; isOfTrace: boolean }) {
  const mark = one.level === "error" ? "bad" : one.level === "warning" ? "odd" : "dim";
  return (
    <li>
      <time>{timeOfDay(one.atMillis, true)}</time> <span class={mark}>{one.level}</span>{" "}
      <span class="log-text">
        {one.text}
        {one.thrown !== null && <span class="bad"> {one.thrown}</span>}
      </span>{" "}
      {isOfTrace && one.actorPath !== null ? (
        <a class="link" href={actorHash(one.actorPath)} title={one.actorPath}>
          {one.actorPath.slice(one.actorPath.lastIndexOf("/") + 1)}
        </a>
      ) : (
        <span class="dim" title={one.logger}>
          {one.service ?? innermost(one.logger)}
        </span>
      )}{" "}
      {one.traceId !== null && one.spanId !== null && (
        <a class="link" href={traceHash(one.traceId, one.spanId)} title="Its span">
          {isOfTrace ? "span" : "trace"}
        </a>
      )}
    </li>
  );
}
