// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The senders and receivers, as a drawing and as a table of the same edges. */
import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { fetchMap } from "../api";
import { count, duration, innermost, NOTHING, plural, rate, shortCount, timeOfDay } from "../lib/format";
import type { Map as MessageMap, MapEdge, MapNode, MapSample } from "../lib/contract";
import { edgeKey, type MapChoice, mapHash } from "../lib/map";
import { MapLayout } from "../lib/maplayout";
import { actorHash, actorsHash, overviewHash, traceHash } from "../lib/route";
import type { Store } from "../store";
import { Drawing } from "./mapdrawing";
import { Empty, Filter, Panel } from "./parts";
import { usePolled } from "./polled";

const REFRESH_MILLIS = 2000;
const SPANS: readonly (readonly [number, string])[] = [
  [10, "10 s"],
  [60, "1 min"],
  [600, "10 min"],
];
/** Below it the page says that not all messages are in its figures. */
const NEARLY_ALL = 0.9;
/** A wait that somebody should look at. */
export const LONG_WAIT_NANOS = 100e6;

export function MapView({ store, choice }: { store: Store; choice: MapChoice }) {
  const {
    value: map,
    refused,
    failure,
  } = usePolled((signal) => fetchMap(choice, signal), REFRESH_MILLIS, { subject: mapHash({ ...choice, chosen: "" }) });
  const layout = useRef(new MapLayout());
  const go = (change: Partial<MapChoice>) => store.replaceRoute(mapHash({ ...choice, ...change }));
  const choose = (chosen: string) => go({ chosen: chosen === choice.chosen ? "" : chosen });
  return (
    <Panel
      title="Map"
      id="map-title"
      class="map"
      note={map === null ? "" : `${plural(map.edges.length, "edge")}, ${shortCount(map.messages)} messages`}
      tools={
        <>
          <Filter
            id="map-filter"
            placeholder="Find actor or message  /"
            label="Find edges by actor or message"
            query={choice.query}
            go={go}
          />
          {SPANS.map(([seconds, name]) => (
            <button
              key={seconds}
              type="button"
              class="toggle"
              aria-pressed={choice.seconds === seconds}
              title={`Messages of the last ${name}`}
              onClick={() => go({ seconds })}
            >
              {name}
            </button>
          ))}
        </>
      }
    >
      {refused !== null ? (
        <Empty title="There is no map">{refused}</Empty>
      ) : map === null ? (
        <Empty title="Asking who tells whom …">{failure ?? ""}</Empty>
      ) : (
        <>
          <Doubts map={map} choice={choice} />
          {map.edges.length === 0 ? (
            <Empty title={map.messages === 0 ? "No message was recorded in this time" : "No edge matches"}>
              {map.messages === 0
                ? "The map is made of recorded messages. It is empty while tracing is off or nobody sends."
                : "Each word has to be part of the sender, the receiver or a message class."}
            </Empty>
          ) : (
            <div class="map-body">
              <Drawing map={map} layout={layout.current} chosen={choice.chosen} onChoose={choose} />
              <div class="map-side">
                <Chosen store={store} map={map} choice={choice} go={go} />
                <Edges map={map} chosen={choice.chosen} onChoose={choose} />
              </div>
            </div>
          )}
        </>
      )}
    </Panel>
  );
}

/** The gaps of the figures. */
function Doubts({ map, choice }: { map: MessageMap; choice: MapChoice }) {
  const said: string[] = [];
  if (map.seconds < choice.seconds * 0.9) {
    said.push(`These are the messages of the last ${duration(map.seconds * 1e9)}: older ones are not kept.`);
  }
  if (map.recordedShare !== null && map.recordedShare < NEARLY_ALL) {
    said.push(`About ${Math.max(1, Math.round(map.recordedShare * 100))} % of the messages were recorded.`);
  }
  if (map.edgesLeftOut > 0) {
    said.push(
      `${plural(map.edgesLeftOut, "edge")} with ${shortCount(map.messagesLeftOut)} messages are left out: find some.`,
    );
  }
  said.push(...map.notLookedAt);
  return said.length === 0 ? null : <p class="actor-doubts">{said.join(" ")}</p>;
}

/** The short name of a node, where there is little room. */
export function shortName(node: MapNode | undefined): string {
  if (node === undefined) {
    return "?";
  }
  switch (node.kind) {
    case "class":
      return innermost(node.name);
    case "others":
      return `others of ${innermost(node.name)}`;
    case "actor":
      return node.name.slice(node.name.lastIndexOf("/") + 1);
    default:
      return node.name;
  }
}

function fullName(node: MapNode | undefined): string {
  return node === undefined ? "" : node.name.replace("pekko://", "");
}

