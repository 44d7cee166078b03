// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The classes of messages that take the processor, wait and allocate, and their lines of code. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { fetchProfile, fetchProfileFile } from "../api";
import { count, duration, innermost, NOTHING, plural, roundDuration } from "../lib/format";
import { reasonOf } from "../lib/poll";
import type { Profile, ProfileRow } from "../lib/contract";
import {
  causeName,
  partOf,
  PARTS,
  type ProfileChoice,
  profileHash,
  type ProfileKind,
  type ProfileTime,
  size,
  TIMES,
} from "../lib/profile";
import { actorsHash } from "../lib/route";
import type { Store } from "../store";
import { Flame, share } from "./flame";
import { type Held, HeldMark, useHeld } from "./held";
import { ClassName, Empty, Panel, Swatch } from "./parts";
import { usePolled } from "./polled";

const REFRESH_MILLIS = 2000;
const ROWS_SHOWN = 12;
const SPANS: readonly (readonly [number, string])[] = [
  [10, "last 10 s"],
  [60, "last minute"],
  [300, "last 5 minutes"],
];
const FILES = { collapsed: "collapsed.txt", speedscope: "speedscope.json", pprof: "pb.gz" } as const;

const KINDS: Readonly<Record<ProfileTime, string>> = {
  cpu: "CPU",
  wait: "all waits",
  lock: "locks",
  io: "I/O",
  sleep: "sleep",
  park: "parked",
  allocation: "allocation",
};

const PART_NAMES: Readonly<Record<(typeof PARTS)[number], readonly [string, string]>> = {
  cpu: ["CPU", "on a processor, by samples"],
  lock: ["Lock", "blocked by a lock that another thread holds"],
  io: ["I/O", "waiting for a socket or a file"],
  sleep: ["Sleep", "asleep for a time"],
  park: ["Parked", "waiting for another thread to say something"],
  gc: ["GC", "held up by pauses of the collector"],
  rest: ["Rest", "waiting for a processor, shorter waits, native code"],
};

const OUTSIDE: Readonly<Record<ProfileKind, string>> = {
  message: "messages",
  pekko: "Pekko's own actors",
  unrecorded: "other messages without a record",
  dispatcher: "dispatcher threads, between messages",
  other: "other threads",
};

const OUTSIDE_SAYS: Readonly<Record<ProfileKind, string>> = {
  message: "",
  pekko: "",
  unrecorded: "not sampled, not traced, or on virtual threads",
  dispatcher: "mailboxes, schedulers, futures",
  other: "no actor has run on them",
};

/** CPU, samples, name, time, the other parts, allocation. */
const COLUMNS = 4 + PARTS.length;

const PEKKO_SAYS = "an actor that Pekko has made; your own stages run in those of streams and HTTP";

