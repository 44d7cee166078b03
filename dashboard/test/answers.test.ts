// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { answer } from "../src/lib/answers";
import { epochMillis } from "../src/lib/read";
import { Fixture } from "../dev/fixture";
import { FixtureTraces } from "../dev/traces";

test("state_fixture_keepsAllFigures", () => {
  const json = new Fixture(1_000_000).state(1_010_000) as { actors: { messages: unknown[] }[] };
  const state = answer("/api/state", JSON.parse(JSON.stringify(json)));
  assert.equal(state.actors.length, json.actors.length);
  assert.equal(state.actors[0]?.class, "shop.cart.ShoppingCart");
  assert.equal(state.hooks.state, "ok");
  assert.deepEqual(
    state.remote.map((peer) => `${peer.direction} ${peer.stream} ${peer.reconnects}`),
    ["out ordinary 1", "in ordinary 1"],
  );
  const message = state.actors[0]?.messages[0];
  assert.equal(message?.processing.buckets.length, state.bounds.length + 1);
  assert.equal(
    message?.processing.buckets.reduce((a, b) => a + b, 0),
    message?.processing.count,
  );
});

test("state_whatIsNotKept_isCountedByReason", () => {
  const { recorder } = answer("/api/state", new Fixture(1_000_000).state(1_010_000));
  assert.equal(recorder.tracesCut, 3);
  assert.equal(recorder.store.spansNotKept, 1_234);
  assert.deepEqual(recorder.tail.spansLetGo, { normal: 2_345, full: 0 });
  assert.deepEqual(
    answer("/api/state", { recorder: { tail: { spansKept: { wait: "many" } } } }).recorder.tail.spansKept,
    {
      wait: 0,
    },
  );
});

test("settings_wrongTypes_becomeEmptyValues", () => {
  const { control, settings } = answer("/api/settings", {
    control: 7,
    settings: [null, { key: "a", choices: ["true", 1], mayChange: "yes", changedHere: true }],
  });
  assert.equal(control, "off");
  assert.equal(answer("/api/settings", { control: "token" }).control, "token");
  assert.equal(settings[0]?.key, "");
  assert.deepEqual(settings[1]?.choices, ["true", ""]);
  assert.equal(settings[1]?.mayChange, false);
  assert.equal(settings[1]?.changedHere, true);
});

test("state_emptyObject_isEmptyNotBroken", () => {
  const state = answer("/api/state", {});
  assert.equal(state.service, "");
  assert.deepEqual(state.actors, []);
  assert.deepEqual(state.remote, []);
  assert.equal(state.hooks.state, "pending");
});

test("state_wrongTypes_becomeEmptyValues", () => {
  const state = answer("/api/state", {
    service: 7,
    systems: "shop",
    nowMillis: "soon",
    actors: [null, "x", { class: ["y"], messages: [{ processing: { buckets: [1, "2", null] } }] }],
    recorder: { spansDropped: Number.NaN },
  });
  assert.equal(state.service, "");
  assert.deepEqual(state.systems, []);
  assert.equal(state.actors.length, 3);
  assert.deepEqual(state.actors[2]?.messages[0]?.processing.buckets, [1, 0, 0]);
  assert.equal(state.recorder.spansDropped, 0);
});

test("answer_noObject_isRefusedWithThePath", () => {
  for (const value of [null, 7, "x", []]) {
    assert.throws(() => answer("/api/state", value), /^Error: \/api\/state answered/);
    assert.throws(() => answer("/api/traces", value), /\/api\/traces/);
  }
});

test("trace_attributeNamedProto_isAnOrdinaryKey", () => {
  const json: unknown = JSON.parse('{"spans":[{"attributes":{"__proto__":{"evil":1},"a":2}}]}');
  const attributes = answer("/api/traces/{id}", json).spans[0]?.attributes ?? {};
  assert.deepEqual(Object.keys(attributes).sort(), ["__proto__", "a"]);
  assert.equal((attributes as { evil?: unknown }).evil, undefined);
});

test("trace_parentless_hasNull", () => {
  const [absent, empty, given] = answer("/api/traces/{id}", {
    spans: [{}, { parentSpanId: "" }, { parentSpanId: "aa", waitNanos: 5 }],
  }).spans;
  assert.equal(absent?.parentSpanId, null);
  assert.equal(empty?.parentSpanId, null);
  assert.equal(given?.parentSpanId, "aa");
  assert.equal(absent?.waitNanos, null);
  assert.equal(given?.waitNanos, 5);
});

test("traces_fixture_findsEachTraceAgain", () => {
  const traces = new FixtureTraces(1_000_000);
  const lines = answer("/api/traces", traces.list(1_010_000, "", false, 100)).traces;
  assert.equal(lines.length, 100);
  for (const line of lines) {
    const trace = answer("/api/traces/{id}", traces.find(line.traceId, 1_010_000));
    assert.equal(trace.spans.length, line.spans);
  }
});

test("epochMillis_nanosBeyondADouble_keepsTheMicroseconds", () => {
  assert.equal(epochMillis("1763728512123456789"), 1763728512123.4568);
  assert.equal(epochMillis("1763728512123000000"), 1763728512123);
  assert.equal(epochMillis(5_000_000), 5);
  assert.equal(epochMillis("-1"), 0);
  assert.equal(epochMillis(undefined), 0);
});

test("system_figureThatMayBeLeftOut_isReadOrNull", () => {
  const series = (json: object) =>
    answer("/api/v1/system", { metrics: [{ series: [json] }] }).metrics[0]?.series[0]?.p99Nanos;
  assert.equal(series({ p99Nanos: 5 }), 5);
  assert.equal(series({ p99Nanos: null }), null);
  assert.equal(series({}), null);
});
