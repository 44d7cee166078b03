// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The shown process, where there are several, and a list of them. */
import { shortCount, timeOfDay, uptime } from "../lib/format";
import type { Otlp } from "../lib/contract";
import { ALL, choosable, nodeName, otlpOf, type PageNode, present } from "../lib/nodes";
import type { Store } from "../store";
import { Panel } from "./parts";

export function NodeSwitch({ store }: { store: Store }) {
  const { nodes } = store;
  if (nodes.length < 2) {
    return null;
  }
  return (
    <select
      id="node"
      aria-label="The process that is shown"
      title="The process that is shown. Lists of actors and settings are of one process; of “all” it is the page's own, or the first."
      value={store.node}
      onChange={(event) => store.show(event.currentTarget.value)}
    >
      <option value={ALL}>all {present(nodes).length} processes</option>
      {choosable(nodes).map((node) => (
        <option key={node.id} value={node.id}>
          {nodeName(node)}
          {node.state === "serves" ? " (has the page)" : node.state === "gone" ? " (gone)" : ""}
        </option>
      ))}
    </select>
  );
}

export function NodesPanel({ store }: { store: Store }) {
  const { nodes } = store;
  const otlp = otlpOf(nodes);
  if (nodes.length < 2 && otlp === null) {
    return null;
  }
  const gone = nodes.length - present(nodes).length;
  return (
    <Panel
      title="Processes"
      id="nodes-title"
      note={`${present(nodes).length} here${gone === 0 ? "" : `, ${gone} gone`}`}
    >
      <table class="nodes">
        <thead>
          <tr>
            <th scope="col">Process</th>
            <th scope="col" title="It serves the page, has joined it, only sends OTLP, or is gone">
              State
            </th>
            <th scope="col">Up</th>
            <th scope="col">Messages</th>
            <th scope="col">Actors</th>
            <th scope="col">Heap</th>
            <th scope="col" title="Spans of its kept traces that came here, and those that had to go before">
              Spans sent
            </th>
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <Row key={node.id} node={node} store={store} />
          ))}
        </tbody>
      </table>
      <Differences nodes={present(nodes)} />
      {otlp !== null && <OtlpLine otlp={otlp} />}
    </Panel>
  );
}

/** How much of the OTLP that came was taken. */
function OtlpLine({ otlp }: { otlp: Otlp }) {
  return (
    <p class="dim" id="otlp">
      OTLP: {shortCount(otlp.requests)} requests with {shortCount(otlp.spans)} spans
      {otlp.spansTurnedAway > 0 && `, of which ${shortCount(otlp.spansTurnedAway)} are not kept`}
      {otlp.logs > 0 && `; ${shortCount(otlp.logs)} log records`}
      {otlp.notKept > 0 && `; ${shortCount(otlp.notKept)} data points, of which none are kept`}
      {otlp.refused > 0 && (
        <span class="odd">
          ; {shortCount(otlp.refused)} refused, the last at {timeOfDay(otlp.lastRefusedMillis ?? 0)}: {otlp.lastRefused}
        </span>
      )}
    </p>
  );
}

function Row({ node, store }: { node: PageNode; store: Store }) {
  const isHere = node.state !== "gone";
  const isChoosable = choosable(store.nodes).includes(node);
  return (
    <tr class={isHere ? "" : "dim"}>
      <th scope="row" title={`id ${node.id}`}>
        {isChoosable ? (
          <button type="button" class="text-button" onClick={() => store.show(store.node === node.id ? ALL : node.id)}>
            {nodeName(node)}
          </button>
        ) : (
          nodeName(node)
        )}{" "}
        <span class="dim">{node.systems.join(", ")}</span>
      </th>
      <td>{isHere ? STATES[node.state] : `gone ${timeOfDay(node.sinceMillis)}`}</td>
      <td>{node.startedAtMillis === 0 ? "–" : uptime(node.saidAtMillis - node.startedAtMillis)}</td>
      <td>{hasActors(node) ? shortCount(node.messages) : "–"}</td>
      <td>{hasActors(node) ? shortCount(node.actorsLive) : "–"}</td>
      <td title={`of ${mebibytes(node.heapMaxBytes)}`}>
        {node.heapMaxBytes === 0 ? "–" : mebibytes(node.heapUsedBytes)}
      </td>
      <td>
        {node.state === "serves" || node.state === "page" ? "–" : shortCount(node.spansReceived)}
        {node.spansNotSent > 0 && <span class="odd"> {shortCount(node.spansNotSent)} not</span>}
      </td>
    </tr>
  );
}

const STATES: Readonly<Record<PageNode["state"], string>> = {
  serves: "serves",
  page: "the page",
  sends: "sends OTLP",
  joined: "joined",
  gone: "gone",
};

function hasActors(node: PageNode): boolean {
  return node.state !== "page" && node.state !== "sends";
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / (1 << 20))} MiB`;
}

/** Versions that are not the same everywhere. */
function Differences({ nodes }: { nodes: readonly PageNode[] }) {
  const said = (
    [
      ["Deimos", (node) => node.version],
      ["Pekko", (node) => node.pekkoVersion],
      ["JDK", (node) => node.jdk],
    ] as readonly (readonly [string, (node: PageNode) => string])[]
  )
    .map(([name, of]) => [name, [...new Set(nodes.map(of).filter((one) => one !== "" && one !== "null"))]] as const)
    .filter(([, values]) => values.length > 1)
    .map(([name, values]) => `${name} ${values.join(" and ")}`);
  return said.length === 0 ? null : <p class="dim">Not the same everywhere: {said.join("; ")}.</p>;
}
