// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Kept, Token } from "../src/lib/token";

const VALUE = "00112233445566778899aabbccddeeff";

function tab(): Kept & { readonly items: Map<string, string> } {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
  };
}

test("takeFrom_hashWithToken_keepsItForThisTab", () => {
  const kept = tab();
  const token = new Token(kept);
  assert.deepEqual(token.headers(), {});
  assert.equal(token.takeFrom(`#token=${VALUE}`), true);
  assert.deepEqual(token.headers(), { "X-Deimos-Token": VALUE });
  assert.deepEqual(new Token(kept).headers(), { "X-Deimos-Token": VALUE });
});

test("takeFrom_otherHashes_leaveWhatWas", () => {
  const token = new Token(tab());
  token.set(` ${VALUE}\n`);
  for (const hash of ["", "#/settings", "#token=", "#token=<script>", `#/trace/${VALUE}`]) {
    assert.equal(token.takeFrom(hash), false);
  }
  assert.deepEqual(token.headers(), { "X-Deimos-Token": VALUE });
});

test("set_nothingCanBeKept_holdsUntilAReload", () => {
  const token = new Token(null);
  token.set(VALUE);
  assert.deepEqual(token.headers(), { "X-Deimos-Token": VALUE });
});
