// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.libraries;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.Report;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.SpanTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Frameworks and the ways in which they load an application: whole traces, each hook that the
 * self-test tries, and no complaint. Play and Spring Boot run their samples.
 */
class FrameworksTest {
  /** The spans of the application in {@code frameworks}. */
  private static final String ORDER =
      """
      ask Order at /user/desk
        process Order at /user/desk from /temp
          process Line at /user/store
      """;

  /** The output of both runs of sbt, since what it does first is to compile its own build. */
  @TempDir private static Path ofSbt;

  /** How many orders the samples get. */
  private static final int ORDERS = 50;

  /** How often Play loads the application anew. */
  private static final int RELOADS = 3;

  @TempDir private Path directory;

  @Test
  void play_requestThroughActionActorAndDatabase_isOneTrace() {
    int port = Layout.freePort();
    ScenarioRun run =
        run(
            "play",
            jvm -> {
              jvm.awaitOut("that it listens", l -> l.contains("Listening for HTTP on "));
              place(port);
              assertThat(RunningPage.of(jvm).findings()).isEmpty();
            },
            b ->
                b.environment("ORDERS_HTTP_PORT", Integer.toString(port))
                    .classPath(List.of())
                    .runs("-jar", Layout.sample("play").toString()));
    assertThat(SpanTree.ofSystem(run.spans(), "application"))
        .as(run.transcript())
        .isEqualTo(
            """
            POST
              ask Place at /user/book
                process Place at /user/book from /temp
                  INSERT shop.orders
            """
                .repeat(ORDERS));
  }

  /** The agent is sbt's, since Play runs the application in sbt's JVM. */
  @Test
  void play_changedInDevelopment_isRecordedAfterEachReloadAndItsOldClassesGo() throws IOException {
    int port = Layout.freePort();
    Sbt sbt = Sbt.ofPlay(directory);
    List<String> orders = new ArrayList<>();
    ScenarioRun run =
        run(
            "play-dev",
            jvm -> {
              jvm.awaitOut("that it listens", l -> l.contains("Server started, use Enter"));
              orders.addAll(awaitAnswer(jvm, port, "/orders", "Order0 is placed"));
              for (int change = 1; change <= RELOADS; change++) {
                replace(sbt, "Order" + (change - 1), "Order" + change);
                orders.addAll(awaitAnswer(jvm, port, "/orders", "Order" + change + " is placed"));
              }
              // Play itself keeps one of the old ones, also without the agent
              awaitAnswer(jvm, port, "/loaders", "[12] of " + (RELOADS + 1));
            },
            b ->
                sbt.runs(
                        b.pekkoAnd("pekko-http")
                            .option("-Xmx768m")
                            .option("-XX:SoftRefLRUPolicyMSPerMB=0"),
                        "run " + port)
                    .without("pekko.version"));
    assertThat(SpanTree.ofSystem(run.spans(), "application"))
        .as(run.transcript())
        .isEqualTo(
            orders.stream()
                .map(answer -> answer.replace(" is placed", ""))
                .map(
                    order ->
                        """
                        GET
                          ask %1$s at /user/desk
                            process %1$s at /user/desk from /temp
                        """
                            .formatted(order))
                .sorted()
                .collect(Collectors.joining()));
  }

