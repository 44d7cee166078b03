// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { callOf } from "../src/lib/calls";
import { compare } from "../src/lib/compare";
import type { Span, Trace } from "../src/lib/contract";
import { PLACES, placeOf } from "../src/lib/places";
import { compareHash, parseHash, TRACES_HASH, tracesHash, WHOLE_LIST } from "../src/lib/route";
import { buildTree } from "../src/lib/tree";

function span(spanId: string, parentSpanId: string | null, name: string, more: Partial<Span> = {}): Span {
  return {
    spanId,
    parentSpanId,
    name,
    node: "",
    kind: "INTERNAL",
    scope: "io.deimos.pekko",
    offsetNanos: 0,
    durationNanos: 10,
    waitNanos: null,
    status: "UNSET",
    statusMessage: "",
    attributes: {},
    events: [],
    links: [],
    ...more,
  };
}

function trace(...spans: Span[]): Trace {
  return {
    traceId: "ab".repeat(16),
    name: "root",
    complete: true,
    reduced: false,
    running: false,
    startEpochNanos: "0",
    durationNanos: 100,
    truncated: 0,
    clocks: [],
    spansLeftOut: 0,
    spans,
  };
}

test("compare_tracesOfOneKind_addsUpByPath", () => {
  const left = trace(
    span("1", null, "root", { durationNanos: 100 }),
    span("2", "1", "charge", { durationNanos: 20, waitNanos: 5 }),
    span("3", "1", "charge", { durationNanos: 30, status: "ERROR" }),
    span("4", "2", "db"),
  );
  const right = trace(span("1", null, "root", { durationNanos: 50 }), span("2", "1", "ship"), span("3", "2", "db"));
  const lines = compare(buildTree(left), buildTree(right));
  assert.deepEqual(
    lines.map((line) => [line.path.join("/"), line.left.spans, line.left.nanos, line.right.spans, line.right.nanos]),
    [
      ["root", 1, 100, 1, 50],
      ["root/charge", 2, 50, 0, 0],
      ["root/charge/db", 1, 10, 0, 0],
      ["root/ship", 0, 0, 1, 10],
      ["root/ship/db", 0, 0, 1, 10],
    ],
  );
  assert.equal(lines[1]?.left.errors, 1);
  assert.equal(lines[1]?.left.waitNanos, 5);
});

test("callOf_httpAndDatabases_areToldByOldAndNewNames", () => {
  const http = span("1", null, "GET", {
    kind: "CLIENT",
    attributes: {
      "http.request.method": "GET",
      "http.response.status_code": 503,
      "url.path": "/a",
      "server.address": "b",
    },
  });
  assert.deepEqual(callOf(http), { kind: "http", mark: "HTTP 503", what: "b/a", failed: true });
  const old = span("1", null, "SELECT", {
    attributes: { "db.system": "postgresql", "db.statement": "select 1" },
    status: "ERROR",
  });
  assert.deepEqual(callOf(old), { kind: "db", mark: "PostgreSQL", what: "select 1", failed: true });
  assert.equal(callOf(span("1", null, "process Charge")), null);
});

test("tracesHash_anyChoice_isReadBack", () => {
  const list = { query: 'root:"POST /a" >1s', errorsOnly: true, sort: "" };
  const id = "0123456789abcdef".repeat(2);
  assert.deepEqual(parseHash(tracesHash(list, id)), { view: "traces", list, against: id });
  assert.deepEqual(parseHash(TRACES_HASH), { view: "traces", list: WHOLE_LIST, against: "" });
  assert.deepEqual(parseHash(`${TRACES_HASH}?with=x`), { view: "traces", list: WHOLE_LIST, against: "" });
  assert.deepEqual(parseHash(compareHash(id, id.toUpperCase())), { view: "compare", left: id, right: id });
});

test("places_each_hasAKeyOfItsOwnAndIsWhereItsAddressLeads", () => {
  assert.equal(new Set(PLACES.map((place) => place.key)).size, PLACES.length);
  for (const place of PLACES) {
    assert.equal(placeOf(parseHash(place.hash).view), place, place.name);
  }
});
