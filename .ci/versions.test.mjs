// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { compare, mavenRegistry, newestOf, npmRegistry, order, pins, report, repositoriesIn } from "./versions.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

const TREE = {
  "pom.xml": `<project><groupId>com.acme</groupId><artifactId>parent</artifactId><version>1</version>
      <properties><netty.version>4.1.0.Final</netty.version><otel.version>1.2-alpha</otel.version></properties>
      <build><plugins><plugin><artifactId>maven-jar-plugin</artifactId><version>3.4</version></plugin></plugins></build></project>`,
  "sub/pom.xml": `<?xml version="1.0"?><project><parent><groupId>com.acme</groupId><artifactId>parent</artifactId><version>1</version></parent>
      <properties><otel.version>1.3-alpha</otel.version></properties><dependencies>
      <!-- <dependency><groupId>no.such</groupId><artifactId>comment</artifactId><version>1</version></dependency> -->
      <dependency><groupId>io.netty</groupId><artifactId>netty-handler</artifactId><version>\${netty.version}</version></dependency>
      <dependency><groupId>io.otel</groupId><artifactId>api</artifactId><version>\${otel.version}</version></dependency>
      <dependency><groupId>com.acme</groupId><artifactId>other</artifactId><version>1</version></dependency>
      <dependency><groupId>org.old</groupId><artifactId>pekko</artifactId><version>1.0</version></dependency>
      <dependency><groupId>org.gone</groupId><artifactId>away</artifactId><version>1.0</version></dependency>
      <dependency><groupId>org.odd</groupId><artifactId>odd</artifactId><version>\${odd}</version></dependency>
      </dependencies></project>`,
  "page/package.json": `{ "name": "page", "version": "0.1.0", "dependencies": { "left": "1.0.0" }, "devDependencies": { "right": "2.0.0" } }`,
  "play/build.sbt": `scalaVersion := "2.13.1"\nlibraryDependencies += "org.lib" %% "lib" % "3.0"\n`,
  "play/project/plugins.sbt": `addSbtPlugin("org.play" % "sbt-plugin" % "3.0.9")`,
  "play/project/build.properties": "sbt.version=1.0.0\n",
  pictures: "#!/usr/bin/env bash\nzipkin_version=3.5.1 # io.zipkin:server\n",
  ".ci/kept-versions": "# why\norg.old:* 1.0 # on purpose\norg.scala-lang:scala-library 2.11.0 <3 # for this Scala\n",
};

const SERVED = {
  "io/netty/netty-handler": ["4.1.0.Final", "4.1.9.Final", "4.1.10.Final", "5.0.0.Alpha1"],
  "io/otel/api": ["1.3-alpha", "1.4-alpha", "1.4"],
  "org/apache/maven/plugins/maven-jar-plugin": ["3.4", "4.0.0-beta-1"],
  "org/scala-lang/scala-library": ["2.13.1", "2.13.2", "3.0.0"],
  "org/lib/lib_2.13": ["3.0", "3.0-RC1"],
  "org/play/sbt-plugin_2.12_1.0": ["3.0.9"],
  "org/scala-sbt/sbt": ["1.0.0", "1.1.0", "2.0.0"],
  "io/zipkin/server": ["3.5.1"],
};

test("compare_withARegistry_tellsWhatIsBehindAndWhatItCannotTell", async (t) => {
  const made = mkdtempSync(join(tmpdir(), "deimos-versions-"));
  t.after(() => rmSync(made, { recursive: true }));
  for (const [file, text] of Object.entries(TREE)) {
    mkdirSync(dirname(join(made, file)), { recursive: true });
    writeFileSync(join(made, file), text);
  }
  const server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  t.after(() => server.close());
  const url = `http://127.0.0.1:${server.address().port}`;
  process.env.npm_config_registry = `${url}/npm/`;

  const all = pins(made, Object.keys(TREE));
  const result = await compare(made, all, {
    maven: mavenRegistry([`${url}/empty/`, `${url}/maven`]),
    npm: npmRegistry,
  });

  assert.equal(all.length, 13);
  assert.equal(
    report(result),
    `5 of 12 pinned versions are behind the newest.

| pin | is | newest of its major | newest | in |
|---|---|---|---|---|
| io.netty:netty-handler | 4.1.0.Final | 4.1.10.Final | 4.1.10.Final | sub/pom.xml |
| io.otel:api | 1.3-alpha | 1.4 | 1.4 | sub/pom.xml |
| left | 1.0.0 | 1.2.0 | 2.0.0 | page/package.json |
| org.scala-lang:scala-library | 2.13.1 | 2.13.2 | 2.13.2 | play/build.sbt |
| org.scala-sbt:sbt | 1.0.0 | 1.1.0 | 2.0.0 | play/project/build.properties |
.ci/kept-versions: org.scala-lang:scala-library 2.11.0 is pinned nowhere; remove it
not looked up: org.gone:away 1.0 in sub/pom.xml: no registry has it
not looked up: org.odd:odd \${odd} in sub/pom.xml: no POM here declares the property`,
  );
});

