// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The cluster as all its nodes see it: who is in it, what goes between them, their clocks, and what differs. */
import { useState } from "preact/hooks";
import { fetchCluster } from "../api";
import { clusterHash, isOff, place, sortedWays, type WayColumn } from "../lib/cluster";
import type { Cluster as Reading, ClusterProcess, Difference, Member, NodeLink, OneCluster } from "../lib/contract";
import { count, duration, NOTHING, plural, rate, shortCount } from "../lib/format";
import { actorsHash } from "../lib/route";
import { shardActor } from "../lib/system";
import type { Store } from "../store";
import { Empty, Panel, Swatch } from "./parts";
import { usePolled } from "./polled";

const REFRESH_MILLIS = 2000;
/** More nodes than that are no drawing any more. */
const MAX_DRAWN = 24;
const LINKS_SHOWN = 30;
const NAMES_SHOWN = 4;

export function ClusterView({ store, sort }: { store: Store; sort: string }) {
  const { value: reading, failure } = usePolled(fetchCluster, REFRESH_MILLIS);
  if (reading === null) {
    return (
      <Panel title="Cluster" id="cluster">
        <Empty title="Asking for the cluster …">{failure ?? ""}</Empty>
      </Panel>
    );
  }
  const names = new Map(reading.processes.map((process) => [process.id, nameOf(process)]));
  return (
    <div class="cluster-page">
      {reading.clusters.length === 0 && (
        <Panel title="Cluster" id="cluster">
          <Empty title="No process is in a cluster">
            As far as is known: what it says of its cluster it reads with its gauges, which
            deimos.metrics.gauges.enabled switches off.
          </Empty>
        </Panel>
      )}
      {reading.clusters.map((cluster) => (
        <Cluster
          key={`${cluster.system} ${cluster.members[0]?.address ?? ""}`}
          store={store}
          cluster={cluster}
          links={reading.links}
          names={names}
        />
      ))}
      <Links store={store} reading={reading} names={names} sort={sort} />
      <div class="cluster-pair">
        <Clocks store={store} processes={reading.processes} />
        <Differences differences={reading.differences} names={names} />
      </div>
    </div>
  );
}

type Names = ReadonlyMap<string | null, string>;

/** As everywhere on the page, so that colours are the same. */
function nameOf(process: ClusterProcess): string {
  return `${process.service || "unnamed"} ${process.pid}`;
}

function Cluster(props: { store: Store; cluster: OneCluster; links: readonly NodeLink[]; names: Names }) {
  const { store, cluster, links, names } = props;
  const { members } = cluster;
  const missed = members.filter((member) => member.unreachableFrom.length > 0).length;
  const centers = new Set(members.map((member) => member.dataCenter)).size;
  return (
    <>
      <Panel
        title={`Cluster ${cluster.system}`}
        id={`cluster-${cluster.system}`}
        class="members"
        note={
          <>
            {plural(members.length, "member")}
            {missed > 0 && <span class="mark bad">{count(missed)} unreachable</span>}
          </>
        }
      >
        <div class="cluster-body">
          {members.length > 1 && members.length <= MAX_DRAWN && <Drawing members={members} links={links} />}
          <div class="table-scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col" class="name">
                    Member
                  </th>
                  <th scope="col" class="name">
                    Status
                  </th>
                  <th scope="col" class="name">
                    Roles
                  </th>
                  {centers > 1 && (
                    <th scope="col" class="name">
                      Data center
                    </th>
                  )}
                  <th scope="col" class="name" title="pekko.cluster.app-version">
                    Version
                  </th>
                </tr>
              </thead>
              <tbody>
                {members.map((member) => (
                  <MemberRow key={member.address} store={store} member={member} names={names} centers={centers} />
                ))}
              </tbody>
            </table>
          </div>
        </div>
      </Panel>
      {(cluster.singletons.length > 0 || cluster.sharding.length > 0) && <Parts cluster={cluster} />}
    </>
  );
}