/** The edges, hottest first: the drawing for whoever reads by keyboard or ear. */
function Edges(props: { map: MessageMap; chosen: string; onChoose: (key: string) => void }) {
  const { map } = props;
  const nodes = useMemo(() => new Map(map.nodes.map((node) => [node.key, node])), [map]);
  return (
    <table class="map-edges">
      <caption class="visually-hidden">Senders and receivers: edges with failures first, then the busiest</caption>
      <thead>
        <tr>
          <th scope="col" class="name">
            From → to
          </th>
          <th scope="col" title="Messages a second">
            Msg / s
          </th>
          <th scope="col" title="99 of 100 messages waited less than this in the mailbox, about">
            Wait p99
          </th>
          <th scope="col" title="Messages whose processing threw">
            Failed
          </th>
        </tr>
      </thead>
      <tbody>
        {map.edges.map((edge) => (
          <tr key={edgeKey(edge)} class={edgeKey(edge) === props.chosen ? "chosen" : ""}>
            <th scope="row" class="name">
              <button
                type="button"
                aria-pressed={edgeKey(edge) === props.chosen}
                title={`${fullName(nodes.get(edge.from))} → ${fullName(nodes.get(edge.to))}`}
                onClick={() => props.onChoose(edgeKey(edge))}
              >
                {shortName(nodes.get(edge.from))} <span class="dim">→</span> {shortName(nodes.get(edge.to))}
              </button>
            </th>
            <td>{rate(edge.ratePerSecond)}</td>
            <td class={isSlow(edge) ? "odd" : ""}>
              {edge.waitP99Nanos === null ? NOTHING : duration(edge.waitP99Nanos)}
            </td>
            <td class={edge.failures > 0 ? "bad" : "zero"}>{shortCount(edge.failures)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function isSlow(edge: MapEdge): boolean {
  return edge.waitP99Nanos !== null && edge.waitP99Nanos >= LONG_WAIT_NANOS;
}

function Chosen(props: { store: Store; map: MessageMap; choice: MapChoice; go: (change: Partial<MapChoice>) => void }) {
  const { map, choice } = props;
  if (choice.chosen === "") {
    return <p class="map-hint dim">Choose an edge for its messages and traces, or a node for its actors.</p>;
  }
  const edge = map.edges.find((one) => edgeKey(one) === choice.chosen);
  if (edge !== undefined) {
    return <ChosenEdge map={map} edge={edge} onClose={() => props.go({ chosen: "" })} />;
  }
  const node = map.nodes.find((one) => one.key === choice.chosen);
  if (node !== undefined) {
    return <ChosenNode {...props} node={node} />;
  }
  return <p class="map-hint dim">The chosen node has had no message in this time.</p>;
}

function Card(props: { title: ComponentChildren; onClose: () => void; children: ComponentChildren }) {
  return (
    <section class="map-card" aria-label="Chosen">
      <div class="map-card-head">
        <h3>{props.title}</h3>
        <button type="button" class="icon-button" aria-label="Close" onClick={props.onClose}>
          ×
        </button>
      </div>
      {props.children}
    </section>
  );
}

function ChosenEdge({ map, edge, onClose }: { map: MessageMap; edge: MapEdge; onClose: () => void }) {
  const find = (key: string) => map.nodes.find((node) => node.key === key);
  const from = find(edge.from);
  const to = find(edge.to);
  // An ask's message was sent by the ask, and not by the actor that asked.
  const sender = edge.asks > 0 ? undefined : from;
  const share = edge.messages === 0 ? 0 : edge.failures / edge.messages;
  return (
    <Card
      onClose={onClose}
      title={
        <>
          {shortName(from)} <span class="dim">→</span> {shortName(to)}
        </>
      }
    >
      <dl class="map-facts">
        <Fact name="msg / s">{rate(edge.ratePerSecond)}</Fact>
        <Fact name="messages">{count(edge.messages)}</Fact>
        <Fact name="wait p99">{edge.waitP99Nanos === null ? NOTHING : duration(edge.waitP99Nanos)}</Fact>
        <Fact name="failed" mark={edge.failures > 0 ? "bad" : ""}>
          {edge.failures === 0 ? "0" : `${count(edge.failures)}, ${(share * 100).toFixed(1)} %`}
        </Fact>
        {edge.asks > 0 && <Fact name="asks">{count(edge.asks)}</Fact>}
      </dl>
      <p class="map-links">
        <Sample of={edge.latest} name="latest trace" />
        <Sample of={edge.slowest} name="slowest trace" />
        <Sample of={edge.failed} name="failed trace" />
        <a class="link" href={tracesOf(sender, to, "")}>
          all its traces
        </a>
      </p>
      <table class="map-classes">
        <thead>
          <tr>
            <th scope="col" class="name">
              Message
            </th>
            <th scope="col">Messages</th>
            <th scope="col">Wait p99</th>
            <th scope="col">Failed</th>
          </tr>
        </thead>
        <tbody>
          {edge.classes.map((one) => (
            <tr key={one.class}>
              <th scope="row" class="name" title={one.class}>
                <a href={tracesOf(sender, to, one.class)}>{innermost(one.class)}</a>
              </th>
              <td>{shortCount(one.messages)}</td>
              <td>{one.waitP99Nanos === null ? NOTHING : duration(one.waitP99Nanos)}</td>
              <td class={one.failures > 0 ? "bad" : "zero"}>{shortCount(one.failures)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {edge.classesLeftOut > 0 && <p class="dim">and {plural(edge.classesLeftOut, "more class", "more classes")}</p>}
    </Card>
  );
}

function ChosenNode(props: {
  map: MessageMap;
  node: MapNode;
  choice: MapChoice;
  go: (change: Partial<MapChoice>) => void;
}) {
  const { node, map, choice, go } = props;
  const opens = node.kind === "class" || node.kind === "group";
  const opened = node.kind === "actor" ? node.class : node.kind === "others" ? node.name : null;
  const shown = opened !== null && choice.open.includes(opened) ? opened : null;
  const received = map.edges.filter((edge) => edge.to === node.key);
  const sent = map.edges.filter((edge) => edge.from === node.key);
  return (
    <Card onClose={() => go({ chosen: "" })} title={shortName(node)}>
      <p class="dim map-name">{fullName(node)}</p>
      <dl class="map-facts">
        {node.living !== null && <Fact name="living">{count(node.living)}</Fact>}
        <Fact name="received / s">{rate(node.ratePerSecond)}</Fact>
        <Fact name="busy">{(node.busyCores ?? 0) < 0.001 ? "0" : `${node.busyCores?.toFixed(3)} cores`}</Fact>
        <Fact name="failed" mark={node.failures > 0 ? "bad" : ""}>
          {count(node.failures)}
        </Fact>
      </dl>
      <p class="map-links">
        <Sample of={node.slowest} name="slowest trace" />
        {(node.kind === "actor" || node.class !== null) && (
          <a class="link" href={tracesOf(undefined, node, "")}>
            all its traces
          </a>
        )}
        {node.kind === "actor" && (
          <a class="link" href={actorHash(node.name)}>
            this actor
          </a>
        )}
        {node.class !== null && node.kind !== "actor" && (
          <a class="link" href={actorsHash({ className: node.class })}>
            its actors
          </a>
        )}
        {node.kind === "group" && (
          <a class="link" href={actorsHash({ group: node.name })}>
            its actors
          </a>
        )}
        {opens && (
          <button type="button" class="toggle" onClick={() => go({ open: [...choice.open, node.name], chosen: "" })}>
            show its actors here
          </button>
        )}
        {shown !== null && (
          <button
            type="button"
            class="toggle"
            onClick={() => go({ open: choice.open.filter((name) => name !== shown), chosen: "" })}
          >
            show as one class
          </button>
        )}
      </p>
      <Neighbours title="from" map={map} edges={received} end={(edge) => edge.from} go={go} />
      <Neighbours title="to" map={map} edges={sent} end={(edge) => edge.to} go={go} />
    </Card>
  );
}

function Neighbours(props: {
  title: string;
  map: MessageMap;
  edges: readonly MapEdge[];
  end: (edge: MapEdge) => string;
  go: (change: Partial<MapChoice>) => void;
}) {
  if (props.edges.length === 0) {
    return null;
  }
  const busiest = [...props.edges].sort((a, b) => b.messages - a.messages).slice(0, 8);
  return (
    <p class="map-neighbours">
      <span class="dim">{props.title}</span>
      {busiest.map((edge) => (
        <button key={edgeKey(edge)} type="button" class="toggle" onClick={() => props.go({ chosen: edgeKey(edge) })}>
          {shortName(props.map.nodes.find((node) => node.key === props.end(edge)))}{" "}
          <span class="dim">{rate(edge.ratePerSecond)}/s</span>
        </button>
      ))}
    </p>
  );
}

function Fact(props: { name: string; mark?: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd class={props.mark ?? ""}>{props.children}</dd>
    </div>
  );
}

function Sample({ of: sample, name }: { of: MapSample | null; name: string }) {
  if (sample === null) {
    return null;
  }
  const took = (sample.waitNanos ?? 0) + sample.processingNanos;
  return (
    <a
      class="link"
      href={traceHash(sample.traceId, sample.spanId)}
      title={`${timeOfDay(sample.atMillis)}, ${duration(took)} with its wait`}
    >
      {name}
    </a>
  );
}

/** The search for the traces with such a message. */
function tracesOf(from: MapNode | undefined, to: MapNode | undefined, message: string): string {
  const terms: string[] = [];
  const name = (node: MapNode) => (node.kind === "actor" ? node.name.replace("pekko://", "") : node.class);
  if (from !== undefined && name(from) !== null) {
    terms.push(`sender:${name(from)}`);
  }
  if (to !== undefined && name(to) !== null) {
    terms.push(`actor:${name(to)}`);
  }
  if (message !== "") {
    terms.push(`message:${message}`);
  }
  return overviewHash({ query: terms.join(" ") });
}
