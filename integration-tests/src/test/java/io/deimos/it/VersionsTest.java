// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * One application with each Pekko of {@code integration-tests/versions}: its traces are those of
 * the Pekko that Deimos is built for, every hook fires, nothing is complained of, and the transport
 * engages. The table in {@code docs/versions.md} says what came of it; {@code -Ddocs.write=true}
 * writes it.
 */
@Tag("long")
class VersionsTest {
  private static final Path DOCS = Layout.root().resolve("docs/versions.md");
  private static final String BEGIN = "<!-- versions: made of the runs of VersionsTest -->\n";
  private static final String END = "<!-- end of versions -->\n";

  /** JVMs at once. */
  private static final int AT_ONCE = 2;

  private static ExecutorService starter;
  private static Map<PekkoVersion, CompletableFuture<VersionRun>> runs;

  @BeforeAll
  static void start() {
    starter = Executors.newFixedThreadPool(AT_ONCE);
    runs =
        PekkoVersion.all().stream()
            .collect(
                Collectors.toMap(
                    Function.identity(),
                    v -> CompletableFuture.supplyAsync(() -> VersionRun.of(v), starter),
                    (a, b) -> a,
                    LinkedHashMap::new));
  }

  @AfterAll
  static void end() {
    starter.shutdownNow();
  }

  private static VersionRun reference() {
    return runs.entrySet().stream()
        .filter(e -> e.getKey().pekko().equals("1.7.0") && e.getKey().scala().equals("2.13"))
        .findFirst()
        .orElseThrow()
        .getValue()
        .join();
  }

  @TestFactory
  Stream<DynamicTest> version_run_isAsTheOneDeimosIsBuiltFor() {
    return runs.entrySet().stream()
        .map(
            e ->
                DynamicTest.dynamicTest(
                    e.getKey().toString(), () -> e.getValue().join().check(reference())));
  }

  @Test
  void table_inDocs_saysWhatCameOfIt() throws IOException {
    StringBuilder table = new StringBuilder(VersionRun.head());
    runs.values().forEach(run -> table.append(run.join().line(reference())));
    String docs = Files.readString(DOCS);
    int from = docs.indexOf(BEGIN) + BEGIN.length();
    if (Boolean.getBoolean("docs.write")) {
      docs = docs.substring(0, from) + table + docs.substring(docs.indexOf(END));
      Files.writeString(DOCS, docs);
    }
    assertThat(docs.substring(from, docs.indexOf(END))).isEqualTo(table.toString());
  }
}
