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

test("takeFrom_tokenThatAUserMade_takesWhatTheAgentTakes", () => {
  const all = Array.from({ length: 94 }, (_, i) => String.fromCharCode(0x21 + i)).join("");
  const base64 = "q83vEjRWeJq83vASNFZ4mrze8BI0Vnia/+8=";
  for (const made of [all, base64, "x".repeat(512), `100%${base64}`]) {
    const token = new Token(tab());
    assert.equal(token.takeFrom(`#token=${encodeURIComponent(made)}`), true);
    assert.deepEqual(token.headers(), { "X-Deimos-Token": made });
  }
  const token = new Token(tab());
  assert.equal(token.takeFrom(`#token=100%${base64}`), true, "as somebody has typed it");
  assert.deepEqual(token.headers(), { "X-Deimos-Token": `100%${base64}` });
  assert.equal(token.takeFrom(`#token=${"x".repeat(513)}`), false);
  assert.equal(token.takeFrom(`#token=${encodeURIComponent(`${base64}\r\nX: y`)}`), false);
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
