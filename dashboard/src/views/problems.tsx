// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Failures by exception class; and the asks. */
import type { State } from "../lib/contract";
import { count, plural, quantileText, rate, shortCount } from "../lib/format";
import { overviewHash } from "../lib/route";
import type { Store } from "../store";
import { ClassName, Empty, Panel } from "./parts";

const ROWS_SHOWN = 12;

export function Failures({ state }: { state: State }) {
  const failures = [...state.failures].sort((a, b) => b.count - a.count);
  return (
    <Panel title="Failures by exception" id="failures" class="failures" note="since start">
      {failures.length === 0 ? (
        <Empty title="No actor has failed">An exception that leaves an actor is counted here.</Empty>
      ) : (
        <div class="table-scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Exception</th>
                <th scope="col" class="name">
                  Actor class
                </th>
                <th scope="col">Count</th>
              </tr>
            </thead>
            <tbody>
              {failures.slice(0, ROWS_SHOWN).map((failure) => (
                <tr key={`${failure.actorClass}/${failure.errorType}`}>
                  <th scope="row">
                    <ClassName name={failure.errorType} short />
                  </th>
                  <td class="name">
                    <ClassName name={failure.actorClass} short />
                  </td>
                  <td class="bad">
                    <a href={overviewHash({ query: `event:exception "${failure.errorType}"` })}>
                      {count(failure.count)}
                    </a>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <NotShown all={state.totals.failures} />
        </div>
      )}
    </Panel>
  );
}

export function Asks({ store, state }: { store: Store; state: State }) {
  const asks = store.history.askRows();
  return (
    <Panel title="Asks" id="asks" class="asks" note={state.asks.length > 0 ? "request to reply" : ""}>
      {asks.length === 0 ? (
        <Empty title="No asks yet">
          The ask pattern (<code>?</code>, <code>ask</code>) shows its time to the reply here.
        </Empty>
      ) : (
        <div class="table-scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Request</th>
                <th scope="col">/ s</th>
                <th scope="col">p50</th>
                <th scope="col">p99</th>
                <th scope="col">Time-outs</th>
              </tr>
            </thead>
            <tbody>
              {asks.slice(0, ROWS_SHOWN).map((ask) => (
                <tr key={ask.className} title={plural(ask.count, "ask")}>
                  <th scope="row">
                    <ClassName name={ask.className} short />
                  </th>
                  <td>{rate(ask.ratePerSecond)}</td>
                  <td>{quantileText(ask.p50)}</td>
                  <td class="p99">{quantileText(ask.p99)}</td>
                  <td class={ask.timeouts > 0 ? "odd" : "zero"}>
                    {ask.timeouts > 0 ? (
                      <a href={overviewHash({ query: `event:ask_timeout message:"${ask.className}"` })}>
                        {shortCount(ask.timeouts)}
                      </a>
                    ) : (
                      shortCount(ask.timeouts)
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <NotShown all={asks.length} />
        </div>
      )}
    </Panel>
  );
}

function NotShown({ all }: { all: number }) {
  return all <= ROWS_SHOWN ? null : (
    <p class="more">{plural(all - ROWS_SHOWN, "more")} with smaller counts not shown.</p>
  );
}
