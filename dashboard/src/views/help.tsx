// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The keys, and what the words on the page mean. */
import { useEffect, useRef } from "preact/hooks";

const KEYS: readonly (readonly [string, string])[] = [
  ["/", "filter actor classes; in the list of actors: find some"],
  ["o", "the overview"],
  ["r", "traces added up, and back"],
  ["a", "actors one by one, and back"],
  ["m", "map: who tells whom, and back"],
  ["k", "check: what is wrong and what to do, and back"],
  ["x", "trouble: what went wrong, and back"],
  ["w", "where is my message?, and back"],
  ["b", "tap: the messages to come, and back"],
  ["y", "the system and its last hour, and back"],
  ["c", "the cluster, its links and clocks, and back"],
  ["d", "dispatchers and their threads, and back"],
  ["f", "profile: which messages take the processor or wait, and back"],
  ["t", "find traces"],
  ["e", "traces with errors only"],
  ["p", "hold the list of traces"],
  ["s", "settings, and back"],
  ["↑ ↓", "in a trace: choose a span"],
  ["← →", "in a trace: fold and unfold, or go to the parent"],
  ["n", "in a trace: the next span with an error"],
  ["z", "in a trace: zoom to the chosen span"],
  ["⇧ ← →", "on a histogram: choose several bars; Enter shows these traces only"],
  ["0", "in a trace: show all of it again"],
  ["Esc", "leave the field, the zoom, the span, the trace"],
];

const WORDS: readonly (readonly [string, string])[] = [
  ["processing", "from taking a message out of the mailbox to the end of its handling"],
  ["in mailbox", "from sending a message to taking it out; hatched in a trace"],
  ["p50, p99", "half, and 99 of 100, were faster; estimated from histogram buckets"],
  ["dead letters", "messages to an actor that is not there any more; those that Pekko suppresses are not counted"],
  ["busy", "the share of the last seconds for which an actor was processing messages"],
  ["unhandled", "messages an actor did not know what to do with"],
  ["messages dropped", "messages a full mailbox or queue refused"],
  ["traces cut", "traces that grew too old, deep or large; they go on in new ones, with a link"],
  ["spans dropped", "spans Deimos could not keep up with, neither here nor exported"],
  ["not on this page", "spans exported if an exporter is set, but not kept here: its tooltip says why"],
  ["find", "a word, an id, or duration>500ms status:error event:dead_letter actor:Cart message:Charge; all must hold"],
  ["in part", "the rest of a trace is on another node, or was not kept"],
];

export function Help({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-label="Keys and words"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div class="help">
        <div class="help-head">
          <h2>Keys and words</h2>
          <button type="button" class="icon-button" onClick={onClose} aria-label="Close">
            ×
          </button>
        </div>
        <dl>
          {KEYS.map(([key, text]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <dl>
          {WORDS.map(([word, text]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </dialog>
  );
}
