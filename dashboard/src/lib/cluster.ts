// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The view of the cluster: its address, its nodes by name, the order of its links, and clocks that are off. */
import type { ClusterProcess, NodeLink } from "./contract";

export const CLUSTER_HASH = "#/cluster";

/** The key of a node of a cluster: host and port. */
export function place(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).replace(/^[a-z]+:\/\//, "");
}

/** The clock of a process differs for sure. */
export function isOff(process: ClusterProcess): boolean {
  return Math.abs(process.clockOffsetNanos ?? 0) > (process.clockErrorNanos ?? 0);
}

/** The columns that links can be sorted by. */
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
export function sortedWays(links: readonly NodeLink[], by: WayColumn): readonly NodeLink[] {
  return [...links].sort((a, b) => (b[by] ?? -1) - (a[by] ?? -1));
}

/** The column by which the address sorts links; null if it is not the cluster's. */
export function parseClusterHash(hash: string): string | null {
  if (hash !== CLUSTER_HASH && !hash.startsWith(CLUSTER_HASH + "?")) {
    return null;
  }
  return new URLSearchParams(hash.slice(CLUSTER_HASH.length + 1)).get("sort") ?? "";
}

export function clusterHash(sort: string): string {
  return sort === "" ? CLUSTER_HASH : `${CLUSTER_HASH}?${new URLSearchParams({ sort }).toString()}`;
}