export function ProfileView({ store, choice }: { store: Store; choice: ProfileChoice }) {
  const [paused, setPaused] = useState(false);
  const { value: profile, failure } = usePolled((signal) => fetchProfile(choice, signal), REFRESH_MILLIS, {
    subject: profileHash(choice),
    paused,
  });
  const go = (change: Partial<ProfileChoice>) => store.replaceRoute(profileHash({ ...choice, ...change }));
  const found = profile !== null && !("absent" in profile) ? profile : null;
  const held = useHeld(found?.rows ?? [], keyOf, { subject: `${choice.seconds} ${choice.time}`, fills: true });

  return (
    <Panel
      title="Profile"
      id="profile"
      class="profile"
      note={
        found === null || found.state === "starting"
          ? ""
          : `${plural(found.samples, "sample")} of ${Math.round(found.seconds)} s, taken while this is open`
      }
      tools={
        <>
          <HeldMark held={held} word="moved" />
          <label class="check">
            <input type="checkbox" checked={paused} onChange={() => setPaused(!paused)} /> hold
          </label>
          <select
            aria-label="Period"
            value={String(choice.seconds)}
            onChange={(event) => go({ seconds: Number(event.currentTarget.value) })}
          >
            {SPANS.map(([seconds, words]) => (
              <option key={seconds} value={String(seconds)}>
                {words}
              </option>
            ))}
            {SPANS.every(([seconds]) => seconds !== choice.seconds) && (
              <option value={String(choice.seconds)}>last {choice.seconds} s</option>
            )}
          </select>
          <Save choice={choice} />
        </>
      }
    >
      {profile === null ? (
        <Empty title="Asking for the profile …">{failure ?? ""}</Empty>
      ) : "absent" in profile ? (
        <Empty title="There is no profile here">{profile.absent}</Empty>
      ) : profile.state === "starting" || profile.rows.length === 0 ? (
        <Empty title="The profile is starting …">
          The JVM's flight recorder samples where threads are. The first samples come within a few seconds, if any
          thread runs.
        </Empty>
      ) : (
        <>
          <div class="profile-body">
            <Table store={store} rows={held.rows} box={held.box} choice={choice} go={go} />
            <div class="profile-flame">
              <Kinds choice={choice} go={go} />
              <Chosen choice={choice} go={go} />
              <Causes rows={held.rows} choice={choice} />
              {(profile.tree.total[0] ?? 0) === 0 ? (
                <Empty title={choice.time === "cpu" ? "No sample is of this" : "None of this was seen"}>
                  Nothing of the last {Math.round(profile.seconds)} seconds matches. There are events of the time for
                  which a profile was made: a sample each 10 ms, and waits
                  {profile.waitNanos === null ? " if deimos.profile.waits is set" : ` of ${least(profile)} and more`}.
                </Empty>
              ) : (
                <Flame store={store} tree={profile.tree} byMessage={choice.kind === "message"} time={choice.time} />
              )}
            </div>
          </div>
          <NotKnown profile={profile} />
        </>
      )}
    </Panel>
  );
}

/** The browser saves a file of all frames. */
function Save({ choice }: { choice: ProfileChoice }) {
  const [said, setSaid] = useState("");
  const save = async (format: keyof typeof FILES) => {
    try {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(await fetchProfileFile(choice, format));
      link.download = `profile.${FILES[format]}`;
      link.click();
      URL.revokeObjectURL(link.href);
      setSaid("");
    } catch (error) {
      setSaid(`Not saved: ${reasonOf(error)}.`);
    }
  };
  return (
    <>
      <button type="button" class="toggle" onClick={() => void save("collapsed")}>
        save collapsed stacks
      </button>
      <button type="button" class="toggle" onClick={() => void save("speedscope")}>
        save for speedscope
      </button>
      <button type="button" class="toggle" onClick={() => void save("pprof")}>
        save for pprof
      </button>
      {said !== "" && <span role="alert">{said}</span>}
    </>
  );
}

interface Choosing {
  readonly choice: ProfileChoice;
  readonly go: (change: Partial<ProfileChoice>) => void;
}

function keyOf({ kind, actorClass, messageClass, part }: ProfileRow): string {
  return `${kind} ${actorClass} ${messageClass} ${part}`;
}

