// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The traces that match against the others of their name: what sets them apart. */
import { fetchComparison } from "../api";
import type { TraceComparison, TraceDifference } from "../lib/contract";
import { count, plural } from "../lib/format";
import { traceHash, tracesHash } from "../lib/route";
import type { Store } from "../store";
import { Empty, Panel } from "./parts";
import { usePolled } from "./polled";

const REFRESH_MILLIS = 10_000;
const TYPING_MILLIS = 400;

/**
 * @param shown whether it is open; while it is not, nothing is asked for
 */
export function Differences({ store, shown }: { store: Store; shown: boolean }) {
  const { query, errorsOnly } = store;
  const list = { query, errorsOnly };
  return (
    <Panel
      title="Differences"
      id="differences"
      note="what sets the traces that match apart from the others of their name"
      tools={
        <a class="toggle" aria-current={shown ? "true" : undefined} href={tracesHash(list, "", !shown)}>
          {shown ? "hide" : "compare"}
        </a>
      }
    >
      {shown && (query.trim() === "" && !errorsOnly ? <Nothing /> : <Compared store={store} />)}
    </Panel>
  );
}

function Nothing() {
  return (
    <Empty title="Choose some traces">
      Drag over the slow ones in the histogram, write a query such as <code>duration&gt;500ms</code>, or choose errors.
      They are compared with all other traces of the same name.
    </Empty>
  );
}

function Compared({ store }: { store: Store }) {
  const { query, errorsOnly } = store;
  const subject = `${store.node} ${errorsOnly} ${query.trim()}`;
  const polled = usePolled((signal) => fetchComparison(query.trim(), errorsOnly, signal), REFRESH_MILLIS, {
    subject,
    paused: store.tracesPaused,
    delayMillis: TYPING_MILLIS,
  });
  const { value: compared, refused, failure } = polled;
  if (refused !== null) {
    return <Empty title="These cannot be compared">{refused}</Empty>;
  }
  if (compared === null || polled.answers !== subject) {
    return <Empty title="Comparing …">{failure === null ? "" : `No answer yet: ${failure}.`}</Empty>;
  }
  const doubts = doubtsOf(compared);
  return (
    <>
      {compared.selected === 0 ? (
        <Empty title="No trace matches">A trace in memory has to match, to be compared with others.</Empty>
      ) : compared.rest === 0 ? (
        <Empty title="Nothing to compare with">
          All {count(compared.selected)} traces named {compared.name} match.
        </Empty>
      ) : compared.differences.length === 0 ? (
        <Empty title="Nothing differs for sure">
          {plural(compared.selected, "trace")} named {compared.name}, against {count(compared.rest)} others. More traces
          make smaller differences certain.
        </Empty>
      ) : (
        <Table store={store} compared={compared} />
      )}
      {doubts !== "" && <p class="actor-doubts">{doubts}</p>}
    </>
  );
}

/** All that is not compared, in sentences. */
function doubtsOf({ otherNames, reduced, fieldsCut, notLookedAt }: TraceComparison): string {
  const some = [
    ...(otherNames === 0 ? [] : [`${plural(otherNames, "trace")} of other names match, too: choose a name.`]),
    ...(reduced === 0 ? [] : [`${plural(reduced, "trace")} left out, since only their trouble is kept.`]),
    ...(fieldsCut.length === 0 ? [] : [`Not all values are told apart of ${fieldsCut.join(", ")}.`]),
    ...notLookedAt,
  ];
  return some.join(" ");
}

function Table({ store, compared }: { store: Store; compared: TraceComparison }) {
  return (
    <div class="table-scroll">
      <table class="differences">
        <caption>
          {plural(compared.selected, "trace")} named <b>{compared.name}</b> against {plural(compared.rest, "other")}
        </caption>
        <thead>
          <tr>
            <th>Value</th>
            <th class="share">These</th>
            <th class="share">Others</th>
            <th class="figure" title="The bound of a 99.9 % confidence interval that is nearest to no difference">
              At least
            </th>
            <th>Example</th>
          </tr>
        </thead>
        <tbody>
          {compared.differences.map((one) => (
            <Row key={`${one.field} ${one.value}`} store={store} compared={compared} one={one} />
          ))}
        </tbody>
      </table>
      {compared.differencesLeftOut > 0 && <p class="more">and {count(compared.differencesLeftOut)} more</p>}
    </div>
  );
}

function Row({ store, compared, one }: { store: Store; compared: TraceComparison; one: TraceDifference }) {
  const also = one.also.map((value) => said(store, value)).join("\n");
  const more = one.also.length + one.alsoLeftOut;
  return (
    <tr>
      <th scope="row">
        <span class="difference-field">{one.field}</span> {shown(store, one)}
        {more > 0 && (
          <details>
            <summary>and {plural(more, "value")} more of the same traces</summary>
            <pre>{one.alsoLeftOut === 0 ? also : `${also}\n…`}</pre>
          </details>
        )}
      </th>
      <Share share={one.selectedShare} some={one.selected} of={compared.selected} class="these" />
      <Share share={one.restShare} some={one.rest} of={compared.rest} class="others" />
      <td class="figure">
        {one.certain > 0 ? "+" : "−"}
        {percent(Math.abs(one.certain))}
      </td>
      <td>
        <a class="link" href={traceHash(one.example)} aria-label={`A trace with ${said(store, one)}`}>
          {one.certain > 0 ? "one of these" : "another"}
        </a>
      </td>
    </tr>
  );
}

function said(store: Store, value: { readonly field: string; readonly value: string }): string {
  return `${value.field} = ${shown(store, value)}`;
}

/** A process has a name on the page. */
function shown(store: Store, { field, value }: { readonly field: string; readonly value: string }): string {
  return field === "node" ? store.nodeOf({ node: value === "" ? null : value }) || value || "this process" : value;
}

function Share(props: { share: number; some: number; of: number; class: string }) {
  return (
    <td class={`share ${props.class}`}>
      <span class="share-bar" aria-hidden="true">
        <span style={{ width: percent(props.share) }} />
      </span>
      <span class="share-text">
        {percent(props.share)}{" "}
        <span class="dim">
          {count(props.some)} of {count(props.of)}
        </span>
      </span>
    </td>
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`;
}
