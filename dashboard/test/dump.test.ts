// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { Dump } from "../src/lib/dump";

const ACTORS = [
  { path: "pekko://shop/user/a", class: "shop.Cart", mailbox: 3, madeAtMillis: 10, pekko: false },
  { path: "pekko://shop/user/a/b", class: "shop.Order", mailbox: 9, madeAtMillis: 20, pekko: false },
  { path: "pekko://shop/system/x", class: "org.apache.pekko.X", mailbox: 1, madeAtMillis: 1, pekko: true },
];
const FILE = JSON.stringify({
  deimosDump: 1,
  madeAtMillis: 1234,
  answers: {
    "/api/state": { service: "shop" },
    "/api/v1/actors": { living: 3, actors: ACTORS },
    "/api/v1/actors/pekko://shop/user/a": { path: "pekko://shop/user/a" },
    "/api/v1/trouble": { kinds: { failure: 2 }, groups: [{ kind: "failure", why: "No" }, { kind: "stuck" }] },
    "/api/v1/threads": {
      dispatchers: [
        {
          threads: [
            { name: "t-1", work: null },
            { name: "t-2", work: {} },
          ],
        },
      ],
    },
    "/api/traces": {
      traces: [
        { name: "slow", errors: 0 },
        { name: "bad", errors: 1 },
        { name: "late", errors: 0, timeouts: 1 },
        { name: "lost", errors: 0, incidents: 2 },
      ],
    },
  },
});

function names(request: string): unknown[] {
  const { actors } = Dump.of(FILE).answer(request).body as { actors: { path: string }[] };
  return actors.map((actor) => actor.path.replace("pekko://shop/", ""));
}

test("answer_actors_areFoundAndSortedAsByTheServer", () => {
  assert.deepEqual(names("api/v1/actors"), ["user/a/b", "user/a"]);
  assert.deepEqual(names("api/v1/actors?sort=mailbox"), ["user/a", "user/a/b"]);
  assert.deepEqual(names("api/v1/actors?sort=age"), ["user/a/b", "user/a"]);
  assert.deepEqual(names("api/v1/actors?pekko=true&limit=1&offset=2"), ["system/x"]);
  assert.deepEqual(names("api/v1/actors?class=Cart"), ["user/a"]);
  assert.deepEqual(names("api/v1/actors?parent=pekko%3A%2F%2Fshop%2Fuser%2Fa"), ["user/a/b"]);
  assert.deepEqual(names("api/v1/actors?q=ORDER+user"), ["user/a/b"]);
});

test("answer_ofEachView_isWhatTheFileHas", () => {
  const dump = Dump.of(FILE);
  const body = (request: string) => JSON.stringify(dump.answer(request).body);
  assert.equal(dump.madeAtMillis, 1234);
  assert.equal(body("api/state"), '{"service":"shop"}');
  assert.match(body(`api/v1/actors/${encodeURIComponent("pekko://shop/user/a")}`), /user\/a/);
  assert.match(body("api/v1/trouble?kind=stuck"), /"total":1,?/);
  assert.doesNotMatch(body("api/v1/threads?busy=true"), /t-1/);
  assert.equal(body("api/traces?errors=true&q=ba"), '{"traces":[{"name":"bad","errors":1}]}');
  const troubled = dump.answer("api/traces?errors=true").body as { traces: { name: string }[] };
  assert.deepEqual(
    troubled.traces.map((trace) => trace.name),
    ["bad", "late", "lost"],
  );
  assert.equal(dump.answer("api/traces/00").status, 404);
  assert.equal(dump.answer("api/toString").status, 404);
});

test("read_packedOrNot_isTheSame", async () => {
  for (const bytes of [gzipSync(FILE), Buffer.from(FILE)]) {
    assert.equal((await Dump.read(new Blob([new Uint8Array(bytes)]))).madeAtMillis, 1234);
  }
});

test("read_somethingElse_saysWhatIsWrong", async () => {
  const wrong: Record<string, RegExp> = {
    hello: /no JSON/,
    "{}": /no dump of Deimos/,
    '{"deimosDump":2,"madeAtMillis":1}': /use a newer page/,
  };
  for (const [text, reason] of Object.entries(wrong)) {
    await assert.rejects(Dump.read(new Blob([text])), reason);
  }
  await assert.rejects(Dump.read(new Blob([new Uint8Array(gzipSync(FILE).subarray(0, 60))])));
});
