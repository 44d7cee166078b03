// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { decodePast, decodeSettings, decodeState, decodeTrace, decodeTraces, epochMillis } from "../src/lib/decode";
import { Fixture } from "../dev/fixture";
import { FixtureTraces } from "../dev/traces";

test("decodeState_fixture_keepsAllFigures", () => {
  const json = new Fixture(1_000_000).state(1_010_000) as { actors: { messages: unknown[] }[] };
  const state = decodeState(JSON.parse(JSON.stringify(json)));
  assert.equal(state.actors.length, json.actors.length);
  assert.equal(state.actors[0]?.className, "shop.cart.ShoppingCart");
  assert.equal(state.hooks.state, "ok");
  assert.deepEqual(
    state.remote.map((peer) => `${peer.direction} ${peer.stream} ${peer.reconnects}`),
    ["out ordinary 1", "in ordinary 1"],
  );
  const message = state.actors[0]?.messages[0];
  assert.equal(message?.processing.buckets.length, state.boundsSeconds.length + 1);
  assert.equal(
    message?.processing.buckets.reduce((a, b) => a + b, 0),
    message?.processing.count,
  );
});

test("decodeState_whatIsNotKept_isCountedByReason", () => {
  const { recorder } = decodeState(new Fixture(1_000_000).state(1_010_000));
  assert.equal(recorder.tracesCut, 3);
  assert.equal(recorder.store.spansNotKept, 1_234);
  assert.deepEqual(recorder.tail.spansLetGo, { normal: 2_345, full: 0 });
  assert.deepEqual(decodeState({ recorder: { tail: { spansKept: { wait: "many" } } } }).recorder.tail.spansKept, {
    wait: 0,
  });
});

test("decodeSettings_wrongTypes_becomeEmptyValues", () => {
  const { control, settings } = decodeSettings({
    control: 7,
    settings: [null, { key: "a", choices: ["true", 1], mayChange: "yes", changedHere: true }],
  });
  assert.equal(control, "off");
  assert.equal(decodeSettings({ control: "token" }).control, "token");
  assert.equal(settings[0]?.key, "");
  assert.deepEqual(settings[1]?.choices, ["true", ""]);
  assert.equal(settings[1]?.mayChange, false);
  assert.equal(settings[1]?.changedHere, true);
});

test("decodeState_emptyObject_isEmptyNotBroken", () => {
  const state = decodeState({});
  assert.equal(state.service, "");
  assert.deepEqual(state.actors, []);
  assert.deepEqual(state.remote, []);
  assert.equal(state.hooks.state, "pending");
});

test("decodeState_wrongTypes_becomeEmptyValues", () => {
  const state = decodeState({
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

test("decode_noObject_isRefusedWithThePath", () => {
  for (const value of [null, 7, "x", []]) {
    assert.throws(() => decodeState(value), /^Error: \/api\/state answered/);
    assert.throws(() => decodeTraces(value), /\/api\/traces/);
  }
});

test("decodeTrace_attributeNamedProto_isAnOrdinaryKey", () => {
  const json: unknown = JSON.parse('{"spans":[{"attributes":{"__proto__":{"evil":1},"a":2}}]}');
  const attributes = decodeTrace(json).spans[0]?.attributes ?? {};
  assert.deepEqual(Object.keys(attributes).sort(), ["__proto__", "a"]);
  assert.equal((attributes as { evil?: unknown }).evil, undefined);
});

test("decodeTrace_parentless_hasNull", () => {
  const [absent, empty, given] = decodeTrace({
    spans: [{}, { parentSpanId: "" }, { parentSpanId: "aa", waitNanos: 5 }],
  }).spans;
  assert.equal(absent?.parentSpanId, null);
  assert.equal(empty?.parentSpanId, null);
  assert.equal(given?.parentSpanId, "aa");
  assert.equal(absent?.waitNanos, null);
  assert.equal(given?.waitNanos, 5);
});

test("decodeTraces_fixture_findsEachTraceAgain", () => {
  const traces = new FixtureTraces(1_000_000);
  const lines = decodeTraces(traces.list(1_010_000, "", false, 100));
  assert.equal(lines.length, 100);
  for (const line of lines) {
    const trace = decodeTrace(traces.find(line.traceId, 1_010_000));
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

test("decodePast_columnsOfAnotherLength_areLeftOut", () => {
  const past = decodePast({ everyMillis: 2000, seconds: [1, 3], rate: [5, null], waitP50: [1] });
  assert.deepEqual(past, { seconds: [1, 3], columns: { rate: [5, null] } });
});
