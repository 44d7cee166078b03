// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The answer of `/api/v1/cluster`: members, what goes between them, their clocks, and what is not the same everywhere. */
import { answer, knownNumber, knownText, list, number, object, text } from "./decode";

export const CLUSTER_HASH = "#/cluster";

export interface ClusterProcess {
  readonly id: string;
  readonly service: string;
  readonly pid: number;
  readonly state: string;
  readonly hasSaid: boolean;
  readonly leftOut: number;
  /** By how much its clock is ahead of the page's; null if that is not known. */
  readonly clockOffsetNanos: number | null;
  readonly clockErrorNanos: number | null;
}

export interface Member {
  readonly address: string;
  readonly process: string | null;
  readonly status: string;
  readonly dataCenter: string;
  readonly roles: readonly string[];
  readonly version: string;
  readonly leader: boolean;
  readonly leads: readonly string[];
  readonly unreachableFrom: readonly string[];
  readonly seenAs: readonly { readonly by: string; readonly status: string }[];
}

export interface Region {
  readonly address: string;
  readonly shards: number;
  readonly entities: number;
  readonly largest: number;
  readonly buffered: number;
}

export interface HeavyShard {
  readonly shard: string;
  readonly address: string;
  readonly messages: number;
}

export interface OneCluster {
  readonly system: string;
  readonly members: readonly Member[];
  readonly singletons: readonly { readonly name: string; readonly addresses: readonly string[] }[];
  readonly sharding: readonly {
    readonly type: string;
    readonly regions: readonly Region[];
    readonly heaviest: readonly HeavyShard[];
  }[];
}

export interface NodeWay {
  /** Null if the sender is in no cluster. */
  readonly from: string | null;
  readonly fromProcess: string | null;
  readonly to: string;
  readonly messagesPerSecond: number | null;
  readonly bytesPerSecond: number | null;
  readonly queued: number | null;
  readonly dropped: number | null;
  readonly batchMean: number | null;
  readonly flushP99Nanos: number | null;
  readonly heartbeatP99Nanos: number | null;
  readonly phi: number | null;
  readonly traced: number;
  readonly tracedP50Nanos: number | null;
  readonly tracedLeastNanos: number | null;
}

export interface Difference {
  readonly what: string;
  readonly setting: boolean;
  /** A value of null is the default. */
  readonly values: readonly { readonly value: string | null; readonly processes: readonly string[] }[];
}

export interface ClusterReading {
  readonly processes: readonly ClusterProcess[];
  readonly clusters: readonly OneCluster[];
  readonly links: readonly NodeWay[];
  readonly linksLeftOut: number;
  readonly differences: readonly Difference[];
}

export function decodeCluster(value: unknown): ClusterReading {
  const json = answer(value, "/api/v1/cluster");
  return {
    processes: list(json["processes"], process),
    clusters: list(json["clusters"], cluster),
    links: list(json["links"], way),
    linksLeftOut: number(json["linksLeftOut"]),
    differences: list(json["differences"], difference),
  };
}

function process(value: unknown): ClusterProcess {
  const json = object(value);
  return {
    id: text(json["id"]),
    service: text(json["service"]),
    pid: number(json["pid"]),
    state: text(json["state"]),
    hasSaid: json["hasSaid"] === true,
    leftOut: number(json["leftOut"]),
    clockOffsetNanos: knownNumber(json["clockOffsetNanos"]),
    clockErrorNanos: knownNumber(json["clockErrorNanos"]),
  };
}

function cluster(value: unknown): OneCluster {
  const json = object(value);
  return {
    system: text(json["system"]),
    members: list(json["members"], member),
    singletons: list(json["singletons"], (one) => {
      const singleton = object(one);
      return { name: text(singleton["name"]), addresses: list(singleton["addresses"], text) };
    }),
    sharding: list(json["sharding"], (one) => {
      const type = object(one);
      return {
        type: text(type["type"]),
        regions: list(type["regions"], region),
        heaviest: list(type["heaviest"], heavy),
      };
    }),
  };
}

function member(value: unknown): Member {
  const json = object(value);
  return {
    address: text(json["address"]),
    process: knownText(json["process"]),
    status: text(json["status"]),
    dataCenter: text(json["dataCenter"]),
    roles: list(json["roles"], text),
    version: text(json["version"]),
    leader: json["leader"] === true,
    leads: list(json["leads"], text),
    unreachableFrom: list(json["unreachableFrom"], text),
    seenAs: list(json["seenAs"], (one) => {
      const other = object(one);
      return { by: text(other["by"]), status: text(other["status"]) };
    }),
  };
}

function region(value: unknown): Region {
  const json = object(value);
  return {
    address: text(json["address"]),
    shards: number(json["shards"]),
    entities: number(json["entities"]),
    largest: number(json["largest"]),
    buffered: number(json["buffered"]),
  };
}

function heavy(value: unknown): HeavyShard {
  const json = object(value);
  return { shard: text(json["shard"]), address: text(json["address"]), messages: number(json["messages"]) };
}

function way(value: unknown): NodeWay {
  const json = object(value);
  return {
    from: knownText(json["from"]),
    fromProcess: knownText(json["fromProcess"]),
    to: text(json["to"]),
    messagesPerSecond: knownNumber(json["messagesPerSecond"]),
    bytesPerSecond: knownNumber(json["bytesPerSecond"]),
    queued: knownNumber(json["queued"]),
    dropped: knownNumber(json["dropped"]),
    batchMean: knownNumber(json["batchMean"]),
    flushP99Nanos: knownNumber(json["flushP99Nanos"]),
    heartbeatP99Nanos: knownNumber(json["heartbeatP99Nanos"]),
    phi: knownNumber(json["phi"]),
    traced: number(json["traced"]),
    tracedP50Nanos: knownNumber(json["tracedP50Nanos"]),
    tracedLeastNanos: knownNumber(json["tracedLeastNanos"]),
  };
}

function difference(value: unknown): Difference {
  const json = object(value);
  return {
    what: text(json["what"]),
    setting: json["setting"] === true,
    values: list(json["values"], (one) => {
      const said = object(one);
      return { value: knownText(said["value"]), processes: list(said["processes"], text) };
    }),
  };
}

/** What tells one node of a cluster from another: host and port. */
export function place(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).replace(/^[a-z]+:\/\//, "");
}

/** The clock of a process differs for sure. */
export function isOff(process: ClusterProcess): boolean {
  return Math.abs(process.clockOffsetNanos ?? 0) > (process.clockErrorNanos ?? 0);
}

/** What links can be sorted by. */
export type WayColumn =
  | "messagesPerSecond"
  | "bytesPerSecond"
  | "queued"
  | "dropped"
  | "batchMean"
  | "tracedP50Nanos"
  | "heartbeatP99Nanos"
  | "phi";

/** The greatest first; what is not known comes last. */
export function sortedWays(links: readonly NodeWay[], by: WayColumn): readonly NodeWay[] {
  return [...links].sort((a, b) => (b[by] ?? -1) - (a[by] ?? -1));
}

/** Which column the address sorts links by; null if it is not the cluster's. */
export function parseClusterHash(hash: string): string | null {
  if (hash !== CLUSTER_HASH && !hash.startsWith(CLUSTER_HASH + "?")) {
    return null;
  }
  return new URLSearchParams(hash.slice(CLUSTER_HASH.length + 1)).get("sort") ?? "";
}

export function clusterHash(sort: string): string {
  return sort === "" ? CLUSTER_HASH : `${CLUSTER_HASH}?${new URLSearchParams({ sort }).toString()}`;
}
