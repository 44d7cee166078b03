// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The versions that this repository pins, and the newest that the registries serve. Pins are read from POMs, package.json, sbt's files,
 * and lines of scripts that say `version=1.2.3 # group:artifact`. Where the registries are is Maven's and npm's to know.
 */
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { promisify } from "node:util";

/** Properties whose version belongs to no element with coordinates. */
const OF_PROPERTIES = { "google-java-format.version": "com.google.googlejavaformat:google-java-format" };
const KEPT = ".ci/kept-versions";
const LOOKUPS_AT_ONCE = 8;
const PATIENCE_MILLIS = 30_000;

/** Every pin in the tree: `{ what, version, where, registry }`. */
export function pins(root, files = tracked(root)) {
  const poms = new Map(files.filter(isPom).map((file) => [file, pom(root, file)]));
  const ours = poms.has("pom.xml") ? text(poms.get("pom.xml").project, "groupId") : undefined;
  return [
    ...[...poms.keys()].flatMap((file) => pinsOfPom(file, poms)).filter(({ what }) => !what.startsWith(ours)),
    ...files.filter((file) => file.endsWith("package.json")).flatMap((file) => pinsOfPackage(root, file)),
    ...files.filter(isOther).flatMap((file) => pinsOfText(root, file)),
  ];
}

/**
 * Looks every pin up. Those in the kept list are left out.
 * @returns `{ behind, unknown, count }`: pins with `newest` and `newestOfMajor`; lines about what needs mending before this is the truth
 */
