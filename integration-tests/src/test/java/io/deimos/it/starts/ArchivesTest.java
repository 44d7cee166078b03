// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.starts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.SpanTree;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Archives of classes and AOT caches that were made without the agent, and are used with it: what
 * {@code docs/how-to/cds.md} says of them.
 */
class ArchivesTest {
  private static final String ORDER =
      """
      ask Order at /user/desk
        process Order at /user/desk from /temp
          process Line at /user/store
      """;

  @TempDir private Path directory;

  @Test
  void sharedArchive_madeWithoutTheAgent_changesNothing() throws IOException {
    Path archive = directory.resolve("application.jsa");
    make(Jdk.own(), b -> b.option("-XX:ArchiveClassesAtExit=" + archive));
    assertThat(archive).isNotEmptyFile();
    ScenarioRun run = use(Jdk.own(), "jsa", b -> b.option("-XX:SharedArchiveFile=" + archive));
    assertThat(SpanTree.ofSystem(run.spans(), "order")).as(run.transcript()).isEqualTo(ORDER);
    assertThat(run.complaints()).as(run.transcript()).isEmpty();
  }

  @Test
  void aotCache_madeWithoutTheAgent_changesNothing() throws IOException {
    Jdk jdk = newest();
    Path cache = directory.resolve("application.aot");
    make(jdk, b -> b.option("-XX:AOTCacheOutput=" + cache));
    assertThat(cache).isNotEmptyFile();
    ScenarioRun run = use(jdk, "aot", b -> b.option("-XX:AOTCache=" + cache));
    assertThat(SpanTree.ofSystem(run.spans(), "order")).as(run.transcript()).isEqualTo(ORDER);
    assertThat(run.complaints()).as(run.transcript()).isEmpty();
  }

  /** The cache brings Pekko's classes into the JVM before the agent is there. */
  @Test
  void aotCache_thatTheJvmAcceptsWithTheAgent_isSaidToLeaveNothingToRecord() throws IOException {
    Jdk jdk = newest();
    Path cache = directory.resolve("application.aot");
    make(jdk, b -> b.option("-XX:AOTCacheOutput=" + cache).option("--add-modules=java.instrument"));
    ScenarioRun run = use(jdk, "aot-instrument", b -> b.option("-XX:AOTCache=" + cache));
    assertThat(run.err())
        .as(run.transcript())
        .filteredOn(AgentJvm::isComplaint)
        .singleElement()
        .asString()
        .contains("was loaded before the agent, so Deimos records nothing");
  }

  private static Jdk newest() {
    Optional<Jdk> newest = Jdk.all().stream().filter(jdk -> jdk.feature() >= 25).findFirst();
    assumeTrue(newest.isPresent(), "there is a JDK with AOT caches");
    return newest.get();
  }

  private void make(Jdk jdk, UnaryOperator<AgentJvm.Builder> how) throws IOException {
    AgentJvm.Builder builder =
        how.apply(AgentJvm.on(jdk).classPath(jars()).runs("frameworks.Application", "order"));
    try (AgentJvm jvm = builder.start("archive")) {
      jvm.awaitOut("the order", l -> l.equals("@ran order"));
      jvm.end();
    }
  }

  private ScenarioRun use(Jdk jdk, String name, UnaryOperator<AgentJvm.Builder> how)
      throws IOException {
    List<Path> jars = jars();
    return ScenarioRun.run(
        jdk,
        name,
        List.of(),
        b ->
            how.apply(b.deimos())
                .classPath(jars)
                .pekkoAlone()
                .runs("frameworks.Application", "order"),
        jvm -> {
          jvm.awaitOut("the order", l -> l.equals("@ran order"));
          jvm.end();
        });
  }

  /** No directories, which archives know nothing of. */
  private List<Path> jars() throws IOException {
    Path jar = directory.resolve("application.jar");
    if (!Files.exists(jar)) {
      try (FileSystem content =
              FileSystems.newFileSystem(
                  URI.create("jar:" + jar.toUri()), Map.of("create", "true"));
          Stream<Path> classes = Files.list(Layout.applications().resolve("frameworks"))) {
        Path to = Files.createDirectory(content.getPath("frameworks"));
        for (Path file : classes.toList()) {
          Files.copy(file, to.resolve(file.getFileName().toString()));
        }
      }
    }
    Stream<Path> libraries =
        Layout.scenarioClassPath().stream().filter(path -> path.toString().endsWith(".jar"));
    return Stream.concat(Stream.of(jar), libraries).toList();
  }
}