  private static void replace(Sbt sbt, String text, String by) {
    try {
      sbt.replace(text, by);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Asks until the answer is this: Play is told of changed files, and not at once.
   *
   * @param wanted a pattern for all of it
   * @return all answers
   */
  private static List<String> awaitAnswer(AgentJvm jvm, int port, String path, String wanted) {
    List<String> answers = new ArrayList<>();
    Eventually.await(
        () -> {
          String answer = ask(HttpRequest.newBuilder(uri(port, path)).GET());
          answers.add(answer);
          return answer.matches(wanted);
        },
        () -> path + " answers " + wanted + " and not " + answers + "\n" + jvm.transcript());
    return answers;
  }

  @Test
  void springBoot_requestThroughControllerActorAndDatabase_isOneTrace() {
    int port = Layout.freePort();
    int page = Layout.freePort();
    ScenarioRun run =
        run(
            "spring-boot",
            jvm -> {
              // the port is said in the application.conf inside the jar, and nowhere else
              assertThat(RunningPage.of(jvm).url()).endsWith(":" + page);
              jvm.awaitOut("that it is started", l -> l.contains("Started OrdersApplication"));
              place(port);
              assertThat(RunningPage.of(jvm).findings()).isEmpty();
            },
            b ->
                b.environment("ORDERS_HTTP_PORT", Integer.toString(port))
                    .environment("ORDERS_PAGE_PORT", Integer.toString(page))
                    .without("deimos.page.port")
                    .classPath(List.of())
                    .runs("-jar", Layout.sample("spring-boot").toString()));
    assertThat(SpanTree.ofSystem(run.spans(), "orders"))
        .as(run.transcript())
        .isEqualTo(
            """
            POST /orders/{id}
              ask Place at /user
                process Place at /user
                  INSERT shop.orders
            """
                .repeat(ORDERS));
  }

  @Test
  void twoPekkos_inTwoClassLoaders_areBothRecorded() {
    ScenarioRun run =
        run(
            "two-pekkos",
            jvm -> {
              jvm.awaitOut("the second", l -> l.equals("@ran second"));
              RunningPage.of(jvm)
                  .awaitState(
                      "that both Pekkos are tested",
                      s ->
                          s.getString("pekkoVersion")
                              .equals(Layout.pekkoVersion() + ", " + Layout.oldPekkoVersion()));
            },
            b ->
                b.classPath(List.of(Layout.applications()))
                    .pekkoAlone()
                    .runs(
                        "frameworks.Loading",
                        "two",
                        Layout.joined(Layout.scenarioClassPath()),
                        Layout.joined(
                            Layout.scenarioClassPath(Layout.target().resolve("old-pekko")))));
    assertThat(SpanTree.ofSystem(run.spans(), "first")).isEqualTo(ORDER);
    assertThat(SpanTree.ofSystem(run.spans(), "second")).isEqualTo(ORDER);
  }

  /** As in sbt, and in servers that have a library for all applications. */
  @Test
  void scala_inAClassLoaderAbovePekkos_isRecorded() {
    Path scala = Layout.scala();
    List<Path> others = new ArrayList<>(Layout.scenarioClassPath());
    others.remove(scala);
    ScenarioRun run =
        run(
            "layered",
            jvm -> jvm.awaitOut("the order", l -> l.equals("@ran layered")),
            b ->
                b.classPath(List.of(Layout.applications()))
                    .pekkoAlone()
                    .runs(
                        "frameworks.Loading", "layered", scala.toString(), Layout.joined(others)));
    assertThat(SpanTree.ofSystem(run.spans(), "layered")).isEqualTo(ORDER);
  }

  @Test
  void moduleLayer_ofNamedAndAutomaticModules_isRecordedAndCollected() throws IOException {
    List<Path> modules = ModularApplication.in(directory);
    ScenarioRun run =
        run(
            "module-layer",
            jvm -> jvm.awaitOut("the order", l -> l.equals("@ran modules")),
            b ->
                b.classPath(List.of(Layout.applications()))
                    .pekkoAlone()
                    .runs(
                        "frameworks.Loading",
                        "modules",
                        ModularApplication.NAME,
                        Layout.joined(modules)),
            jvm -> {
              jvm.end();
            });
    assertThat(SpanTree.ofSystem(run.spans(), "modules")).isEqualTo(ORDER);
    assertThat(run.out()).contains("@collected");
  }

  @Test
  void modulePath_ofNamedAndAutomaticModules_isRecorded() throws IOException {
    List<Path> modules = ModularApplication.in(directory);
    ScenarioRun run =
        run(
            "module-path",
            jvm -> jvm.awaitOut("the order", l -> l.equals("@ran path")),
            b ->
                b.classPath(List.of())
                    .pekkoAlone()
                    .runs(
                        "--module-path",
                        Layout.joined(modules),
                        "--module",
                        ModularApplication.NAME + "/frameworks.Application",
                        "path"));
    assertThat(SpanTree.ofSystem(run.spans(), "path")).isEqualTo(ORDER);
  }

  @Test
  void sbt_runTwiceInItsOwnJvm_isRecordedBothTimes() throws IOException {
    Path firstEnds = directory.resolve("first-ends");
    Path secondEnds = directory.resolve("second-ends");
    Sbt sbt = Sbt.in(ofSbt);
    ScenarioRun run =
        run(
            "sbt-in-process",
            jvm -> jvm.awaitOut("the first order", l -> l.equals("@ran first")),
            b ->
                sbt.runs(
                    b.pekkoAlone(),
                    "runMain frameworks.UntilFile first " + firstEnds,
                    "runMain frameworks.UntilFile second " + secondEnds),
            jvm -> {
              create(firstEnds);
              jvm.awaitOut("the second order", l -> l.equals("@ran second"));
              create(secondEnds);
              assertThat(jvm.awaitExit()).as(jvm.transcript()).isZero();
            });
    assertThat(SpanTree.ofSystem(run.spans(), "first")).isEqualTo(ORDER);
    assertThat(SpanTree.ofSystem(run.spans(), "second")).isEqualTo(ORDER);
  }

  @Test
  void sbt_runInAForkedJvm_isRecorded() throws IOException {
    Path ends = directory.resolve("ends");
    Sbt sbt = Sbt.in(ofSbt);
    ScenarioRun run =
        run(
            "sbt-forked",
            jvm -> jvm.awaitOut("the order", l -> l.equals("@ran forked")),
            b ->
                sbt.runs(
                    b.withoutAgents().property("agent", Layout.deimos().toString()),
                    "set run / fork := true",
                    "runMain frameworks.UntilFile forked " + ends),
            jvm -> {
              create(ends);
              assertThat(jvm.awaitExit()).as(jvm.transcript()).isZero();
            });
    assertThat(SpanTree.ofSystem(run.spans(), "forked")).isEqualTo(ORDER);
  }

  private static void create(Path file) {
    try {
      Files.createFile(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void flatClassPath_ofJarsWithoutManifests_isRecorded() throws IOException {
    Path jar = flat(Layout.scenarioClassPath());
    ScenarioRun run =
        run(
            "flat",
            jvm -> jvm.awaitOut("the order", l -> l.equals("@ran flat")),
            b -> b.classPath(List.of(jar)).pekkoAlone().runs("frameworks.Application", "flat"));
    assertThat(SpanTree.ofSystem(run.spans(), "flat")).isEqualTo(ORDER);
  }

  /** As Bazel starts a program: one jar that names all others, which have lost name and version. */
  private Path flat(List<Path> classPath) throws IOException {
    StringBuilder names = new StringBuilder();
    for (Path entry : classPath) {
      Path flat = entry;
      if (Files.isRegularFile(entry)) {
        flat = directory.resolve("lib" + names.length() + ".jar");
        Files.copy(entry, flat, StandardCopyOption.REPLACE_EXISTING);
        try (FileSystem content = FileSystems.newFileSystem(flat)) {
          Files.deleteIfExists(content.getPath("META-INF/MANIFEST.MF"));
        }
      }
      names.append(flat.toUri()).append(' ');
    }
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, names.toString().strip());
    Path jar = directory.resolve("classpath.jar");
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return jar;
  }

  /**
   * Runs a program until {@code used} has seen all it wants and the self-test is over, and checks
   * what holds for all.
   */
  private static ScenarioRun run(
      String name, Consumer<AgentJvm> used, UnaryOperator<AgentJvm.Builder> how) {
    return run(name, used, how, AgentJvm::stop);
  }

  private static ScenarioRun run(
      String name,
      Consumer<AgentJvm> used,
      UnaryOperator<AgentJvm.Builder> how,
      Consumer<AgentJvm> end) {
    ScenarioRun run =
        ScenarioRun.run(
            Jdk.own(),
            name,
            List.of(),
            b ->
                how.apply(b.deimos().property("deimos.page.port", "0"))
                    .property("deimos.page.enabled", "true")
                    .property("deimos.report.file", Report.file(name).toString()),
            jvm -> {
              used.accept(jvm);
              RunningPage.of(jvm)
                  .awaitState(
                      "the end of the self-test",
                      s -> !s.getString("hooks.state").equals("pending"));
              end.accept(jvm);
            });
    assertThat(run.complaints()).as(run.transcript()).isEmpty();
    Report report = Report.of(name);
    assertThat(report.faults()).as(run.transcript()).isZero();
    assertThat(report.hooksMissing()).as(run.transcript()).isEmpty();
    assertThat(report.hooksOk()).as(run.transcript()).isPositive();
    return run;
  }

  private static void place(int port) {
    for (int i = 1; i <= ORDERS; i++) {
      assertThat(
              ask(
                  HttpRequest.newBuilder(uri(port, "/orders/" + i))
                      .POST(HttpRequest.BodyPublishers.noBody())))
          .isEqualTo("placed " + i);
    }
  }

  private static URI uri(int port, String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  private static String ask(HttpRequest.Builder request) {
    try {
      return HttpClient.newHttpClient()
          .send(request.timeout(Eventually.DEADLINE).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new AssertionError("no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
