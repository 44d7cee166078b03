// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The trouble: one row for each kind of trouble in each class, however often it happened. */
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { fetchTrouble, fetchTroubleGroup } from "../api";
import { CLUSTER_HASH } from "../lib/cluster";
import type { Absent } from "../lib/answers";
import type { Before, Trouble, TroubleGroup, WholeTroubleExample } from "../lib/contract";
import { count, duration, innermost, plural, shortCount, timeOfDay } from "../lib/format";
import { actorHash, actorsHash, traceHash, type TroubleChoice, troubleHash } from "../lib/route";
import { whereHash } from "../lib/where";
import { epochMillis } from "../lib/read";
import type { Store } from "../store";
import { ReceivedTable } from "./actor";
import { useFollowed } from "./followed";
import { HELD, HeldMark, useHeld } from "./held";
import { ClassName, Empty, Filter, Panel, Swatch } from "./parts";
import { Logs } from "./logs";
import { usePolled } from "./polled";

const REFRESH_MILLIS = 2000;

/** Kinds in the order in which they are offered, in a reader's words. */
const KINDS: Readonly<Record<string, string>> = {
  failure: "failures",
  node: "processes",
  ask_timeout: "ask time-outs",
  ask_failed: "failed asks",
  dead_letter: "dead letters",
  stuck: "stuck",
  starvation: "starvation",
  cluster: "clusters",
  restart: "restarts",
  unhandled: "unhandled",
  dropped: "dropped",
  quarantine: "quarantines",
  problem: "settings and set-up",
  deimos: "Deimos itself",
};
const BAD = new Set(["failure", "stuck", "starvation", "cluster", "deimos", "quarantine"]);

