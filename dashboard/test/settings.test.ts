// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { answer } from "../src/lib/answers";
import { sectionsOf, shortly } from "../src/lib/settings";

test("settings_ofAllKinds_areInSectionsAndNoneIsLost", () => {
  const keys = ["deimos.enabled", "deimos.tracing.asks", "deimos.metrics.window", "deimos.new-one.at-all"];
  const { settings } = answer("/api/settings", { settings: keys.map((key) => ({ key })) });
  assert.deepEqual(
    sectionsOf(settings).map((section) => [section.title, section.settings.map(({ key }) => key)]),
    [
      ["Tracing", ["deimos.tracing.asks"]],
      ["Metrics", ["deimos.metrics.window"]],
      ["The whole", ["deimos.enabled", "deimos.new-one.at-all"]],
    ],
  );
});

test("effect_ofSeveralSentences_isSplitAfterTheFirst", () => {
  assert.deepEqual(shortly("spans of `a.b` messages. They cost"), {
    first: "Spans of `a.b` messages.",
    rest: "They cost.",
  });
  assert.deepEqual(shortly("in [0.5, 1]; `0`: none"), { first: "In [0.5, 1].", rest: "`0`: none." });
  assert.deepEqual(shortly("one"), { first: "One.", rest: "" });
});
