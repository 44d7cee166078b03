// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The figures one looks at first. */
import type { State } from "../lib/contract";
import { count, plural, rate, shortCount } from "../lib/format";
import type { Store } from "../store";

export function Tiles({ store, state }: { store: Store; state: State }) {
  const { history } = store;
  const { recorder, totals } = state;
  const failed = state.actors.reduce((n, actor) => n + actor.failed, 0);
  const failedTypes = new Set(state.failures.map((failure) => failure.errorType)).size;
  const asks = state.asks.reduce((n, ask) => n + ask.count, 0);
  const timeouts = state.asks.reduce((n, ask) => n + ask.timeouts, 0);
  const growth = (counter: (state: State) => number) => history.counterRate(counter) ?? 0;
  const deadLetters = growth((s) => s.totals.deadLetters);
  const unhandled = growth((s) => s.totals.unhandled);
  const dropped = growth((s) => s.totals.dropped);
  return (
    <dl class="tiles">
      <Tile
        id="messages"
        label="Messages / s"
        value={rate(history.messagesPerSecond())}
        exact={plural(recorder.messages, "message")}
        note={`${shortCount(recorder.messages)} since start`}
        level="main"
      />
      <Tile
        id="actors-live"
        label="Live actors"
        value={shortCount(totals.actorsLive)}
        exact={plural(totals.actorsLive, "live actor")}
        note={`of ${plural(state.actors.length, "class", "classes")}`}
        level="main"
      />
      <Tile
        id="spans"
        label="Spans recorded"
        value={shortCount(recorder.spansRecorded)}
        exact={`${count(recorder.spansRecorded)} recorded, ${count(recorder.spansExported)} exported to ${recorder.export}`}
        note={`${shortCount(recorder.spansExported)} exported`}
      />
      <Tile
        id="dropped-spans"
        label="Spans dropped"
        value={shortCount(recorder.spansDropped)}
        exact={plural(recorder.spansDropped, "span")}
        note={recorder.spansDropped === 0 ? "nothing lost" : "traces have holes"}
        level={recorder.spansDropped > 0 ? "alarm" : ""}
      />
      <Tile
        id="failures"
        label="Failures"
        value={shortCount(failed)}
        exact={plural(failed, "failure")}
        note={failed === 0 ? "no actor failed" : `${plural(failedTypes, "exception class", "exception classes")}`}
        level={growth((s) => s.actors.reduce((n, actor) => n + actor.failed, 0)) > 0 ? "bad" : ""}
      />
      <Tile
        id="timeouts"
        label="Ask time-outs"
        value={shortCount(timeouts)}
        exact={plural(timeouts, "time-out")}
        note={`of ${shortCount(asks)} asks`}
        level={growth((s) => s.asks.reduce((n, ask) => n + ask.timeouts, 0)) > 0 ? "odd" : ""}
      />
      <Tile
        id="dead-letters"
        label="Dead letters"
        value={shortCount(totals.deadLetters)}
        exact={plural(totals.deadLetters, "dead letter")}
        note={trend(deadLetters)}
        level={deadLetters > 0 ? "odd" : ""}
      />
      <Tile
        id="unhandled"
        label="Unhandled"
        value={shortCount(totals.unhandled)}
        exact={plural(totals.unhandled, "message")}
        note={trend(unhandled)}
        level={unhandled > 0 ? "odd" : ""}
      />
      <Tile
        id="dropped-messages"
        label="Messages dropped"
        value={shortCount(totals.dropped)}
        exact={plural(totals.dropped, "message")}
        note={trend(dropped)}
        level={dropped > 0 ? "odd" : ""}
      />
    </dl>
  );
}

function trend(perSecond: number): string {
  return perSecond > 0 ? `+${rate(perSecond)} / s now` : "none now";
}

function Tile(props: {
  id: string;
  label: string;
  value: string;
  exact: string;
  note: string;
  level?: "" | "main" | "odd" | "bad" | "alarm";
}) {
  return (
    <div class={`tile ${props.level ?? ""}`} id={`tile-${props.id}`} title={props.exact}>
      <dt>{props.label}</dt>
      <dd class="tile-value">{props.value}</dd>
      <dd class="tile-note">{props.note}</dd>
    </div>
  );
}
