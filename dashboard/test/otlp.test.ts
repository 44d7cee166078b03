// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { FixtureTraces } from "../dev/traces";
import { answer } from "../src/lib/answers";
import { OpenedTraces } from "../src/lib/files";
import { fromOtlp, MAX_BYTES, toOtlp } from "../src/lib/otlp";
import { readTrace } from "../src/lib/tree";

function someTraces() {
  const now = Date.now();
  const fixture = new FixtureTraces(now - 60_000);
  const { traces } = answer("/api/traces", fixture.list(now, "", false, 20));
  return traces.map((trace) => readTrace(fixture.find(trace.traceId, now)));
}

test("fromOtlp_whatWasSaved_isReadBack", () => {
  for (const trace of someTraces()) {
    const [read, ...others] = fromOtlp(JSON.stringify(toOtlp(trace, "shop")));
    assert.equal(others.length, 0);
    assert.ok(read !== undefined);
    assert.equal(read.traceId, trace.traceId);
    assert.equal(read.spans.length, trace.spans.length);
    const ends = trace.spans.map((span) => span.offsetNanos + span.durationNanos);
    const length = Math.max(...ends) - Math.min(...trace.spans.map((span) => span.offsetNanos));
    assert.ok(Math.abs(read.durationNanos - length) <= 2, `${read.durationNanos} ns of ${length}`);
    const before = new Map(trace.spans.map((span) => [span.spanId, span]));
    for (const span of read.spans) {
      const was = before.get(span.spanId);
      assert.ok(was !== undefined);
      assert.equal(span.name, was.name);
      assert.equal(span.kind, was.kind);
      assert.equal(span.parentSpanId, was.parentSpanId);
      assert.equal(span.status, was.status);
      assert.equal(span.scope, was.scope);
      assert.deepEqual(Object.keys(span.attributes), Object.keys(was.attributes));
      assert.equal(span.events.length, was.events.length);
    }
  }
});

test("fromOtlp_namesNumbersAndLines_areRead", () => {
  const span = {
    traceId: "A".repeat(32),
    spanId: "b".repeat(16),
    parentSpanId: "",
    name: "GET /",
    kind: "SPAN_KIND_SERVER",
    startTimeUnixNano: 1_000_000_000,
    endTimeUnixNano: "1000500000",
    status: { code: 2, message: "no" },
    attributes: [
      { key: "a", value: { intValue: "9007199254740993" } },
      { key: "b", value: { arrayValue: { values: [{ boolValue: true }] } } },
      { key: "c", value: { kvlistValue: { values: [{ key: "d", value: { doubleValue: 1.5 } }] } } },
    ],
  };
  const line = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  const other = line.replace("A".repeat(32), "c".repeat(32));
  const [trace, second] = fromOtlp(`${line}\n${other}\n`);
  assert.equal(second?.traceId, "c".repeat(32));
  assert.equal(trace?.traceId, "a".repeat(32));
  const [read] = trace?.spans ?? [];
  assert.equal(read?.kind, "SERVER");
  assert.equal(read?.durationNanos, 500_000);
  assert.equal(read?.status, "ERROR");
  assert.deepEqual(read?.attributes, { a: "9007199254740993", b: [true], c: { d: 1.5 } });
});

test("fromOtlp_anythingElse_saysWhatIsWrong", () => {
  assert.throws(() => fromOtlp("<xml/>"), /no JSON/);
  assert.throws(() => fromOtlp("{}"), /no spans in the file/);
  assert.throws(() => fromOtlp("[1]"), /no spans in the file/);
  const spans = [{ traceId: "zz", spanId: "1" }];
  assert.throws(() => fromOtlp(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })), /no trace id/);
});

test("open_hugeFile_isRefusedUnread", async () => {
  const opened = new OpenedTraces();
  await assert.rejects(opened.open({ size: MAX_BYTES + 1, text: () => Promise.reject(new Error("read")) }), /64 MiB/);
  const [trace] = someTraces();
  assert.ok(trace !== undefined);
  const file = JSON.stringify(toOtlp(trace, "shop"));
  await opened.open({ size: file.length, text: () => Promise.resolve(file) });
  assert.equal(opened.get(trace.traceId)?.spans.length, trace.spans.length);
  opened.forget();
  assert.equal(opened.all().length, 0);
});