/** The application's own messages, which one looks for, and below them all else that runs. */
function Table(props: Choosing & { store: Store; rows: readonly ProfileRow[]; box: Held<ProfileRow>["box"] }) {
  const [all, setAll] = useState(false);
  const messages = props.rows.filter(({ kind }) => kind === "message");
  const others = props.rows.filter(({ kind }) => kind !== "message");
  const row = (one: ProfileRow) => (
    <Row key={keyOf(one)} store={props.store} row={one} choice={props.choice} go={props.go} />
  );
  return (
    <div class="profile-table" {...props.box}>
      <table class="profile-rows">
        <thead>
          <tr>
            <th scope="col">CPU</th>
            <th scope="col">Samples</th>
            <th scope="col" class="name">
              Message and actor
            </th>
            <th scope="col" title="from the start of each message to its end, in all threads">
              Time
            </th>
            {PARTS.slice(1).map((part) => (
              <th key={part} scope="col" class="profile-part" title={PART_NAMES[part][1]}>
                <span class={`part-mark part-${part}`} aria-hidden="true" />
                {PART_NAMES[part][0]}
              </th>
            ))}
            <th scope="col" class="profile-part" title="bytes of new objects, by samples">
              Allocated
            </th>
          </tr>
        </thead>
        <tbody>{(all ? messages : messages.slice(0, ROWS_SHOWN)).map(row)}</tbody>
        {messages.length > ROWS_SHOWN && (
          <tbody>
            <tr>
              <td colSpan={COLUMNS}>
                <button type="button" class="text-button" onClick={() => setAll(!all)}>
                  {all ? "fewer" : `${messages.length - ROWS_SHOWN} more`}
                </button>
              </td>
            </tr>
          </tbody>
        )}
        {others.length > 0 && (
          <tbody class="profile-others">
            <tr>
              <th scope="rowgroup" colSpan={COLUMNS}>
                All else
              </th>
            </tr>
            {others.map(row)}
          </tbody>
        )}
      </table>
    </div>
  );
}

function Row({ store, row, choice, go }: Choosing & { store: Store; row: ProfileRow }) {
  const to = { kind: row.kind, actorClass: row.actorClass ?? "", messageClass: row.messageClass ?? "" };
  const chosen =
    row.kind === choice.kind && to.actorClass === choice.actorClass && to.messageClass === choice.messageClass;
  return (
    <tr class={`profile-row${chosen ? " chosen" : ""}`}>
      <td class="profile-share">
        <span class="profile-bar" style={{ width: `${Math.min(100, (row.share ?? 0) * 100)}%` }} aria-hidden="true" />
        <span>{share(row.share ?? 0)}</span>
      </td>
      <td>{count(row.samples)}</td>
      <td class="name">
        <button
          type="button"
          class="text-button"
          aria-pressed={chosen}
          title={row.messageClass ?? (row.part === null ? OUTSIDE_SAYS[row.kind] : PEKKO_SAYS)}
          onClick={() => go({ ...(chosen ? { kind: "message", actorClass: "", messageClass: "" } : to), span: "" })}
        >
          {row.part !== null
            ? `Pekko's own: ${row.part}`
            : row.messageClass === null
              ? OUTSIDE[row.kind]
              : innermost(row.messageClass)}
        </button>
        {row.actorClass === null ? (
          <span class="dim">{OUTSIDE_SAYS[row.kind]}</span>
        ) : (
          <a class="profile-actor" href={actorsHash({ className: row.actorClass })} title="Its living actors">
            <Swatch colour={store.colours.of(row.actorClass)} />
            <ClassName name={row.actorClass} short />
          </a>
        )}
        <PartsBar row={row} />
      </td>
      <td>{row.wallNanos === null ? NOTHING : duration(row.wallNanos)}</td>
      {PARTS.slice(1).map((part) => (
        <td key={part} class="profile-part">
          {partOf(row, part) === 0 ? "" : duration(partOf(row, part))}
        </td>
      ))}
      <td class="profile-part">{row.allocatedBytes === 0 ? "" : size(row.allocatedBytes)}</td>
    </tr>
  );
}

/** A row's time divided. */
function PartsBar({ row }: { row: ProfileRow }) {
  const whole = row.wallNanos;
  if (whole === null) {
    return null;
  }
  const parts = PARTS.map((part) => [part, partOf(row, part) / whole] as const).filter(([, of]) => of > 0);
  return (
    <span
      class="parts-bar"
      role="img"
      aria-label={parts.map(([part, of]) => `${PART_NAMES[part][0]} ${share(of)}`).join(", ")}
    >
      {parts.map(([part, of]) => (
        <span
          key={part}
          class={`part-${part}`}
          style={{ width: `${of * 100}%` }}
          title={`${PART_NAMES[part][0]}, ${PART_NAMES[part][1]}: ${share(of)}`}
        />
      ))}
    </span>
  );
}