export async function compare(root, all, registries) {
  const kept = keptVersions(root);
  const unknown = kept.flatMap((line) => line.unused(all));
  const looked = new Map();
  for (const pin of all) {
    const key = `${pin.what} ${pin.version}`;
    if (!kept.some((line) => line.keeps(pin))) {
      looked.set(key, { ...pin, where: [...(looked.get(key)?.where ?? []), pin.where] });
    }
  }
  const behind = [];
  const queue = [...looked.values()];
  const look = async () => {
    for (let pin = queue.shift(); pin !== undefined; pin = queue.shift()) {
      try {
        if (pin.version.includes("${")) throw new Error("no POM here declares the property");
        const served = await (pin.registry === "npm" ? registries.npm : registries.maven)(pin.what);
        const wanted = served.filter((version) => !kept.some((line) => line.refuses(pin.what, version)));
        const newest = newestOf(wanted, pin.version);
        if (order(newest, pin.version) > 0) {
          const sameMajor = wanted.filter((version) => major(version) === major(pin.version));
          behind.push({ ...pin, newest, newestOfMajor: newestOf(sameMajor, pin.version) });
        }
      } catch (e) {
        unknown.push(`not looked up: ${pin.what} ${pin.version} in ${pin.where[0]}: ${e.message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: LOOKUPS_AT_ONCE }, look));
  behind.sort((a, b) => (a.what < b.what ? -1 : 1));
  return { behind, unknown: unknown.sort(), count: looked.size };
}

/** The report as a table that GitHub shows, too. */
export function report({ behind, unknown, count }) {
  const lines = [`${behind.length} of ${count} pinned versions are behind the newest.`, ""];
  if (behind.length > 0) {
    lines.push("| pin | is | newest of its major | newest | in |", "|---|---|---|---|---|");
    for (const { what, version, newestOfMajor, newest, where } of behind) {
      lines.push(`| ${what} | ${version} | ${newestOfMajor} | ${newest} | ${[...new Set(where)].join(", ")} |`);
    }
  }
  return [...lines, ...unknown].join("\n");
}

/** Where Maven takes artifacts from, by its own configuration; mirrors included. */
export function mavenRepositories(root) {
  const told = spawnSync("mvn", ["-B", "-ntp", "-N", "dependency:list-repositories"], { cwd: root, encoding: "utf8" });
  const urls = repositoriesIn(told.stdout ?? "");
  if (urls.length === 0) {
    throw new Error(
      `mvn dependency:list-repositories names no repository:\n${told.stdout}${told.stderr ?? told.error}`,
    );
  }
  return urls;
}

/** In what that goal prints, with Maven 3.8 and later. */
export function repositoriesIn(told) {
  return [...told.matchAll(/^(?:\[INFO\])? *\* \S+ \((https?:[^,\s)]+),.*releases/gm)].map(([, url]) => url);
}

/** Versions of an artifact in Maven's repositories. */
export function mavenRegistry(repositories) {
  return async (what) => {
    const [group, artifact] = what.split(":");
    const versions = [];
    for (const repository of repositories) {
      const url = `${repository.replace(/\/$/, "")}/${group.replaceAll(".", "/")}/${artifact}/maven-metadata.xml`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MILLIS) });
      if (answer.ok) {
        versions.push(...[...(await answer.text()).matchAll(/<version>([^<]+)<\/version>/g)].map(([, v]) => v));
      } else if (answer.status !== 404) {
        throw new Error(`the registry answers ${answer.status}`);
      }
    }
    if (versions.length === 0) throw new Error("no registry has it");
    return versions;
  };
}

/** Versions of a package in npm's registry. */
export async function npmRegistry(what) {
  const { stdout } = await promisify(execFile)("npm", ["view", what, "versions", "--json"], {
    timeout: PATIENCE_MILLIS,
  });
  return [JSON.parse(stdout)].flat();
}

/** The newest that is as finished as `than`: no preview for a release, an alpha for an alpha. */
export function newestOf(served, than) {
  const like = qualifier(than);
  return served
    .filter((version) => /^\d/.test(version) && ["", like].includes(qualifier(version)))
    .reduce((newest, version) => (order(version, newest) > 0 ? version : newest), than);
}

/** "alpha" of 1.2-alpha, "m" of 2.0.0-M4, nothing of a release. */
function qualifier(version) {
  const [, word] = /[.-]?([a-z]+)/i.exec(version.replace(/[.-](Final|GA|RELEASE|jre\d*)$/i, "")) ?? [];
  return (word ?? "").toLowerCase();
}

/** As numbers, part by part; of two that are the same in these, the one without a word is newer. */
export function order(a, b) {
  const [x, y] = [a, b].map((version) => (version.match(/\d+/g) ?? []).map(Number));
  for (let i = 0; i < Math.max(x.length, y.length); i++) {
    const difference = (x[i] ?? 0) - (y[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return (qualifier(a) === "" ? 1 : 0) - (qualifier(b) === "" ? 1 : 0);
}

function major(version) {
  return /^\d+/.exec(version)?.[0];
}

function tracked(root) {
  return execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);
}

/** Rows of the versions that are tested are none: each is of the version that it is about. */
function isPom(file) {
  return file.endsWith("pom.xml");
}

function isOther(file) {
  return /\.(sbt|properties)$/.test(file) || !/\.[^/]*$/.test(file);
}

/** Lines of the kept list: `group:artifact 1.2 <3 # why`, where `*` stands for anything, and <3 says that 3 and later are not wanted. */
function keptVersions(root) {
  const file = join(root, KEPT);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      const [what, ...versions] = line.replace(/\s*#.*/, "").split(/\s+/);
      const names = new RegExp(`^${what.split("*").map(escaped).join(".*")}$`);
      const bounds = versions.filter((version) => version.startsWith("<")).map((bound) => bound.slice(1));
      const exact = versions.filter((version) => !version.startsWith("<"));
      return {
        keeps: (pin) => names.test(pin.what) && exact.includes(pin.version),
        refuses: (name, version) => names.test(name) && bounds.some((bound) => order(version, bound) >= 0),
        unused: (all) => {
          const pinned = all.filter((pin) => names.test(pin.what));
          return (bounds.length > 0 && pinned.length === 0 ? bounds : exact)
            .filter((version) => !pinned.some((pin) => pin.version === version))
            .map((version) => `${KEPT}: ${what} ${version} is pinned nowhere; remove it`);
        },
      };
    });
}

function escaped(words) {
  return words.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
}

function pinsOfPackage(root, file) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, file), "utf8"));
  return Object.entries({ ...dependencies, ...devDependencies }).map(([what, version]) => ({
    what,
    version,
    where: file,
    registry: "npm",
  }));
}

