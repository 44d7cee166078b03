// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Dispatchers with their threads: what each does now, since when, and where it is. */
import { fetchStack, fetchThreads } from "../api";
import type { Absent } from "../lib/answers";
import { count, duration, innermost, NOTHING, plural } from "../lib/format";
import { profileHash } from "../lib/profile";
import { actorHash, type ThreadsChoice, threadsHash, traceHash, troubleHash } from "../lib/route";
import type { Dispatcher, Thread as ThreadLine } from "../lib/contract";
import type { Store } from "../store";
import { useFollowed } from "./followed";
import { ClassName, Empty, Panel, Swatch } from "./parts";
import { usePolled } from "./polled";

const REFRESH_MILLIS = 1000;
/** From then on a message stands out. */
const LONG_NANOS = 1e9;

const STATES: Readonly<Record<string, string>> = {
  runnable: "runs",
  blocked: "blocked by a lock",
  waiting: "waits",
  timed_waiting: "waits, for a time",
};

export function ThreadsView({ store, choice }: { store: Store; choice: ThreadsChoice }) {
  const { value: table, failure } = usePolled((signal) => fetchThreads(choice, signal), REFRESH_MILLIS, {
    subject: `${choice.all} ${choice.query}`,
  });
  const go = (change: Partial<ThreadsChoice>) => store.replaceRoute(threadsHash({ ...choice, ...change }));

  return (
    <Panel
      title="Threads"
      id="threads"
      class="threads"
      note={
        table === null ? (
          ""
        ) : (
          <>
            {plural(table.dispatchers.filter((one) => one.name !== null).length, "dispatcher")}
            {table.starvations > 0 && (
              <>
                {", "}
                <a class="link" href={troubleHash({ kind: "starvation" })}>
                  starved {plural(table.starvations, "time")}
                </a>
              </>
            )}
            {table.threadsLeftOut > 0 && `, ${count(table.threadsLeftOut)} threads left out`}
          </>
        )
      }
      tools={
        <>
          <label class="check">
            <input type="checkbox" checked={choice.all} onChange={() => go({ all: !choice.all })} /> idle threads, too
          </label>
          <input
            id="threads-filter"
            type="search"
            placeholder="Find  /"
            aria-label="Find threads"
            value={choice.query}
            onInput={(event) => go({ query: event.currentTarget.value })}
          />
        </>
      }
    >
      {table === null ? (
        <Empty title="Asking what the threads do …">{failure ?? ""}</Empty>
      ) : table.dispatchers.length === 0 ? (
        <Empty title="No dispatcher is known">
          They are read once there is an actor system, unless deimos.metrics.gauges.enabled is off.
        </Empty>
      ) : (
        table.dispatchers.map((one) => (
          <Pool
            key={`${one.system ?? ""}/${one.name ?? ""}/${one.executor ?? ""}`}
            store={store}
            of={one}
            choice={choice}
            onOpen={(id) => go({ open: choice.open === id ? "" : id })}
          />
        ))
      )}
    </Panel>
  );
}

interface PoolProps {
  readonly store: Store;
  readonly of: Dispatcher;
  readonly choice: ThreadsChoice;
  readonly onOpen: (id: string) => void;
}

function Pool({ store, of, choice, onOpen }: PoolProps) {
  const sorted = [...of.threads].sort((a, b) => lasted(b) - lasted(a));
  return (
    <section class="pool">
      <div class="pool-head">
        <h3>{of.name ?? "threads of no dispatcher"}</h3>
        {of.name !== null && (
          <>
            <Meter active={of.active} most={of.parallelism} />
            <span>
              {of.active === null ? NOTHING : count(of.active)} of {of.parallelism === null ? NOTHING : of.parallelism}{" "}
              <span class="dim">busy</span>
            </span>
            <span>
              {of.queued === null ? NOTHING : count(of.queued)} <span class="dim">tasks wait</span>
            </span>
            {of.waitNanos > 0 && <span class="mark bad">a task has waited for {duration(of.waitNanos)}</span>}
            <span class="dim pool-system">
              {of.system} · {of.executor}
            </span>
          </>
        )}
      </div>
      {sorted.length === 0 ? (
        <p class="pool-idle dim">
          {choice.query === "" ? "No thread of it processes a message now." : "No thread of it matches."}
        </p>
      ) : (
        <ul>
          {sorted.map((line) => (
            <Thread
              key={line.id}
              store={store}
              line={line}
              open={choice.open === String(line.id)}
              onToggle={() => onOpen(String(line.id))}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function lasted(line: ThreadLine): number {
  return line.work === null ? -1 : (line.work.forNanos ?? 0);
}

/** How many of a dispatcher's threads are busy. */
function Meter({ active, most }: { active: number | null; most: number | null }) {
  if (active === null || most === null || most <= 0) {
    return null;
  }
  const share = Math.min(1, active / most);
  return (
    <span
      class={`meter ${share >= 1 ? "is-full" : ""}`}
      role="meter"
      aria-label="busy threads"
      aria-valuenow={active}
      aria-valuemin={0}
      aria-valuemax={most}
    >
      <span style={{ width: `${share * 100}%` }} />
    </span>
  );
}

function Thread(props: { store: Store; line: ThreadLine; open: boolean; onToggle: () => void }) {
  const { store, line, open } = props;
  const { work } = line;
  return (
    <li class="thread">
      <button type="button" class="thread-row" aria-expanded={open} onClick={props.onToggle}>
        <span class="thread-name" title={line.name}>
          {line.name}
        </span>
        <span class="dim">{STATES[line.state] ?? line.state}</span>
        {work === null ? (
          <span class="dim thread-work">no message that is known</span>
        ) : (
          <span class="thread-work">
            <Swatch colour={store.colours.of(work.actorClass)} />
            <ClassName name={work.actorClass} short /> <span class="dim">processes</span> {innermost(work.messageClass)}
          </span>
        )}
        <span class={work !== null && (work.forNanos ?? 0) >= LONG_NANOS ? "mark bad" : "thread-time"}>
          {work === null || work.forNanos === null ? NOTHING : duration(work.forNanos)}
        </span>
      </button>
      {open && <Opened line={line} />}
    </li>
  );
}

function Opened({ line }: { line: ThreadLine }) {
  const stack = useFollowed<readonly string[] | Absent>(
    (signal) => fetchStack(line.id, signal),
    line.work?.spanId ?? "",
    (reason) => ({ absent: `The stack did not come: ${reason}.` }),
  );
  const { work } = line;
  return (
    <div class="thread-open">
      {work !== null && (
        <p class="trouble-links">
          {work.actorPath !== null && (
            <a class="link" href={actorHash(work.actorPath)}>
              {work.actorPath.replace("pekko://", "")}
            </a>
          )}
          {work.traceId !== null && (
            <a class="link" href={traceHash(work.traceId, work.spanId)}>
              trace
            </a>
          )}
          <a
            class="link"
            href={profileHash({ actorClass: work.actorClass, messageClass: work.messageClass, time: "wait" })}
            title="Locks, addresses, files and sleeps of such messages, from now on"
          >
            what it waits for
          </a>
        </p>
      )}
      {stack === null ? (
        <p class="dim">Asking for the stack …</p>
      ) : "absent" in stack ? (
        <p class="dim">{stack.absent}</p>
      ) : (
        <pre tabIndex={0}>{stack.length === 0 ? "no frames" : stack.map((frame) => `at ${frame}`).join("\n")}</pre>
      )}
    </div>
  );
}
