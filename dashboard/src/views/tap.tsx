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
import { Empty, Panel } from "./parts";

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
    if (opening === 0) {
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
  const field = (name: keyof TapChoice, label: string, placeholder: string, size: number) => (
    <label>
      <span class="dim">{label}</span>{" "}
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
    <Panel title="Tap" id="tap" class="tap" note={reading === null ? "" : note(reading)}>
      <form
        class="tap-form"
        onSubmit={(event) => {
          event.preventDefault();
          store.replaceRoute(tapHash(typed));
          setReading(null);
          setMessages([]);
          setFailure(null);
          setOpening(opening + 1);
        }}
      >
        {field("className", "message", "any class, or Order*", 18)}
        {field("to", "to", "any actor, or /user/payments/*", 26)}
        {field("count", "how many", "50", 4)}
        {field("rate", "a second", "10", 4)}
        {field("seconds", "seconds", "60", 4)}
        <button type="submit" class="toggle">
          {reading?.state === "open" ? "start again" : "start"}
        </button>
      </form>
      {failure !== null ? (
        <Empty title="There is no tap">{failure}</Empty>
      ) : reading === null ? (
        <Empty title="The next messages come here">
          {opening > 0
            ? ""
            : "A tap shows messages as they are processed. It ends by itself, and costs nothing once it has ended. Content is shown for the classes in deimos.content.messages."}
        </Empty>
      ) : messages.length === 0 ? (
        <Empty title={reading.state === "open" ? "Waiting for messages …" : "No such message came"} />
      ) : (
        <div class="tap-table">
          <table>
            <thead>
              <tr>
                <th>at</th>
                <th>message</th>
                <th>to</th>
                <th>from</th>
                <th class="num">waited</th>
                <th class="num">took</th>
                <th>trace</th>
              </tr>
            </thead>
            <tbody>
              {messages.map((message) => (
                <Row key={message.number} message={message} />
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

function note(reading: Tap): string {
  const left = reading.leftOut > 0 ? `, ${count(reading.leftOut)} more came faster and were left out` : "";
  const share =
    reading.recordedShare !== null && reading.recordedShare < 0.999
      ? `, of the ${(reading.recordedShare * 100).toFixed(1)} % that are recorded`
      : "";
  const end = reading.state === "open" ? "" : `; ended, ${ENDS[reading.endedBy ?? ""] ?? reading.endedBy ?? ""}`;
  return `${plural(reading.taken, "message")} of ${count(reading.count)}${left}${share}${end}`;
}

function Row({ message }: { message: TapMessage }) {
  return (
    <>
      <tr class={message.error === null ? "" : "failed"}>
        <td>
          <time>{timeOfDay(message.atMillis, true)}</time>
        </td>
        <td title={message.class}>{innermost(message.class)}</td>
        <td>
          <a class="link" href={actorHash(message.actorPath)}>
            {message.actorPath.replace("pekko://", "")}
          </a>
        </td>
        <td>{message.senderPath === null ? NOTHING : message.senderPath.replace("pekko://", "")}</td>
        <td class="num">{message.waitNanos === null ? NOTHING : duration(message.waitNanos)}</td>
        <td class="num" title={message.error ?? ""}>
          {duration(message.processingNanos)}
          {message.error !== null && <span class="mark bad">failed</span>}
        </td>
        <td>
          <a class="link" href={traceHash(message.traceId, message.spanId)}>
            trace
          </a>
        </td>
      </tr>
      {message.content !== null && (
        <tr>
          <td />
          <td colSpan={6}>
            <pre tabIndex={0}>{message.content}</pre>
          </td>
        </tr>
      )}
    </>
  );
}
