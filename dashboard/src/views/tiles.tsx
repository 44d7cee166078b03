// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The figures one looks at first. */
import type { State } from "../lib/contract";
import { count, duration, plural, rate, shortCount } from "../lib/format";
import { ACTORS_HASH, overviewHash, troubleHash } from "../lib/route";
import type { Store } from "../store";
import { CheckTile } from "./check";

export function Tiles({ store, state }: { store: Store; state: State }) {
  const { history } = store;
  const { recorder, totals } = state;
  const asks = state.asks.reduce((n, ask) => n + ask.count, 0);
  const timeouts = state.asks.reduce((n, ask) => n + ask.timeouts, 0);
  const growth = (counter: (state: State) => number) => history.counterRate(counter) ?? 0;
  const deadLetters = growth((s) => s.totals.deadLetters);
  const unhandled = growth((s) => s.totals.unhandled);
  const dropped = growth((s) => s.totals.dropped);
  return (
    <dl class="tiles">
      {state.systems.length > 0 && <CheckTile />}
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
        href={ACTORS_HASH}
        label="Live actors"
        value={shortCount(totals.actorsLive)}
        exact={plural(totals.actorsLive, "live actor")}
        note={`of ${plural(totals.classes, "class", "classes")}`}
        level="main"
      />
      <Tile
        id="spans"
        label="Spans recorded"
        value={shortCount(recorder.spansRecorded)}
        exact={`${count(recorder.spansRecorded)} recorded of actors, ${count(recorder.spansExported)} exported to ${recorder.export}; spans of other instrumentation are not counted here`}
        note={`${shortCount(recorder.spansExported)} exported`}
      />
      <Tile
        id="dropped-spans"
        label="Spans dropped"
        value={shortCount(recorder.spansDropped)}
        exact={plural(recorder.spansDropped, "span")}
        note={recorder.spansDropped === 0 ? "none lost" : "traces have holes"}
        level={recorder.spansDropped > 0 ? "alarm" : ""}
      />
      <NotKept state={state} growth={growth} />
      <Tile
        id="stuck"
        href={totals.stuckNow > 0 ? troubleHash({ kind: "stuck" }) : undefined}
        label="Stuck now"
        value={shortCount(totals.stuckNow)}
        exact={`${plural(totals.stuckNow, "message")} in processing for longer than deimos.stuck.threshold`}
        note={totals.stuckNow === 0 ? "none" : "see Trouble"}
        level={totals.stuckNow > 0 ? "bad" : ""}
      />
      <Tile
        id="failures"
        href={totals.failed > 0 ? overviewHash({ query: "event:exception" }) : undefined}
        label="Failures"
        value={shortCount(totals.failed)}
        exact={plural(totals.failed, "failure")}
        note={totals.failed === 0 ? "no actor failed" : plural(totals.errorTypes, "exception")}
        level={growth((s) => s.totals.failed) > 0 ? "bad" : ""}
      />
      <Tile
        id="timeouts"
        href={timeouts > 0 ? overviewHash({ query: "event:ask_timeout" }) : undefined}
        label="Ask time-outs"
        value={shortCount(timeouts)}
        exact={plural(timeouts, "time-out")}
        note={`of ${shortCount(asks)} asks`}
        level={growth((s) => s.asks.reduce((n, ask) => n + ask.timeouts, 0)) > 0 ? "odd" : ""}
      />
      <Tile
        id="dead-letters"
        href={totals.deadLetters > 0 ? overviewHash({ query: "event:dead_letter" }) : undefined}
        label="Dead letters"
        value={shortCount(totals.deadLetters)}
        exact={`${plural(totals.deadLetters, "dead letter")}, and ${count(totals.deadLettersSuppressed)} that Pekko suppresses`}
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

/** The things that this page does not show, where people look for them. */
function NotKept({ state, growth }: { state: State; growth: (counter: (state: State) => number) => number }) {
  const { store } = state.recorder;
  const rate = store.spansLetGo + store.spansNotKept;
  const room = store.spansEvicted + store.spansThinned + store.spansTruncated;
  const trouble = (of: State) => of.recorder.store.errorsNotKept + of.recorder.store.troubleEvicted;
  const came = rate + room + store.spansKept;
  const reasons = [
    `${plural(came, "span")} came here: of actors, of other instrumentation, and of other processes on this page. ${count(store.spansKept)} are here, and not`,
    `${plural(store.spansLetGo, "span")} of ${plural(store.tracesLetGo, "ordinary trace")} beyond ${count(store.tracesPerSecond)} traces a second (deimos.page.traces-per-second)`,
    `${plural(store.spansNotKept, "span")} of traces that were never taken, ${count(store.errorsNotKept)} of them with trouble`,
    `${plural(store.spansEvicted, "span")} of ${plural(store.tracesEvicted, "trace")} that made room for others, ${count(store.troubleEvicted)} of them with trouble (deimos.page.spans-kept=${count(store.roomForSpans)})`,
    `${plural(store.spansThinned, "span")} beside the trouble in ${plural(store.tracesThinned, "old trace")}; traces with trouble are whole for ${duration(store.troubleWholeNanos)} now`,
    `${plural(store.spansTruncated, "span")} beyond what one trace may have`,
  ];
  return (
    <Tile
      id="not-kept"
      label="Not on this page"
      value={shortCount(rate + room)}
      of={came > 0 ? shortCount(came) : undefined}
      exact={reasons.join("\n")}
      note={
        trouble(state) > 0
          ? `${shortCount(trouble(state))} with trouble`
          : rate + room === 0
            ? "all are here"
            : rate >= room
              ? "over the limit"
              : "no room"
      }
      level={growth(trouble) > 0 ? "odd" : ""}
    />
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
  /** How many the figure is a part of, where that is not said by another tile. */
  of?: string | undefined;
  /** Where the traces behind the figure are. */
  href?: string | undefined;
  level?: "" | "main" | "odd" | "bad" | "alarm";
}) {
  return (
    <div class={`tile ${props.level ?? ""}`} id={`tile-${props.id}`} title={props.exact}>
      <dt>{props.label}</dt>
      <dd class="tile-value">
        {props.href === undefined ? props.value : <a href={props.href}>{props.value}</a>}
        {props.of !== undefined && <small class="dim"> of {props.of}</small>}
      </dd>
      <dd class="tile-note">{props.note}</dd>
    </div>
  );
}
