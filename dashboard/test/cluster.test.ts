// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { clusterOf } from "../dev/cluster";
import { answer } from "../src/lib/answers";
import { clusterHash, isOff, parseClusterHash, place, sortedWays } from "../src/lib/cluster";

test("cluster_whatIsThere_isTakenAndWhatIsNotIsNull", () => {
  const reading = answer("/api/v1/cluster", clusterOf(1));
  assert.deepEqual(
    reading.clusters[0]?.members.map((member) => member.unreachableFrom.length),
    [0, 0, 2],
  );
  assert.deepEqual(
    reading.processes.map((process) => isOff(process)),
    [false, true, false],
  );
  assert.equal(reading.differences[1]?.values[1]?.value, null);
  const odd = answer("/api/v1/cluster", { clusters: [{ members: [{}] }], links: [{}], processes: [{}] });
  assert.equal(odd.clusters[0]?.members[0]?.process, null);
  assert.equal(odd.links[0]?.messagesPerSecond, null);
  assert.throws(() => answer("/api/v1/cluster", []), /no JSON object/);
});

test("sortedWays_byAColumn_hasTheGreatestFirst", () => {
  const { links } = answer("/api/v1/cluster", clusterOf(1));
  assert.deepEqual(
    sortedWays(links, "queued").map((link) => link.queued),
    [34, 0, 0],
  );
  assert.equal(sortedWays(links, "messagesPerSecond")[0]?.messagesPerSecond, 420);
});

test("clusterHash_andBack_isTheSame", () => {
  assert.equal(parseClusterHash(clusterHash("queued")), "queued");
  assert.equal(parseClusterHash(clusterHash("")), "");
  assert.equal(parseClusterHash("#/clusters"), null);
});

test("place_ofAnAddress_isHostAndPort", () => {
  assert.equal(place("pekko://shop@10.0.0.2:17355"), "10.0.0.2:17355");
  assert.equal(place("akka://shop@[::1]:2552"), "[::1]:2552");
  assert.equal(place("local"), "local");
});
