// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { answer } from "../src/lib/answers";
import { bucketText, byFrequency, reasonText } from "../src/lib/transport";
import { systemOf } from "../dev/system";

test("system_withTransport_hasStreamsWithReasonsMostFrequentFirst", () => {
  const [stream] = answer("/api/v1/system", systemOf(1e12)).transport;
  assert.deepEqual(byFrequency(stream?.reasons ?? {}), [
    ["drained", 26_000],
    ["idle", 14_000],
    ["max_messages", 1000],
  ]);
  assert.equal(stream?.length.mean, 3.2);
  assert.equal(stream?.flushNanos.mean, null);
});

test("system_ofAnOlderProcess_hasNoTransport", () => {
  const older = { ...(systemOf(1e12) as Record<string, unknown>) };
  delete older["transport"];
  assert.deepEqual(answer("/api/v1/system", older).transport, []);
});

test("bucketText_firstMiddleLast_saysWhatIsInIt", () => {
  const bounds = [1, 2, 4];
  assert.deepEqual(
    [0, 1, 2, 3].map((i) => bucketText(bounds, i)),
    ["1", "2", "3–4", "over 4"],
  );
});

test("reasonText_unknown_isTheReasonItself", () => {
  assert.equal(reasonText("interval"), "flush-interval was over");
  assert.equal(reasonText("later"), "later");
});
