// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** A made-up cluster of three, of which one has just been killed and one has a clock of its own. */

const A = "pekko://shop@127.0.0.1:17355";
const B = "pekko://shop@127.0.0.1:17356";
const C = "pekko://shop@127.0.0.1:17357";

const IDS = ["000000000000000a", "000000000000000b", "000000000000000c"];

function member(address: string, process: string | null, more: object): unknown {
  return {
    address,
    process,
    status: "up",
    dataCenter: "default",
    roles: ["web", "cart"],
    version: "1.4.2",
    order: 1,
    leader: false,
    leads: [],
    unreachableFrom: [],
    seenAs: [],
    ...more,
  };
}

function link(from: string, fromProcess: string, to: string, rate: number, queued: number): unknown {
  return {
    from,
    fromProcess,
    to,
    toProcess: null,
    messagesPerSecond: rate,
    bytesPerSecond: rate * 340,
    queued,
    dropped: 0,
    batchMean: 3.2,
    flushP99Nanos: null,
    heartbeatP99Nanos: 1.01e9,
    phi: queued > 0 ? 9.5 : 0.2,
    traced: 12,
    tracedLeastNanos: 180_000,
    tracedP50Nanos: 420_000,
  };
}

export function clusterOf(now: number): unknown {
  return {
    nowMillis: now,
    processes: IDS.map((id, i) => ({
      id,
      service: "shop",
      pid: 4711 + i,
      state: ["serves", "joined", "gone"][i],
      addresses: [[A, B, C][i]],
      hasSaid: true,
      leftOut: 0,
      clockOffsetNanos: [null, 120_000_000_000, 12_000][i],
      clockErrorNanos: [null, 48_000, 51_000][i],
    })),
    clusters: [
      {
        system: "shop",
        members: [
          member(A, IDS[0] ?? null, { leader: true, leads: ["web"] }),
          member(B, IDS[1] ?? null, { status: "leaving", seenAs: [{ by: A, status: "up" }] }),
          member(C, IDS[2] ?? null, { unreachableFrom: [A, B] }),
        ],
        singletons: [
          { name: "stock", addresses: [A] },
          { name: "clearing", addresses: [] },
        ],
        sharding: [
          {
            type: "cart",
            regions: [
              { address: A, shards: 34, entities: 1210, largest: 61, buffered: 0 },
              { address: B, shards: 33, entities: 1160, largest: 55, buffered: 7 },
            ],
            heaviest: [
              { shard: "17", address: B, messages: 81_000 },
              { shard: "3", address: A, messages: 22_000 },
            ],
          },
        ],
      },
    ],
    links: [link(A, IDS[0] ?? "", B, 420, 0), link(B, IDS[1] ?? "", A, 390, 0), link(A, IDS[0] ?? "", C, 1, 34)],
    linksLeftOut: 0,
    differences: [
      {
        what: "JDK",
        setting: false,
        values: [
          { value: "17.0.15+6", processes: [IDS[0]] },
          { value: "21.0.7+6", processes: [IDS[1]] },
        ],
      },
      {
        what: "deimos.stuck.threshold",
        setting: true,
        values: [
          { value: "7s", processes: [IDS[1]] },
          { value: null, processes: [IDS[0]] },
        ],
      },
    ],
  };
}
