// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The inside of one actor, when somebody asks: its own thread reads it. */
import { useState } from "preact/hooks";
import { fetchInside } from "../api";
import type { Absent } from "../lib/answers";
import type { Inside, InsideEntry } from "../lib/contract";
import { duration, innermost, timeOfDay } from "../lib/format";
import { reasonOf } from "../lib/poll";
import { actorHash } from "../lib/route";
import { Panel } from "./parts";

const TITLES: Readonly<Record<InsideEntry["kind"], string>> = {
  timer: "Timers",
  receive_timeout: "Receive time-out",
  ask: "Asks without an answer",
  delivery: "Delivered again until confirmed",
  watches: "Watches",
  watched_by: "Watched by",
  child: "Children",
};

export function InsideOf({ path }: { path: string }) {
  const [seen, setSeen] = useState<{ readonly path: string; readonly value: Inside | Absent | null }>({
    path,
    value: null,
  });
  const value = seen.path === path ? seen.value : null;
  const look = () =>
    fetchInside(path).then(
      (found) => setSeen({ path, value: found }),
      (error: unknown) => setSeen({ path, value: { absent: reasonOf(error) } }),
    );
  return (
    <Panel
      title="Inside"
      id="inside"
      class="inside"
      note={value !== null && !("absent" in value) ? `at ${timeOfDay(value.nowMillis, true)}` : undefined}
      tools={
        <button
          type="button"
          class="toggle"
          title="The actor's own thread reads its timers, watches, children, asks and state; nothing of it changes"
          onClick={() => void look()}
        >
          {value === null ? "look inside" : "look again"}
        </button>
      }
    >
      {value === null ? null : "absent" in value ? <p class="dim">{value.absent}</p> : <Found of={value} />}
    </Panel>
  );
}

function Found({ of: inside }: { of: Inside }) {
  return (
    <>
      {inside.waiting && (
        <p class="odd">It still processes a message. Look again when that has ended; until then only asks are known.</p>
      )}
      {!inside.waiting && inside.entries.length === 0 && <p class="dim">It has no timer, watch, child or open ask.</p>}
      {(Object.keys(TITLES) as InsideEntry["kind"][]).map((kind) => {
        const entries = inside.entries.filter((one) => one.kind === kind);
        return (
          entries.length > 0 && (
            <div key={kind}>
              <h3>{TITLES[kind]}</h3>
              <ul>
                {entries.map((one, i) => (
                  <li key={i}>
                    <Entry of={one} />
                  </li>
                ))}
              </ul>
            </div>
          )
        );
      })}
      {inside.state !== null ? (
        <div>
          <h3>State</h3>
          <pre>{inside.state.join("\n")}</pre>
        </div>
      ) : (
        !inside.waiting && <p class="dim">Its state is not shown: deimos.content.state names no class of it.</p>
      )}
      {inside.notRead.map((one) => (
        <p key={one} class="dim">
          {one}
        </p>
      ))}
    </>
  );
}

function Entry({ of: one }: { of: InsideEntry }) {
  return (
    <>
      {one.name !== null &&
        (/^(pekko|akka):/.test(one.name) && one.kind !== "timer" ? (
          <a class="link" href={actorHash(one.name)}>
            {one.name.replace(/^(pekko|akka):\/\//, "")}
          </a>
        ) : (
          <code>{one.name}</code>
        ))}{" "}
      {one.message !== null && <span title={one.message}>{innermost(one.message)}</span>}{" "}
      {one.nanos !== null && <b>{duration(one.nanos)}</b>}{" "}
      {one.detail !== null && <span class="dim">{one.detail}</span>}
    </>
  );
}
