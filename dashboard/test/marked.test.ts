// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { pieces } from "../src/lib/marked";

const plain = (text: string) => ({ text, code: false, page: "" });

test("pieces_namesAndLinks_areToldFromText", () => {
  assert.deepEqual(pieces("`false` weaves nothing; see [Telemetry](telemetry.md#spans) and `a.b`"), [
    { text: "false", code: true, page: "" },
    plain(" weaves nothing; see "),
    { text: "Telemetry", code: false, page: "telemetry.md" },
    plain(" and "),
    { text: "a.b", code: true, page: "" },
  ]);
});

test("pieces_noMarks_areOneText", () => {
  assert.deepEqual(pieces("a share in [0, 1], and a ` alone"), [plain("a share in [0, 1], and a ` alone")]);
  assert.deepEqual(pieces(""), []);
});