/** The kind of time that the flame graph shows. */
function Kinds({ choice, go }: Choosing) {
  return (
    <div class="profile-kinds" role="group" aria-label="Kind of time">
      {TIMES.map((time) => (
        <button
          key={time}
          type="button"
          class="toggle"
          aria-pressed={time === choice.time}
          onClick={() => go({ time })}
        >
          {KINDS[time]}
        </button>
      ))}
    </div>
  );
}

/** The reasons why the chosen messages waited. */
function Causes({ rows, choice }: { rows: readonly ProfileRow[]; choice: ProfileChoice }) {
  const { messageClass, actorClass, time } = choice;
  const causes = rows
    .filter((row) => messageClass !== "" && row.messageClass === messageClass && row.actorClass === actorClass)
    .flatMap((row) => row.waitsFor)
    .filter((cause) => time === "cpu" || time === "wait" || time === cause.time);
  return causes.length === 0 ? null : (
    <ul class="profile-causes">
      {causes.map((cause) => (
        <li key={cause.on} title={cause.on}>
          <span class={`part-mark part-${cause.time}`} aria-hidden="true" />
          waited {duration(cause.nanos)} for: {causeName(cause.time, cause.on)}
        </li>
      ))}
    </ul>
  );
}

function least(profile: Profile): string {
  return roundDuration(profile.waitNanos ?? 0);
}

/** The subject of the flame graph, and the way back to all. */
function Chosen({ choice, go }: Choosing) {
  const { kind, actorClass, messageClass, span } = choice;
  const all = kind === "message" && actorClass === "" && messageClass === "" && span === "";
  const one = (words: ComponentChildren, without: Partial<ProfileChoice>) => (
    <button type="button" class="text-button" onClick={() => go(without)}>
      {words} ×
    </button>
  );
  return (
    <p class="profile-chosen">
      <span class="dim">Flame graph of </span>
      {all ? "all messages" : null}
      {kind !== "message" && one(OUTSIDE[kind], { kind: "message" })}
      {messageClass !== "" && one(innermost(messageClass), { messageClass: "" })}
      {messageClass !== "" && actorClass !== "" && <span class="dim"> in </span>}
      {actorClass !== "" && one(innermost(actorClass), { actorClass: "" })}
      {span !== "" && one(`the one message with span ${span}`, { span: "" })}
    </p>
  );
}

/** The gaps of the figures. */
function NotKnown({ profile }: { profile: Profile }) {
  const { unknown, event, recordedShare } = profile;
  const said = [
    event === "jdk.CPUTimeSample"
      ? "Samples are taken by CPU time."
      : "Samples are of threads that run Java code, at most five at a time; one that waits for a processor counts, too.",
    "Native code is not sampled.",
    profile.waitNanos === null
      ? "Waits are not looked for: deimos.profile.waits is 0s."
      : `Waits of ${least(profile)} and more count; parts of time are of ${Math.round(profile.dividedSeconds)} s, some seconds late.`,
    unknown.waitsLeftOut > 0
      ? `${plural(unknown.waitsLeftOut, "wait")} were left out: there were more than deimos.profile.waits-per-second.`
      : "",
    recordedShare !== null && recordedShare < 0.995
      ? `Only ${share(recordedShare)} of the messages have records; the shares of classes are of these.`
      : "",
    unknown.nearest > 0
      ? `${plural(unknown.nearest, "sample")} at the border of two messages, or in very short ones, count to the nearest recorded message.`
      : "",
    unknown.withoutStack > 0 ? `${plural(unknown.withoutStack, "sample")} had no stack that could be read.` : "",
    unknown.lost > 0 ? `${plural(unknown.lost, "sample")} were lost: there was no room for them.` : "",
    unknown.stacksCut > 0 ? `${plural(unknown.stacksCut, "stack")} end early: there was no room for all frames.` : "",
    unknown.recordsLost > 0 ? `${plural(unknown.recordsLost, "record")} went before their samples had come.` : "",
  ].filter((line) => line !== "");
  return <p class="dim profile-notes">{said.join(" ")}</p>;
}
