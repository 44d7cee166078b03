// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Bars under the head for what must not be overlooked: no answer, missing hooks, lost spans, problems. */
import type { ComponentChildren } from "preact";
import { count, plural, timeOfDay, uptime } from "../lib/format";
import { nodeName } from "../lib/nodes";
import type { Store } from "../store";

const PROBLEMS_SHOWN = 5;

export function Notices({ store }: { store: Store }) {
  const { state, connection } = store;
  const notices: ComponentChildren[] = [];
  if (connection.kind === "lost") {
    notices.push(
      <Notice key="lost" level="error" id="disconnected">
        <strong>No answer from the JVM since {timeOfDay(connection.sinceMillis)}</strong> (
        {uptime(Date.now() - connection.sinceMillis)}; {connection.reason}). It may have stopped, or stand in a debugger
        or a long collection. These are its last figures; the page asks again each second.
      </Notice>,
    );
  }
  const gone = store.goneNode;
  if (gone !== null) {
    notices.push(
      <Notice key="gone" level="warn" id="node-gone">
        <strong>
          {nodeName(gone)} is gone since {timeOfDay(gone.sinceMillis)}
        </strong>
        . The figures are as of {timeOfDay(gone.keptAtMillis)}, and does not change any more; lists cannot be sorted.
      </Notice>,
    );
  }
  if (store.restartSeenMillis !== null) {
    notices.push(
      <Notice key="restart" level="info" id="restarted" onClose={() => store.forgetRestart()}>
        <strong>The JVM was started anew</strong> (seen at {timeOfDay(store.restartSeenMillis)}). All counters began
        again; traces of the one before are gone.
      </Notice>,
    );
  }
  if (state !== null && state.recorder.spansDropped > 0) {
    const { spansDropped, spansRecorded } = state.recorder;
    const perSecond = store.history.counterRate((s) => s.recorder.spansDropped) ?? 0;
    notices.push(
      <Notice key="dropped" level="error" id="spans-dropped">
        <strong>{plural(spansDropped, "span")} dropped</strong>, beside {count(spansRecorded)} recorded;{" "}
        {perSecond > 0 ? `${count(Math.ceil(perSecond))} a second now` : "none in the last seconds"}. Traces have holes
        where they are missing.
      </Notice>,
    );
  }
  if (state !== null && state.hooks.missing.length > 0) {
    notices.push(
      <Notice key="hooks" level="warn" id="hooks-missing">
        <strong>
          {plural(state.hooks.missing.length, "hook")} missing on Pekko {state.pekkoVersion}:
        </strong>{" "}
        {state.hooks.missing.map((hook, i) => (
          <>
            {i > 0 && ", "}
            <code>{hook}</code>
          </>
        ))}
        . Events at these hooks are not recorded; the rest is.
      </Notice>,
    );
  }
  if (state !== null) {
    state.problems.slice(0, PROBLEMS_SHOWN).forEach((problem, i) => {
      notices.push(
        <Notice key={`problem-${i}`} level="warn" id={`problem-${i}`}>
          {problem}
        </Notice>,
      );
    });
    if (state.problems.length > PROBLEMS_SHOWN) {
      notices.push(
        <Notice key="more" level="warn" id="more-problems">
          {plural(state.problems.length - PROBLEMS_SHOWN, "more problem")} in the log of the JVM.
        </Notice>,
      );
    }
  }
  return notices.length === 0 ? null : <div class="notices">{notices}</div>;
}

function Notice(props: {
  level: "error" | "warn" | "info";
  id: string;
  onClose?: () => void;
  children: ComponentChildren;
}) {
  return (
    <div class={`notice ${props.level}`} id={props.id} role={props.level === "info" ? "status" : "alert"}>
      <span class="notice-mark" aria-hidden="true">
        {props.level === "info" ? "i" : "!"}
      </span>
      <p>{props.children}</p>
      {props.onClose !== undefined && (
        <button type="button" class="icon-button" onClick={props.onClose} aria-label="Close">
          ×
        </button>
      )}
    </div>
  );
}