/** Of sbt's files and of scripts. */
function pinsOfText(root, file) {
  const text = readFileSync(join(root, file), "utf8");
  const found = [];
  const add = (what, version) => found.push({ what, version, where: file, registry: "maven" });
  for (const [, group, scala, artifact, version] of text.matchAll(/"([^"\s]+)" (%%?) "([^"\s]+)" % "([^"\s]+)"/g)) {
    const plugin = new RegExp(`addSbtPlugin\\("${group}"`).test(text);
    add(`${group}:${artifact}${plugin ? "_2.12_1.0" : scala === "%%" ? "_2.13" : ""}`, version);
  }
  for (const [, version] of text.matchAll(/^(?:ThisBuild \/ )?scalaVersion := "([^"]+)"/gm)) {
    add("org.scala-lang:scala-library", version);
  }
  for (const [, version] of text.matchAll(/^sbt\.version=(\S+)/gm)) {
    add("org.scala-sbt:sbt", version);
  }
  for (const [, version, what] of text.matchAll(/^\s*\w*version=(\d\S*) *# *([\w.-]+:[\w.-]+)\s*$/gm)) {
    add(what, version);
  }
  return found;
}

function pom(root, file) {
  const project = xml(readFileSync(join(root, file), "utf8"));
  const parent = child(project, "parent");
  const path = parent && (text(parent, "relativePath") ?? "../pom.xml");
  return {
    project,
    parent: path ? normalize(join(dirname(file), path)) : undefined,
    properties: Object.fromEntries(
      (child(project, "properties")?.children ?? []).map(({ name, value }) => [name, value]),
    ),
  };
}

function pinsOfPom(file, poms) {
  const { project, properties } = poms.get(file);
  const resolve = (value) =>
    value?.replace(/\$\{([^}]+)}/g, (whole, name) => {
      for (let at = file; poms.has(at); at = poms.get(at).parent) {
        const found = poms.get(at).properties[name];
        if (found !== undefined) return resolve(found);
      }
      return whole;
    });
  const found = [];
  const walk = (element) => {
    const [artifact, version] = [text(element, "artifactId"), text(element, "version")];
    const group = text(element, "groupId") ?? (element.name === "plugin" ? "org.apache.maven.plugins" : undefined);
    if (element !== project && group && artifact && version && !`${group}${version}`.includes("${project.")) {
      found.push({
        what: `${resolve(group)}:${resolve(artifact)}`,
        version: resolve(version),
        where: file,
        registry: "maven",
      });
    }
    element.children.forEach(walk);
  };
  walk(project);
  for (const [property, what] of Object.entries(OF_PROPERTIES)) {
    if (properties[property] !== undefined) {
      found.push({ what, version: properties[property], where: file, registry: "maven" });
    }
  }
  return found;
}

/** The elements of a document; of a POM, that is all there is. */
function xml(source) {
  const top = { name: "", children: [], value: "" };
  const open = [top];
  for (const [, end, name, empty, words] of source.matchAll(
    /<!--[\s\S]*?-->|<[?!][\s\S]*?>|<(\/?)([\w:.-]+)[^>]*?(\/?)>|([^<]+)/g,
  )) {
    const current = open.at(-1);
    if (words !== undefined) current.value += words.trim();
    else if (end === "/") open.pop();
    else if (name !== undefined) {
      const element = { name, children: [], value: "" };
      current.children.push(element);
      if (empty !== "/") open.push(element);
    }
  }
  return top.children[0];
}

function child(element, name) {
  return element.children.find((one) => one.name === name);
}

function text(element, name) {
  return child(element, name)?.value;
}
