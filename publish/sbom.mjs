// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Writes the list of what is in each published jar (CycloneDX): what Maven resolved, less what a jar does not have, and
 * what Maven does not see, which is the page's npm packages and the libraries inside the OpenTelemetry agent.
 *
 * usage: node sbom.mjs DEPENDENCIES GROUP LICENSES LOCK DIRECTORY
 *   DEPENDENCIES  what cyclonedx-maven-plugin wrote for the agent
 *   GROUP         the group id of what is published
 *   LICENSES      META-INF/licenses/licenses.md of the OpenTelemetry agent
 *   LOCK          the dashboard's package-lock.json
 *   DIRECTORY     where the lists go
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [dependencies, group, licenses, lock, directory] = process.argv.slice(2);
const resolved = JSON.parse(readFileSync(dependencies, "utf8"));

const agent = "pkg:maven/io.opentelemetry.javaagent/opentelemetry-javaagent@";
const ofCommands = ["pkg:maven/info.picocli/", "pkg:maven/org.apache.httpcomponents.core5/", "pkg:maven/io.deimos/deimos-cli@"];
const startsWith = (...starts) => (component) => starts.some((start) => component.purl.startsWith(start));

/** File, artifact, and which components are in it. */
const JARS = [
  ["deimos", "deimos-agent", () => true],
  ["deimos-lean", "deimos-lean", () => true],
  ["deimos-extension", "deimos-extension", (component) => !startsWith(agent, ...ofCommands)(component)],
  ["deimos-remote", "deimos-remote", startsWith("pkg:maven/io.netty/")],
  ["deimos-api", "deimos-api", () => false],
  ["deimos-testkit", "deimos-testkit", () => false],
];

const LICENCES = {
  "Apache License, Version 2.0": "Apache-2.0",
  "MIT License": "MIT",
  "The 3-Clause BSD License": "BSD-3-Clause",
};

function library(purl, names, licences, more = {}) {
  return {
    type: "library",
    "bom-ref": purl,
    ...names,
    licenses: licences.map((id) => ({ license: { id } })),
    purl,
    ...more,
  };
}

/** The libraries of the OpenTelemetry agent, by its own report. */
function insideTheAgent() {
  const found = new Map();
  let licence;
  for (const line of readFileSync(licenses, "utf8").split("\n")) {
    const heading = /^## (?!Dependency License Report)(.+)$/.exec(line);
    if (heading) {
      licence = LICENCES[heading[1]];
      if (!licence) throw new Error(`no SPDX name for the OpenTelemetry agent's licence "${heading[1]}"; add it to publish/sbom.mjs`);
    }
    const named = /\*\*Group:\*\* `(.+?)` \*\*Name:\*\* `(.+?)` \*\*Version:\*\* `(.+?)`/.exec(line);
    if (named) {
      const [, group, name, version] = named;
      const purl = `pkg:maven/${group}/${name}@${version}?type=jar`;
      found.set(purl, library(purl, { group, name, version }, [...(found.get(purl)?.licenses ?? []).map((l) => l.license.id), licence]));
    }
  }
  if (found.size === 0) throw new Error(`${licenses} names no library`);
  return [...found.values()];
}

/** The packages that the page is made of; those that only build or test it are not in it. */
function insideThePage() {
  return Object.entries(JSON.parse(readFileSync(lock, "utf8")).packages)
    .filter(([path, { dev }]) => path !== "" && !dev)
    .map(([path, { version, license, integrity }]) => {
      const name = path.replace(/^.*node_modules\//, "");
      const content = Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex");
      return library(`pkg:npm/${name}@${version}`, { name, version }, [license], { hashes: [{ alg: "SHA-512", content }] });
    });
}

const maven = resolved.components.map((component) =>
  component.purl.startsWith(agent) ? { ...component, components: insideTheAgent() } : component,
);
const page = insideThePage();
const version = resolved.metadata.component.version;

for (const [file, artifact, has] of JARS) {
  const purl = `pkg:maven/${group}/${artifact}@${version}?type=jar`;
  const components = [...maven.filter(has), ...(has(page[0]) ? page : [])];
  const refs = new Set([...components.map((component) => component["bom-ref"]), resolved.metadata.component["bom-ref"]]);
  const text = JSON.stringify(
    {
      ...resolved,
      metadata: {
        ...resolved.metadata,
        component: { ...resolved.metadata.component, "bom-ref": purl, group, name: artifact, purl, description: undefined },
      },
      components,
      dependencies: resolved.dependencies
        .filter(({ ref }) => refs.has(ref))
        .map(({ ref, dependsOn }) => ({
          ref: ref === resolved.metadata.component["bom-ref"] ? purl : ref,
          dependsOn: (dependsOn ?? []).filter((other) => refs.has(other)),
        })),
    },
    null,
    2,
  );
  writeFileSync(join(directory, `${file}.cdx.json`), `${text}\n`);
}
