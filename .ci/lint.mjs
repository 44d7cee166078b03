// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Finds mistakes in what GitHub reads of this repository: workflows by GitHub's own language service, and by the project's rules
 * (rights are declared, actions are pinned to a commit, commands exist); issue forms and dependabot's file by what GitHub asks of them.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { register } from "node:module";
import { join } from "node:path";
import { TextDocument } from "vscode-languageserver-textdocument";
import { parse } from "yaml";

// The language service is made to be bundled: it imports JSON without saying so.
const jsonByName = `export const load = (url, context, next) =>
  next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context);`;
register(`data:text/javascript,${encodeURIComponent(jsonByName)}`);
const { validate } = await import("@actions/languageservice");

const PINNED = /^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d/;
const COMMAND = /(?:^|[\s|&;])((?:\.\/|\.ci\/|integration-tests\/)[\w.\/-]+)/g;
const FIELDS = new Set(["markdown", "textarea", "input", "dropdown", "checkboxes"]);
const MANIFESTS = { maven: "pom.xml", npm: "package-lock.json", "github-actions": ".github/workflows" };

/** Every mistake in the tree at `root`, one a line. */
export async function mistakes(root) {
  const found = [];
  for (const file of yamlFiles(root, ".github/workflows")) {
    const text = read(root, file);
    found.push(...(await workflow(root, file, text)));
  }
  for (const file of yamlFiles(root, ".github/ISSUE_TEMPLATE")) {
    if (!file.endsWith("/config.yml")) {
      found.push(...form(read(root, file)).map((mistake) => `${file}: ${mistake}`));
    }
  }
  const dependabot = ".github/dependabot.yml";
  if (existsSync(join(root, dependabot))) {
    found.push(...updates(root, read(root, dependabot)).map((mistake) => `${dependabot}: ${mistake}`));
  }
  return found;
}

async function workflow(root, file, text) {
  const diagnostics = await validate(TextDocument.create(`file://${join(root, file)}`, "yaml", 1, text));
  const found = diagnostics.map(({ message, range }) => `${file}:${range.start.line + 1}: ${message}`);
  if (!/^permissions:/m.test(text)) {
    found.push(`${file}: no permissions of its own, so it has all that the repository gives`);
  }
  for (const [at, line] of text.split("\n").entries()) {
    const uses = /\buses: *(.*)/.exec(line)?.[1];
    if (uses !== undefined && !PINNED.test(uses)) {
      found.push(`${file}:${at + 1}: '${uses}' is not owner/name@<commit> # v<version>`);
    }
  }
  for (const run of commands(parse(text))) {
    for (const [, command] of run.matchAll(COMMAND)) {
      if (!existsSync(join(root, command))) {
        found.push(`${file}: ${command} does not exist`);
      }
    }
  }
  return found;
}

/** What steps run, by themselves or by a matrix. */
function commands({ jobs }) {
  return Object.values(jobs ?? {}).flatMap(({ steps, strategy }) => [
    ...(steps ?? []).map(({ run }) => run ?? ""),
    ...(strategy?.matrix?.run ?? []),
  ]);
}

function form(text) {
  const { name, description, body } = parse(text);
  const found = [];
  if (!name || !description || !Array.isArray(body)) {
    return ["it needs name, description and body"];
  }
  const ids = new Set();
  for (const field of body) {
    if (!FIELDS.has(field.type)) {
      found.push(`type '${field.type}' is none of ${[...FIELDS].join(", ")}`);
    } else if (field.type === "markdown") {
      if (!field.attributes?.value) found.push("markdown without a value");
    } else if (!field.attributes?.label || !/^[\w-]+$/.test(field.id ?? "") || ids.has(field.id)) {
      found.push(`'${field.id}' needs a label and an id of its own`);
    }
    ids.add(field.id);
  }
  return found;
}

function updates(root, text) {
  const { version, updates: all } = parse(text);
  const found = version === 2 ? [] : ["version is not 2"];
  for (const { "package-ecosystem": ecosystem, directory, directories, schedule } of all) {
    if (!schedule?.interval) found.push(`${ecosystem} has no schedule`);
    for (const at of directories ?? [directory]) {
      const manifest = MANIFESTS[ecosystem];
      if (manifest === undefined || !existsSync(join(root, at, manifest))) {
        found.push(`${ecosystem} has nothing in ${at}`);
      }
    }
  }
  return found;
}

function yamlFiles(root, directory) {
  const at = join(root, directory);
  return existsSync(at)
    ? readdirSync(at)
        .filter((name) => /\.ya?ml$/.test(name))
        .sort()
        .map((name) => `${directory}/${name}`)
    : [];
}

function read(root, file) {
  return readFileSync(join(root, file), "utf8");
}
