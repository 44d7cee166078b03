// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { mistakes } from "./lint.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const COMMIT = "0123456789abcdef0123456789abcdef01234567";

test("mistakes_ofThisRepository_areNone", async () => {
  assert.deepEqual(await mistakes(root), []);
});

test("mistakes_ofAWorkflow_areNamedWithTheirLine", async (t) => {
  const found = await of(t, ".github/workflows/ci.yml", [
    "on: push",
    "jobs:",
    "  test:",
    "    runs-on: ubuntu-24.04",
    "    steps:",
    "      - uses: actions/checkout@v7",
    `      - uses: actions/checkout@${COMMIT} # v7.0.1`,
    "      - run: |",
    "          cd .",
    "          .ci/nothing --all",
    "      - run: echo ${{ matrx.java }}",
    "      - runs: ./test",
  ]);
  assert.equal(found.filter((line) => line.startsWith(".github/workflows/ci.yml")).length, found.length);
  for (const expected of [
    "yml: no permissions",
    "yml:6: 'actions/checkout@v7' is not",
    "yml: .ci/nothing does not exist",
    "yml:11: Unrecognized named-value: 'matrx'",
    "yml:12: ",
  ]) {
    assert.ok(
      found.some((line) => line.includes(expected)),
      `${expected} in\n${found.join("\n")}`,
    );
  }
});

test("mistakes_ofAnIssueForm_areNamed", async (t) => {
  const found = await of(t, ".github/ISSUE_TEMPLATE/bug.yml", [
    "name: Bug",
    "description: It is wrong",
    "body:",
    "  - { type: text, id: a, attributes: { label: A } }",
    "  - { type: input, id: b, attributes: { label: B } }",
    "  - { type: input, id: b, attributes: { label: B again } }",
    "  - { type: input, id: c }",
  ]);
  assert.deepEqual(
    found.map((line) => line.replace(/^.*yml: /, "").split(" ")[0]),
    ["type", "'b'", "'c'"],
  );
});

test("mistakes_ofDependabot_areNamed", async (t) => {
  const found = await of(t, ".github/dependabot.yml", [
    "version: 2",
    "updates:",
    "  - { package-ecosystem: npm, directories: [/elsewhere], schedule: { interval: weekly } }",
    "  - { package-ecosystem: github-actions, directory: / }",
  ]);
  assert.deepEqual(
    found.map((line) => line.replace(/^.*yml: /, "")),
    ["npm has nothing in /elsewhere", "github-actions has no schedule", "github-actions has nothing in /"],
  );
});

async function of(t, file, lines) {
  const made = mkdtempSync(join(tmpdir(), "deimos-lint-"));
  t.after(() => rmSync(made, { recursive: true }));
  mkdirSync(dirname(join(made, file)), { recursive: true });
  writeFileSync(join(made, file), lines.join("\n"));
  return mistakes(made);
}