function MemberRow(props: { store: Store; member: Member; names: Names; centers: number }) {
  const { store, member, names, centers } = props;
  const process = member.process === null ? undefined : names.get(member.process);
  return (
    <tr class={member.unreachableFrom.length > 0 ? "is-missed" : ""}>
      <th scope="row" class="name" title={member.address}>
        {process !== undefined && <Swatch colour={store.nodeColours.of(process)} />} {place(member.address)}{" "}
        <span class="dim">{process ?? "not on this page"}</span>
      </th>
      <td class="name">
        <span class={member.status === "up" ? "" : "mark odd"}>{member.status}</span>
        {member.leader && <span class="mark">leader</span>}
        {member.leads.length > 0 && <span class="mark">leads {member.leads.join(", ")}</span>}
        {member.unreachableFrom.length > 0 && (
          <span class="mark bad">not reached from {some(member.unreachableFrom.map(place))}</span>
        )}
        {member.seenAs.map(({ by, status }) => (
          <span key={by} class="mark odd">
            {status} to {place(by)}
          </span>
        ))}
      </td>
      <td class="name">{member.roles.join(", ") || NOTHING}</td>
      {centers > 1 && <td class="name">{member.dataCenter}</td>}
      <td class="name">{member.version}</td>
    </tr>
  );
}

function some(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return names.slice(0, NAMES_SHOWN).join(", ") + (more > 0 ? ` and ${count(more)} more` : "");
}

const SIZE = 260;
const RADIUS = 96;

/** Members in a ring, and lines as wide as much goes between them. The tables have it all in figures. */
function Drawing({ members, links }: { members: readonly Member[]; links: readonly NodeLink[] }) {
  const at = new Map(
    members.map((member, i) => {
      const angle = (2 * Math.PI * i) / members.length - Math.PI / 2;
      return [member.address, { x: SIZE / 2 + RADIUS * Math.cos(angle), y: SIZE / 2 + RADIUS * Math.sin(angle) }];
    }),
  );
  const most = Math.max(1, ...links.map((link) => link.messagesPerSecond ?? 0));
  return (
    <svg
      class="ring"
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      role="img"
      aria-label={`${plural(members.length, "member")} in a ring`}
    >
      {links.map((link) => {
        const from = at.get(link.from ?? "");
        const to = at.get(link.to);
        if (from === undefined || to === undefined) {
          return null;
        }
        const width = 0.5 + (4 * Math.log1p(link.messagesPerSecond ?? 0)) / Math.log1p(most);
        return (
          <line
            key={`${link.from} ${link.to}`}
            class={(link.queued ?? 0) > 0 ? "way waits" : "way"}
            x1={from.x}
            y1={from.y}
            x2={to.x}
            y2={to.y}
            stroke-width={width}
          >
            <title>
              {place(link.from ?? "")} to {place(link.to)}:{" "}
              {link.messagesPerSecond === null ? NOTHING : `${rate(link.messagesPerSecond)} messages/s`}
            </title>
          </line>
        );
      })}
      {members.map((member) => {
        const point = at.get(member.address) ?? { x: 0, y: 0 };
        const kind = member.unreachableFrom.length > 0 ? "missed" : member.status === "up" ? "up" : "other";
        return (
          <g key={member.address} class={`member ${kind}`}>
            <circle cx={point.x} cy={point.y} r={member.leader ? 10 : 7} />
            <text x={point.x} y={point.y + (point.y > SIZE / 2 ? 24 : -15)} text-anchor="middle">
              {place(member.address).replace(/^127\.0\.0\.1/, "")}
            </text>
            <title>
              {member.address}: {member.unreachableFrom.length > 0 ? "unreachable, " : ""}
              {member.status}
            </title>
          </g>
        );
      })}
    </svg>
  );
}

