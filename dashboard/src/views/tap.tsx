// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** A tap: the next messages of a class to some actors, as they are processed. */
import { useEffect, useState } from "preact/hooks";
import { fetchTap, openTap } from "../api";
import { count, duration, innermost, NOTHING, plural, timeOfDay } from "../lib/format";
import { reasonOf } from "../lib/poll";
import { actorHash, traceHash } from "../lib/route";
import type { Tap, TapMessage } from "../lib/contract";
import { type TapChoice, tapHash } from "../lib/tap";
import type { Store } from "../store";
import { HeldMark, useHeld } from "./held";
import { Empty, Panel, Swatch } from "./parts";

const REFRESH_MILLIS = 500;
const TIMEOUT_MILLIS = 10_000;

const ENDS: Readonly<Record<string, string>> = {
  count: "it has as many as were wanted",
  time: "its time was up",
  memory: "its memory was full",
  nobody: "nobody asked for it",
};

export function TapView({ store, choice }: { store: Store; choice: TapChoice }) {
  const [typed, setTyped] = useState(choice);
  const [opening, setOpening] = useState(0);
  const [reading, setReading] = useState<Tap | null>(null);
  const [messages, setMessages] = useState<readonly TapMessage[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    if (opening <= 0) {
      return;
    }
    const controller = new AbortController();
    void follow(typed, controller.signal, (next) => {
      setReading(next);
      setMessages((before) => [...[...next.messages].reverse(), ...before]);
    }).catch((error: unknown) => {
      if (!controller.signal.aborted) {
        setFailure(reasonOf(error));
      }
    });
    return () => controller.abort();
  }, [opening]);
  const held = useHeld(messages, ({ number }) => String(number), { subject: String(opening) });
  const following = reading?.state === "open" && opening > 0;
  const field = (name: keyof TapChoice, label: string, placeholder: string, size: number) => (
    <label>
      <span class="dim">{label}</span>
      <input
        id={name === "className" ? "tap-filter" : `tap-${name}`}
        type="text"
        inputMode={size < 10 ? "numeric" : "text"}
        size={size}
        placeholder={placeholder}
        value={typed[name]}
        onInput={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
      />
    </label>
  );

  return (
    <Panel
      title="Tap"
      id="tap"
      class="tap"
      note={reading === null ? "the next messages, as they are processed" : note(reading, following)}
      tools={<HeldMark held={held} word="newer" />}
    >
      <form
        class="tap-form"
        onSubmit={(event) => {
          event.preventDefault();
          store.replaceRoute(tapHash(typed));
          setReading(null);
          setMessages([]);
          setFailure(null);
          setOpening(Math.abs(opening) + 1);
        }}
      >
        {field("className", "Message", "any class, or Order*", 22)}
        {field("to", "To", "any actor, or /user/payments/*", 30)}
        {field("count", "At most", "50", 5)}
        {field("rate", "A second", "10", 5)}
        {field("seconds", "Seconds", "60", 5)}
        <span class="tap-buttons">
          <button type="submit" class="toggle primary">
            {following ? "Start again" : "Start"}
          </button>
          {following && (
            <button type="button" class="toggle" onClick={() => setOpening(-opening)}>
              Stop
            </button>
          )}
        </span>
      </form>
      {reading !== null && (
        <div
          class={`tap-meter ${following ? "" : "is-over"}`}
          role="progressbar"
          aria-label="Messages so far"
          aria-valuemin={0}
          aria-valuemax={reading.count}
          aria-valuenow={reading.taken}
        >
          <span style={{ width: `${(100 * reading.taken) / Math.max(1, reading.count)}%` }} />
        </div>
      )}
      {failure !== null ? (
        <Empty title="There is no tap">{failure}</Empty>
      ) : reading === null ? (
        <Empty title="The next messages come here">
          {opening > 0
            ? ""
            : "A tap shows messages as they are processed. It ends by itself, and costs nothing once it has ended. Content is shown for the classes in deimos.content.messages."}
        </Empty>
      ) : messages.length === 0 ? (
        <Empty title={following ? "Waiting for messages …" : "No such message came"} />
      ) : (
        <div class="table-scroll tap-table">
          <table>
            <thead>
              <tr>
                <th scope="col">At</th>
                <th scope="col" class="name">
                  Message
                </th>
                <th scope="col" class="name">
                  To
                </th>
                <th scope="col" class="name">
                  From
                </th>
                <th scope="col">Waited</th>
                <th scope="col">Took</th>
                <th scope="col">Trace</th>
              </tr>
            </thead>
            <tbody {...held.box}>
              {held.rows.map((message) => (
                <Row key={message.number} store={store} message={message} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

/** Reads a tap until it ends. */
async function follow(choice: TapChoice, signal: AbortSignal, take: (next: Tap) => void): Promise<void> {
  const within = () => AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MILLIS)]);
  let next = await openTap(choice, within());
  while (!signal.aborted) {
    take(next);
    if (next.state !== "open") {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, REFRESH_MILLIS));
    if (!signal.aborted) {
      next = await fetchTap(next.id, next.last, within());
    }
  }
}

function note(reading: Tap, following: boolean): string {
  const left = reading.leftOut > 0 ? `, ${count(reading.leftOut)} more came faster and were left out` : "";
  const share =
    reading.recordedShare !== null && reading.recordedShare < 0.999
      ? `, of the ${(reading.recordedShare * 100).toFixed(1)} % that are recorded`
      : "";
  const end =
    reading.state !== "open"
      ? `; ended, ${ENDS[reading.endedBy ?? ""] ?? reading.endedBy ?? ""}`
      : following
        ? ""
        : "; stopped here";
  return `${plural(reading.taken, "message")} of ${count(reading.count)}${left}${share}${end}`;
}

function Row({ store, message }: { store: Store; message: TapMessage }) {
  return (
    <>
      <tr class={message.error === null ? "" : "failed"}>
        <td class="dim">
          <time>{timeOfDay(message.atMillis, true)}</time>
        </td>
        <td class="tap-message" title={message.class}>
          {innermost(message.class)}
          {message.error !== null && <span class="mark bad">failed</span>}
        </td>
        <td class="name" title={message.actorPath}>
          <a class="link" href={actorHash(message.actorPath)}>
            <Swatch colour={store.colours.of(message.actorClass)} />
            {message.actorPath.replace("pekko://", "")}
          </a>
        </td>
        <td class="name" title={message.senderPath ?? ""}>
          {message.senderPath === null ? (
            NOTHING
          ) : (
            <a class="link" href={actorHash(message.senderPath)}>
              {message.senderPath.replace("pekko://", "")}
            </a>
          )}
        </td>
        <td>{message.waitNanos === null ? NOTHING : duration(message.waitNanos)}</td>
        <td title={message.error ?? ""}>{duration(message.processingNanos)}</td>
        <td>
          <a class="link" href={traceHash(message.traceId, message.spanId)}>
            trace
          </a>
        </td>
      </tr>
      {message.content !== null && (
        <tr class="tap-content">
          <td />
          <td colSpan={6}>
            <pre tabIndex={0}>{message.content}</pre>
          </td>
        </tr>
      )}
    </>
  );
}
