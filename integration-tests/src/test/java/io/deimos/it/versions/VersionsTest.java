// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.versions;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.PekkoVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * One application with each Pekko of {@code integration-tests/versions}, on each JDK: its traces
 * are those of the Pekko that Deimos is built for, every hook fires, nothing is complained of, and
 * the transport engages. The table in {@code docs/versions.md} says what came of it; {@code
 * -Ddocs.write=true} writes it.
 */
@Tag("long")
class VersionsTest {
  private static final Path DOCS = Layout.root().resolve("docs/versions.md");
  private static final String BEGIN = "<!-- versions: made of the runs of VersionsTest -->\n";
  private static final String END = "<!-- end of versions -->\n";

  /** JVMs at once. */
  private static final int AT_ONCE = 2;

  private static ExecutorService starter;

  /** By version and JDK. */
  private static Map<PekkoVersion, Map<Jdk, CompletableFuture<VersionRun>>> runs;

  @BeforeAll
  static void start() {
    starter = Executors.newFixedThreadPool(AT_ONCE);
    runs = new LinkedHashMap<>();
    for (PekkoVersion version : PekkoVersion.all()) {
      Map<Jdk, CompletableFuture<VersionRun>> ofVersion = new LinkedHashMap<>();
      for (Jdk jdk : Jdk.all()) {
        ofVersion.put(
            jdk, CompletableFuture.supplyAsync(() -> VersionRun.of(version, jdk), starter));
      }
      runs.put(version, ofVersion);
    }
  }

  @AfterAll
  static void end() {
    starter.shutdownNow();
  }

  private static VersionRun reference() {
    return runs.entrySet().stream()
        .filter(e -> e.getKey().pekko().equals("1.7.0") && e.getKey().scala().equals("2.13"))
        .flatMap(e -> e.getValue().entrySet().stream())
        .filter(run -> run.getKey().equals(Jdk.own()))
        .findFirst()
        .orElseThrow()
        .getValue()
        .join();
  }

  @TestFactory
  Stream<DynamicTest> version_run_isAsTheOneDeimosIsBuiltFor() {
    return runs.entrySet().stream()
        .flatMap(
            version ->
                version.getValue().entrySet().stream()
                    .map(
                        run ->
                            DynamicTest.dynamicTest(
                                version.getKey() + " on " + run.getKey(),
                                () -> run.getValue().join().check(reference()))));
  }

  @Test
  void table_inDocs_saysWhatCameOfIt() throws IOException {
    StringBuilder table = new StringBuilder(VersionRun.head());
    for (Map<Jdk, CompletableFuture<VersionRun>> ofVersion : runs.values()) {
      table.append(
          VersionRun.lines(
              ofVersion.values().stream().map(CompletableFuture::join).toList(), reference()));
    }
    String docs = Files.readString(DOCS);
    int from = docs.indexOf(BEGIN) + BEGIN.length();
    if (Boolean.getBoolean("docs.write")) {
      docs = docs.substring(0, from) + table + docs.substring(docs.indexOf(END));
      Files.writeString(DOCS, docs);
    }
    assertThat(docs.substring(from, docs.indexOf(END))).isEqualTo(table.toString());
  }
}