function Parts({ cluster }: { cluster: OneCluster }) {
  return (
    <Panel title="Singletons and shards" id={`parts-${cluster.system}`}>
      {cluster.singletons.length > 0 && (
        <ul class="singletons">
          {cluster.singletons.map(({ name, addresses }) => (
            <li key={name}>
              <b>{name}</b>{" "}
              {addresses.length === 0 ? (
                <span class="dim">at no node of this page</span>
              ) : addresses.length === 1 ? (
                `at ${place(addresses[0] ?? "")}`
              ) : (
                <span class="mark bad">at {addresses.map(place).join(" and ")}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      {cluster.sharding.map(({ type, regions, heaviest }) => {
        const most = Math.max(1, ...regions.map((region) => region.shards));
        return (
          <div key={type} class="table-scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col" class="name">
                    {type}
                  </th>
                  <th scope="col">Shards</th>
                  <th scope="col">Entities</th>
                  <th scope="col" title="Entities in its largest shard">
                    Largest
                  </th>
                  <th scope="col" title="Messages that wait for a shard or an entity">
                    Wait
                  </th>
                  <th scope="col" class="name" title="With the most messages since the node's start">
                    Busiest shards
                  </th>
                </tr>
              </thead>
              <tbody>
                {regions.map((region) => (
                  <tr key={region.address}>
                    <td class="name" title={region.address}>
                      {place(region.address)}
                    </td>
                    <td
                      class="shared"
                      style={{ "--share": `${(100 * region.shards) / most}%` } as Record<string, string>}
                    >
                      {count(region.shards)}
                    </td>
                    <td>{shortCount(region.entities)}</td>
                    <td>{shortCount(region.largest)}</td>
                    <td class={region.buffered > 0 ? "odd" : "zero"}>{shortCount(region.buffered)}</td>
                    <td class="name">
                      {heaviest.every((heavy) => heavy.address !== region.address) && NOTHING}
                      {heaviest
                        .filter((heavy) => heavy.address === region.address)
                        .map((heavy, i) => (
                          <span key={heavy.shard}>
                            {i > 0 && ", "}
                            <a
                              class="link"
                              href={actorsHash({
                                parent: shardActor(cluster.system, type, heavy.shard),
                                sort: "-rate",
                              })}
                              title="Its entities, the busiest first, where its process is shown"
                            >
                              {heavy.shard}
                            </a>{" "}
                            ({shortCount(heavy.messages)})
                          </span>
                        ))}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        );
      })}
    </Panel>
  );
}

const COLUMNS: readonly {
  readonly by: WayColumn;
  readonly head: string;
  readonly title: string;
  readonly format: (value: number) => string;
  readonly isOdd?: (value: number) => boolean;
}[] = [
  { by: "messagesPerSecond", head: "Messages/s", title: "Over the last seconds", format: rate },
  {
    by: "bytesPerSecond",
    head: "KiB/s",
    title: "Serialized, over the last seconds",
    format: (bytes) => rate(bytes / 1024),
  },
  {
    by: "queued",
    head: "Wait",
    title: "Messages that wait to be sent",
    format: shortCount,
    isOdd: (n) => n > 0,
  },
  {
    by: "dropped",
    head: "Lost",
    title: "Messages that the transport has lost on this side",
    format: shortCount,
    isOdd: (n) => n > 0,
  },
  {
    by: "batchMean",
    head: "Batch",
    title: "Messages in a batch of the transport",
    format: (n) => n.toFixed(1),
  },
  {
    by: "tracedP50Nanos",
    head: "In traces",
    title: "Median from the start of the span in which a message was sent to its arrival, by corrected clocks",
    format: duration,
  },
  {
    by: "heartbeatP99Nanos",
    head: "Heartbeats",
    title: "99 of 100 came no later than this after the one before",
    format: duration,
  },
  {
    by: "phi",
    head: "Suspicion",
    title: "The failure detector's; 8 is unreachable by default",
    format: (phi) => phi.toFixed(1),
    isOdd: (phi) => phi >= 4,
  },
];

function Links(props: { store: Store; reading: Reading; names: Names; sort: string }) {
  const { store, reading, names, sort } = props;
  const [all, setAll] = useState(false);
  const by = COLUMNS.find((column) => column.by === sort)?.by ?? "messagesPerSecond";
  const sorted = sortedWays(reading.links, by);
  const shown = all ? sorted : sorted.slice(0, LINKS_SHOWN);
  return (
    <Panel title="Links between nodes" id="links" note={plural(sorted.length + reading.linksLeftOut, "link")}>
      {sorted.length === 0 ? (
        <Empty title="Nothing goes to another node">There is no remoting, or nothing has been sent yet.</Empty>
      ) : (
        <div class="table-scroll">
          <table>
            <thead>
              <tr>
                <th scope="col" class="name">
                  From
                </th>
                <th scope="col" class="name">
                  To
                </th>
                {COLUMNS.map((column) => (
                  <th
                    key={column.by}
                    scope="col"
                    title={column.title}
                    aria-sort={column.by === by ? "descending" : "none"}
                    onClick={() => store.replaceRoute(clusterHash(column.by))}
                  >
                    <button type="button" class="text-button">
                      {column.head}
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((link) => (
                <tr key={`${link.fromProcess} ${link.from} ${link.to}`}>
                  <td class="name" title={link.from ?? ""}>
                    {link.from === null ? (names.get(link.fromProcess) ?? NOTHING) : place(link.from)}
                  </td>
                  <td class="name" title={link.to}>
                    {place(link.to)}
                  </td>
                  {COLUMNS.map((column) => {
                    const value = link[column.by];
                    return (
                      <td
                        key={column.by}
                        class={value === null || value === 0 ? "zero" : column.isOdd?.(value) === true ? "odd" : ""}
                      >
                        {value === null ? NOTHING : column.format(value)}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
          {(sorted.length > shown.length || reading.linksLeftOut > 0) && (
            <p class="more">
              {sorted.length > shown.length && (
                <button type="button" class="text-button" onClick={() => setAll(true)}>
                  {count(sorted.length - shown.length)} more links
                </button>
              )}
              {reading.linksLeftOut > 0 && <span class="dim"> {count(reading.linksLeftOut)} are left out</span>}
            </p>
          )}
        </div>
      )}
    </Panel>
  );
}

function Clocks({ store, processes }: { store: Store; processes: readonly ClusterProcess[] }) {
  return (
    <Panel title="Clocks" id="clocks" note="ahead of the page's">
      <div class="table-scroll">
        <table>
          <tbody>
            {processes.map((process) => {
              const { clockOffsetNanos: ahead, clockErrorNanos: error } = process;
              return (
                <tr key={process.id} class={process.state === "gone" ? "dim" : ""}>
                  <th scope="row" class="name">
                    <Swatch colour={store.nodeColours.of(nameOf(process))} /> {nameOf(process)}{" "}
                    <span class="dim">
                      {process.state === "gone" ? "gone" : ""}
                      {process.leftOut > 0 ? ` ${count(process.leftOut)} things had no room` : ""}
                    </span>
                  </th>
                  <td class={isOff(process) ? "odd" : "zero"}>
                    {ahead === null || error === null
                      ? process.state === "serves" || process.state === "page"
                        ? "the page's own"
                        : NOTHING
                      : isOff(process)
                        ? `${ahead < 0 ? "−" : "+"}${duration(Math.abs(ahead))} ± ${duration(error)}`
                        : `the same, ± ${duration(error)}`}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function Differences({ differences, names }: { differences: readonly Difference[]; names: Names }) {
  return (
    <Panel title="Not the same everywhere" id="differences">
      {differences.length === 0 ? (
        <Empty title="Nothing differs">Versions and settings are the same in all processes that are here.</Empty>
      ) : (
        <div class="table-scroll">
          <table class="differences">
            <tbody>
              {differences.map((difference) =>
                difference.values.map((said, i) => (
                  <tr key={`${difference.what} ${said.value}`}>
                    <th scope="row" class="name">
                      {i === 0 ? difference.what : ""}
                    </th>
                    <td class="name">
                      {said.value === null ? <span class="dim">the default</span> : <code>{said.value}</code>}
                    </td>
                    <td class="name dim">{some(said.processes.map((id) => names.get(id) ?? id ?? ""))}</td>
                  </tr>
                )),
              )}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