test("compare_withARegistryThatFails_saysSo", async (t) => {
  const server = createServer((_, response) => response.writeHead(503).end()).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  t.after(() => server.close());
  const maven = mavenRegistry([`http://127.0.0.1:${server.address().port}`]);
  const { behind, unknown } = await compare("/nowhere", [{ what: "a:b", version: "1", where: "pom.xml" }], { maven });
  assert.deepEqual(behind, []);
  assert.deepEqual(unknown, ["not looked up: a:b 1 in pom.xml: the registry answers 503"]);
});

test("repositoriesIn_whatMavenPrints_areThoseWithReleases", () => {
  const told = `[INFO] Project remote repositories used by this build:
 * central (https://127.0.0.1:1/maven2, default, releases)
[INFO]  * mirror (http://127.0.0.1:2/all, default, releases+snapshots)
 * nightly (https://127.0.0.1:3/nightly, default, snapshots)
`;
  assert.deepEqual(repositoriesIn(told), ["https://127.0.0.1:1/maven2", "http://127.0.0.1:2/all"]);
});

test("pins_ofThisRepository_areOfEachKind", () => {
  const found = new Set(pins(root).map(({ what }) => what));
  for (const expected of [
    "org.apache.pekko:pekko-actor_2.13",
    "org.apache.maven.plugins:maven-compiler-plugin",
    "com.google.errorprone:error_prone_core",
    "com.google.googlejavaformat:google-java-format",
    "esbuild",
    "@actions/languageservice",
    "org.playframework:sbt-plugin_2.12_1.0",
    "org.scala-sbt:sbt",
    "io.zipkin:zipkin-server",
  ]) {
    assert.ok(found.has(expected), expected);
  }
});

test("newestOf_previews_takesOnlyThoseLikeThePin", () => {
  assert.equal(newestOf(["1.0", "1.1-RC1", "1.1-M2"], "1.0"), "1.0");
  assert.equal(newestOf(["2.0.0-M3", "2.0.0-M4", "2.0.0-RC1"], "2.0.0-M3"), "2.0.0-M4");
  assert.equal(newestOf(["4.1.0.RELEASE", "4.2.0.Final", "4.3.0.Beta1"], "4.1.0.Final"), "4.2.0.Final");
});

test("order_ofVersions_isByNumber", () => {
  assert.ok(order("1.10", "1.9") > 0);
  assert.ok(order("1.0", "1.0-alpha") > 0);
  assert.ok(order("1.0.1", "1.0") > 0);
  assert.equal(order("1.0", "1.0.0"), 0);
});

function answer({ url }, response) {
  const artifact = /^\/maven\/(.*)\/maven-metadata\.xml$/.exec(url)?.[1];
  const name = /^\/npm\/(\w+)/.exec(url)?.[1];
  if (artifact in SERVED) {
    response.end(
      `<metadata><versioning>${SERVED[artifact].map((v) => `<version>${v}</version>`).join("")}</versioning></metadata>`,
    );
  } else if (name !== undefined) {
    const served = name === "left" ? ["1.0.0", "1.2.0", "2.0.0", "3.0.0-beta.1"] : ["2.0.0"];
    const versions = Object.fromEntries(served.map((version) => [version, { name, version, dist: {} }]));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ name, "dist-tags": { latest: served.at(-1) }, versions }));
  } else {
    response.writeHead(404).end();
  }
}
