// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Where is my message? One search in all places that a message can be in, or be remembered by. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { fetchWhere, Refused } from "../api";
import { count, plural, shortCount, timeOfDay } from "../lib/format";
import { reasonOf } from "../lib/poll";
import { actorHash, traceHash, troubleHash } from "../lib/route";
import { TAP_HASH } from "../lib/tap";
import type { Where, WhereMatch } from "../lib/contract";
import { BAD_FATES, FATES, whereHash } from "../lib/where";
import { Empty, Panel } from "./parts";

const TIMEOUT_MILLIS = 10_000;

export function WhereView({ query }: { query: string }) {
  const [typed, setTyped] = useState(query);
  const [found, setFound] = useState<Where | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [again, setAgain] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (query === "") {
      field.current?.focus();
    }
  }, [query]);
  useEffect(() => {
    setTyped(query);
    setFound(null);
    setFailure(null);
    if (query === "") {
      return;
    }
    const controller = new AbortController();
    const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(TIMEOUT_MILLIS)]);
    fetchWhere(query, signal).then(setFound, (error: unknown) => {
      if (!controller.signal.aborted) {
        setFailure(error instanceof Refused ? error.message : `No answer came: ${reasonOf(error)}.`);
      }
    });
    return () => controller.abort();
  }, [query, again]);

  return (
    <Panel
      title="Where is my message?"
      id="where"
      class="where"
      note={found === null || found.query !== query ? "" : `${count(found.total)} found`}
      tools={
        <form
          class="where-form"
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            setAgain(again + 1);
            location.hash = whereHash(typed);
          }}
        >
          <input
            ref={field}
            id="where-filter"
            type="search"
            placeholder="Charge, cart-17, a trace id  /"
            aria-label="Message"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          <button type="submit" class="toggle">
            find
          </button>
        </form>
      }
    >
      {query === "" ? (
        <Empty title="Say which message">
          A word is looked for in its class, in the path and class of its actor, in the sender's path, and in what it
          says where that is recorded. Or say which: <code>message:Charge</code> <code>actor:payments</code>{" "}
          <code>sender:cart-17</code> <code>text:order-4711</code> <code>trace:ID</code>. To see what comes next, use a{" "}
          <a class="link" href={TAP_HASH}>
            tap
          </a>
          .
        </Empty>
      ) : failure !== null ? (
        <Empty title="It cannot be looked for">{failure}</Empty>
      ) : found === null ? (
        <Empty title="Looking …" />
      ) : (
        <Found found={found} />
      )}
    </Panel>
  );
}

function Found({ found }: { found: Where }) {
  const { looked } = found;
  return (
    <>
      {found.matches.length === 0 ? (
        <Empty title="Never seen">
          No such message is in what was looked at. It may be in what was not, or it was never sent.
        </Empty>
      ) : (
        <>
          <p class="where-fates">
            {Object.keys(FATES)
              .filter((fate) => found.fates[fate] !== undefined)
              .map((fate) => (
                <span key={fate} class={`mark ${BAD_FATES.has(fate) ? "bad" : ""}`}>
                  {shortCount(found.fates[fate] ?? 0)} {FATES[fate]}
                </span>
              ))}
          </p>
          <ol class="where-list">
            {found.matches.map((match, i) => (
              <Match key={i} match={match} />
            ))}
          </ol>
        </>
      )}
      <div class="where-looked">
        <p>
          <b>Looked at</b> {plural(looked.records, "processed message")}
          {looked.sinceMillis !== null && ` since ${timeOfDay(looked.sinceMillis)}`}, {count(looked.waiting)} that wait
          at {plural(looked.actors, "actor")}, {plural(looked.asks, "open ask")},{" "}
          {plural(looked.troubles, "example of trouble", "examples of trouble")}, {plural(looked.traces, "trace")}.
        </p>
        <p>
          <b>Not looked at</b>
        </p>
        <ul>
          {found.notLookedAt.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </div>
    </>
  );
}

function Match({ match }: { match: WhereMatch }) {
  return (
    <li>
      <p class="where-story">
        <span class={`mark ${BAD_FATES.has(match.fate) ? "bad" : ""}`}>{FATES[match.fate] ?? match.fate}</span>{" "}
        {match.story} {match.atMillis !== null && <time>{timeOfDay(match.atMillis, true)}</time>}
      </p>
      {match.content !== null && <pre tabIndex={0}>{match.content}</pre>}
      <p class="trouble-links">
        {match.traceId !== null && (
          <a class="link" href={traceHash(match.traceId, match.spanId)}>
            trace
          </a>
        )}
        {match.troubleId !== null && (
          <a class="link" href={troubleHash({ open: match.troubleId })}>
            trouble
          </a>
        )}
        {match.actorPath !== null && (
          <a class="link" href={actorHash(match.actorPath)}>
            {match.actorPath.replace("pekko://", "")}
          </a>
        )}
        {match.senderPath !== null && (
          <span>
            <span class="dim">from</span>{" "}
            <a class="link" href={actorHash(match.senderPath)}>
              {match.senderPath.replace("pekko://", "")}
            </a>
          </span>
        )}
      </p>
    </li>
  );
}
