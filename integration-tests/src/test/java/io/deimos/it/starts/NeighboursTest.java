// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.starts;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.Peers;
import io.deimos.it.harness.Report;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.SpanTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Other agents in the JVM, before Deimos and after it: the whole trace, every hook, no complaint,
 * unless it says otherwise. {@code docs/how-to/neighbours.md} has them.
 */
class NeighboursTest {
  private static final String ORDER =
      """
      ask Order at /user/desk
        process Order at /user/desk from /temp
          process Line at /user/store
      """;

  @TempDir private Path directory;

  @Test
  void datadog_beforeUs_isNoObstacle() {
    check("datadog-first", b -> datadog(b).deimos());
  }

  @Test
  void datadog_afterUs_isNoObstacle() {
    check("datadog-last", b -> datadog(b.deimos()));
  }

  @Test
  void datadog_besideTheLeanForm_isNoObstacle() {
    check("datadog-lean", b -> datadog(b.lean()));
  }

  @Test
  void lean_alone_recordsAllAndFindsEachHook() {
    check("lean-alone", AgentJvm.Builder::lean);
  }

  /**
   * Kamon's bundle changes the HTTP client inside our agent, which then has no classes of Kanela's.
   */
  @Test
  void kanela_beforeUs_leavesUsOffAndTheApplicationRunning() {
    try (AgentJvm jvm =
        kamon(AgentJvm.on(Jdk.own()))
            .deimos()
            .property("otel.exporter.otlp.endpoint", "http://127.0.0.1:1")
            .runs("frameworks.Application", "order")
            .start("kanela-first")) {
      jvm.awaitOut("the order", l -> l.equals("@ran order"));
      jvm.awaitErr("why we are off", l -> l.contains("OpenTelemetry Javaagent failed to start"));
      jvm.awaitErr("what that means", l -> l.contains("inside deimos.jar could not start"));
      jvm.end();
    }
  }

  @Test
  void kanela_afterUs_isNoObstacle() {
    check("kanela-last", b -> kamon(b.deimos()));
  }

  /**
   * Kamon, initialised, with all that it weaves into a cluster. Its part of a shard asks the
   * shard's context, and the self-test's shard had none.
   */
  @Test
  void kamonsBundle_inACluster_takesNoHookAway() {
    ScenarioRun run =
        ScenarioRun.run(
            Jdk.own(),
            "kamon-cluster",
            List.of("baggage-sharding"),
            b ->
                Peers.kamon(b.deimos(), Layout.wholeClassPath())
                    .pekkoAlone()
                    .page()
                    .property("deimos.report.file", Report.file("kamon-cluster").toString()),
            jvm -> {
              jvm.tell("run steady");
              RunningPage.of(jvm)
                  .awaitState(
                      "the end of the self-test",
                      s -> !s.getString("hooks.state").equals("pending"));
              jvm.stop();
            });
    assertThat(run.out()).as(run.transcript()).contains("@tool Kamon");
    String answered =
        """
        process Event at /user/noting
          process Ping at /system/sharding/classic/0/entity from /user/noting
            process Done at /user/noting from /system/sharding/classic/0/entity
        """;
    run.assertTraces("baggage-sharding", answered + answered);
    assertUndisturbed("kamon-cluster", run);
    assertThat(run.complaints()).as(run.transcript()).isEmpty();
  }

  @Test
  void flightRecorder_andJmx_areNoObstacle() {
    Path recording = directory.resolve("recording.jfr");
    check(
        "jfr",
        b ->
            b.deimos()
                .option("-XX:StartFlightRecording:filename=" + recording + ",settings=profile")
                .property("com.sun.management.jmxremote.port", Integer.toString(Layout.freePort()))
                .property("com.sun.management.jmxremote.host", "127.0.0.1")
                .property("com.sun.management.jmxremote.authenticate", "false")
                .property("com.sun.management.jmxremote.ssl", "false"));
    assertThat(recording).satisfies(file -> assertThat(Files.size(file)).isPositive());
  }

  @Test
  void asyncProfiler_isNoObstacle() throws IOException {
    Path profile = directory.resolve("profile.collapsed");
    check(
        "async-profiler",
        b ->
            b.deimos()
                .option(
                    "-agentpath:"
                        + asyncProfiler()
                        + "=start,event=itimer,interval=1ms,collapsed,file="
                        + profile));
    assertThat(Files.readString(profile)).contains("org/apache/pekko/actor/ActorCell.invoke");
  }

  /** Its library for this machine, out of its jar. */
  private Path asyncProfiler() {
    String place = System.getProperty("os.arch").equals("aarch64") ? "linux-arm64" : "linux-x64";
    Path library = directory.resolve("libasyncProfiler.so");
    try (FileSystem jar =
        FileSystems.newFileSystem(Layout.target().resolve("agents/async-profiler.jar"))) {
      return Files.copy(
          jar.getPath(place, "libasyncProfiler.so"), library, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static AgentJvm.Builder datadog(AgentJvm.Builder builder) {
    return builder
        .agent(Layout.target().resolve("agents/dd-java-agent.jar"))
        .property("dd.trace.agent.url", "http://127.0.0.1:1")
        .property("dd.instrumentation.telemetry.enabled", "false")
        .property("dd.remote_config.enabled", "false")
        .property("dd.jmxfetch.enabled", "false");
  }

  private static AgentJvm.Builder kamon(AgentJvm.Builder builder) {
    return Peers.kamon(builder, Layout.scenarioClassPath());
  }

  private static void check(String name, UnaryOperator<AgentJvm.Builder> agents) {
    ScenarioRun run = OrderApplication.run(Jdk.own(), name, agents, running -> {});
    assertThat(SpanTree.ofSystem(run.spans(), "order")).as(run.transcript()).isEqualTo(ORDER);
    assertThat(run.complaints()).as(run.transcript()).isEmpty();
    assertUndisturbed(name, run);
  }

  private static void assertUndisturbed(String name, ScenarioRun run) {
    Report report = Report.of(name);
    assertThat(report.faults()).as(run.transcript()).isZero();
    assertThat(report.hooksMissing()).as(run.transcript()).isEmpty();
    assertThat(report.hooksOk()).isPositive();
  }
}