export function TroubleView({ store, choice }: { store: Store; choice: TroubleChoice }) {
  const {
    value: list,
    answers,
    refused,
    failure,
  } = usePolled((signal) => fetchTrouble(choice, signal), REFRESH_MILLIS, {
    subject: troubleHash({ ...choice, open: "" }),
  });
  const held = useHeld(list?.groups ?? [], ({ id }) => id, { subject: answers });
  const go = (change: Partial<TroubleChoice>) => store.replaceRoute(troubleHash({ ...choice, ...change }));
  const kinds = useRef<HTMLElement>(null);
  const isIn = () => held.holds() || kinds.current?.matches(HELD) === true;

  return (
    <Panel
      title="Trouble"
      id="trouble"
      class="trouble"
      note={list === null ? "" : note(list)}
      tools={
        <>
          <HeldMark held={held} word="newer" />
          <Filter id="trouble-filter" placeholder="Find  /" label="Find trouble" query={choice.query} go={go} />
        </>
      }
    >
      {list !== null && <Kinds list={list} choice={choice} of={kinds} holds={isIn} />}
      {refused !== null ? (
        <Empty title="Trouble is not kept">{refused}</Empty>
      ) : list === null ? (
        <Empty title="Asking what went wrong …">{failure ?? ""}</Empty>
      ) : list.groups.length === 0 ? (
        <Empty title={Object.keys(list.kinds).length === 0 ? "Nothing has gone wrong" : "Nothing matches"}>
          {Object.keys(list.kinds).length === 0
            ? "Failures, time-outs, dead letters, stuck actors and what Deimos itself lost would be here."
            : "Each word has to be in the kind, the class, the message or the story."}
        </Empty>
      ) : (
        <ul class="trouble-list" {...held.box}>
          {held.rows.map((group) => (
            <Row
              key={group.id}
              store={store}
              group={group}
              open={choice.open === group.id}
              onToggle={() => go({ open: choice.open === group.id ? "" : group.id })}
              holds={held.holds}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function note(list: Trouble): string {
  const stuck = list.stuckNow > 0 ? `, ${plural(list.stuckNow, "message")} stuck now` : "";
  const gone = list.groupsLetGo > 0 ? `, ${count(list.groupsLetGo)} older ones had to make room` : "";
  return plural(list.total, "kind") + stuck + gone;
}

interface KindsProps {
  readonly list: Trouble;
  readonly choice: TroubleChoice;
  readonly of: RefObject<HTMLElement | null>;
  readonly holds: () => boolean;
}

/** A kind that is new would push the others on, and the list down. */
function Kinds({ list, choice, of, holds }: KindsProps) {
  const { rows: names } = useHeld(
    Object.keys(KINDS).filter((kind) => list.kinds[kind] !== undefined),
    (kind) => kind,
    { subject: troubleHash({ ...choice, open: "" }), holds },
  );
  return (
    <nav class="trouble-kinds" aria-label="Kinds of trouble" ref={of}>
      <a
        class="toggle"
        aria-current={choice.kind === "" ? "true" : undefined}
        href={troubleHash({ query: choice.query })}
      >
        all
      </a>
      {names.map((kind) => (
        <a
          key={kind}
          class="toggle"
          aria-current={choice.kind === kind ? "true" : undefined}
          href={troubleHash({ query: choice.query, kind })}
        >
          {KINDS[kind]} <span class="dim">{shortCount(list.kinds[kind] ?? 0)}</span>
        </a>
      ))}
    </nav>
  );
}

function Row(props: { store: Store; group: TroubleGroup; open: boolean; onToggle: () => void; holds: () => boolean }) {
  const { group, open } = props;
  const of = group.node === null ? "" : props.store.nodeOf(group);
  return (
    <li class="trouble-group" id={`trouble-${group.id}`}>
      <button type="button" class="trouble-row" aria-expanded={open} onClick={props.onToggle}>
        <span class="trouble-count" title={count(group.count)}>
          {shortCount(group.count)}
        </span>
        <span class={`mark ${BAD.has(group.kind) ? "bad" : "odd"}`}>{KINDS[group.kind] ?? group.kind}</span>
        <span class="trouble-story">
          {of === "" ? "" : `${of}: `}
          {group.latest?.story ?? group.why ?? ""}
        </span>
        <time>{group.lastMillis === null ? "" : timeOfDay(group.lastMillis)}</time>
      </button>
      {open && <Group store={props.store} group={group} holds={props.holds} />}
    </li>
  );
}

function Group({ store, group, holds }: { store: Store; group: TroubleGroup; holds: () => boolean }) {
  const examples = useFollowed<readonly WholeTroubleExample[] | Absent>(
    (signal) => fetchTroubleGroup(group.id, signal),
    group.count,
    (reason) => ({ absent: `The examples did not come: ${reason}.` }),
  );
  const held = useHeld(
    examples === null || "absent" in examples ? [] : examples,
    ({ atMillis, traceId, spanId, story }) => `${atMillis} ${traceId} ${spanId} ${story}`,
    { subject: String(examples !== null), holds },
  );
  return (
    <div class="trouble-open">
      <p class="trouble-about">
        {group.actorClass !== null && (
          <a href={actorsHash({ className: group.actorClass })} title="Its living actors">
            <Swatch colour={store.colours.of(group.actorClass)} />
            <ClassName name={group.actorClass} />
          </a>
        )}
        {group.messageClass !== null && (
          <span>
            <span class="dim">message</span>{" "}
            <a
              class="link"
              href={whereHash(`message:${group.messageClass}`)}
              title="The fate of messages of this class"
            >
              {innermost(group.messageClass)}
            </a>
          </span>
        )}
        {group.firstMillis !== null && group.lastMillis !== null && (
          <span>
            <span class="dim">first</span> {timeOfDay(group.firstMillis)} <span class="dim">last</span>{" "}
            {timeOfDay(group.lastMillis)}
          </span>
        )}
        {group.kind === "cluster" && (
          <a class="link" href={CLUSTER_HASH}>
            the cluster now
          </a>
        )}
        <HeldMark held={held} word={held.moved === 1 ? "newer example" : "newer examples"} />
      </p>
      {examples === null ? (
        <p class="dim">Asking for examples …</p>
      ) : "absent" in examples ? (
        <p class="dim">{examples.absent}</p>
      ) : (
        <ol class="trouble-examples">
          {held.rows.map((example, i) => (
            <Example key={i} of={example} paths={store.pathsOf([group])} />
          ))}
        </ol>
      )}
    </div>
  );
}

function Example({ of: example, paths }: { of: WholeTroubleExample; paths: readonly string[] }) {
  return (
    <li>
      <p>
        {example.atMillis !== null && <time>{timeOfDay(example.atMillis, true)}</time>} {example.story}
      </p>
      <p class="trouble-links">
        {example.traceId !== null && (
          <a class="link" href={traceHash(example.traceId, example.spanId)}>
            trace
          </a>
        )}
        {example.actorPath !== null && (
          <a class="link" href={actorHash(example.actorPath)}>
            {example.actorPath.replace("pekko://", "")}
          </a>
        )}
        {example.senderPath !== null && (
          <span>
            <span class="dim">from</span>{" "}
            <a class="link" href={actorHash(example.senderPath)}>
              {example.senderPath.replace("pekko://", "")}
            </a>
          </span>
        )}
      </p>
      {example.before !== null && example.before.length > 0 && (
        <details class="trouble-before">
          <summary>
            Before that, {example.actorPath?.replace("pekko://", "") ?? "the actor"} had processed{" "}
            {plural(example.before.length, "message")}, {reach(example.atMillis, example.before)}
          </summary>
          <ReceivedTable messages={example.before} />
        </details>
      )}
      {example.stack !== null && <pre tabIndex={0}>{example.stack}</pre>}
      {example.traceId !== null && <Logs choice={{ trace: example.traceId }} paths={paths} />}
    </li>
  );
}

/** How far back the messages before go. */
function reach(atMillis: number | null, before: readonly Before[]): string {
  const oldest = epochMillis(before.at(-1)?.startEpochNanos);
  return atMillis === null ? "" : `${duration(Math.max(0, atMillis - oldest) * 1e6)} back`;
}
