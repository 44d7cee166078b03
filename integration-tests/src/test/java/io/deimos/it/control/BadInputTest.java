// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.FailingExtension;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An unusable value is named in one message, with key, value and way out; the application runs on
 * and prints what it prints without the agent.
 */
class BadInputTest {
  private static List<String> unwatched = List.of();

  @BeforeAll
  static void runWithoutTheAgent() {
    unwatched = run("bad-none", b -> b).output();
    assertThat(unwatched).hasSizeGreaterThan(250);
  }

  @Test
  void unknownSetting_isNamedOnce() {
    Outcome outcome = run("bad-unknown", b -> either(b).property("deimos.tracing.enable", "true"));
    outcome.says("deimos.tracing.enable:", "did you mean deimos.tracing.enabled");
  }

  @Test
  void wrongValues_areNamedOnceEach() {
    Outcome outcome =
        run(
            "bad-values",
            b ->
                watched(b)
                    .property("deimos.tracing.ring-capacity", "1000")
                    .environment("DEIMOS_METRICS_ENABLED", "maybe"));
    assertThat(outcome.messages()).hasSize(2);
    assertThat(outcome.messages())
        .anySatisfy(
            m ->
                assertThat(m)
                    .contains("deimos.tracing.ring-capacity=1000", "power of two", "using 8192"))
        .anySatisfy(
            m ->
                assertThat(m)
                    .contains("DEIMOS_METRICS_ENABLED=maybe", "true or false", "using true"));
  }

  @Test
  void portInUse_isNamedOnce() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      Thread stranger = new Thread(() -> closeAll(taken));
      stranger.start();
      Outcome outcome = run("bad-port", b -> watched(b).property("deimos.page.port", port));
      outcome.says("deimos.page.port", port, "in use", "set deimos.page.port to a free port");
    }
  }

  @Test
  void portOfAMuteProgram_isNamedOnceHoweverShortTheRunIs() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      Outcome outcome = run("bad-mute", b -> either(b).property("deimos.page.port", port));
      outcome.says("deimos.page.port", port, "in use", "set deimos.page.port to a free port");
    }
  }

  /** Every client is sent away, so that nobody waits for an answer. */
  private static void closeAll(ServerSocket taken) {
    try {
      while (true) {
        taken.accept().close();
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  @Test
  void settingsThatContradict_areNamedOnceEach() {
    Outcome outcome =
        run(
            "bad-together",
            b ->
                either(b)
                    .property("deimos.tracing.enabled", "false")
                    .property("deimos.tracing.tail.enabled", "true")
                    .property("deimos.messages.never", "a.B,a.C")
                    .property("deimos.messages.always", "a.C"));
    assertThat(outcome.messages())
        .containsExactlyInAnyOrder(
            "deimos: deimos.messages.never and deimos.messages.always both name a.C; they get none,"
                + " since never goes before. Take it out of one of them",
            "deimos: deimos.tracing.tail.enabled=true has no effect with"
                + " deimos.tracing.enabled=false, since there are no traces to choose from; switch"
                + " that on, or take this away");
  }

  @Test
  void unreachableEndpoint_isNamedOnce() {
    String endpoint = "http://127.0.0.1:" + Layout.freePort();
    Outcome outcome =
        run(
            "bad-endpoint",
            b ->
                watched(b)
                    .property("otel.exporter.otlp.endpoint", endpoint)
                    .property("otel.metrics.exporter", "none")
                    .property("otel.bsp.schedule.delay", "50"));
    // One line when it fails, and one at the end that says how much was left.
    assertThat(outcome.messages())
        .hasSizeBetween(1, 2)
        .doesNotHaveDuplicates()
        .allSatisfy(line -> assertThat(line).contains(endpoint, "otel.exporter.otlp.endpoint"));
    assertThat(outcome.err()).noneMatch(l -> l.startsWith("\tat ") || l.contains("Exception"));
  }

  @Test
  void settingsOfOpenTelemetryThatItThrowsAt_areNamedOnceEachAndThePageRuns() {
    Outcome outcome =
        run(
            "bad-otel",
            b ->
                watched(b)
                    .environment("OTEL_TRACES_EXPORTER", "jaeger")
                    .environment("OTEL_TRACES_SAMPLER", "half")
                    .property("otel.metrics.exporter", "otlp")
                    .property("otel.exporter.otlp.endpoint", "localhost:4318")
                    .property("otel.propagators", "zipkin"));
    assertThat(outcome.messages()).hasSize(4);
    for (String named :
        List.of(
            "otel.traces.exporter=jaeger",
            "otel.traces.sampler=half",
            "otel.exporter.otlp.endpoint=localhost:4318",
            "otel.propagators=zipkin")) {
      assertThat(outcome.messages()).filteredOn(m -> m.contains(named)).hasSize(1);
    }
    assertThat(outcome.pages()).hasSize(1);
    assertThat(outcome.err()).noneMatch(l -> l.contains("failed to start"));
    assertThat(outcome.err()).noneMatch(l -> l.startsWith("\tat "));
  }

  /** One that is not looked at before. */
  @Test
  void settingThatTheSdkFailsAt_leavesAllOffInOneLine() {
    Outcome outcome = run("bad-sdk", b -> failingSdk(watched(b)));
    outcome.says("inside deimos.jar could not start", "nothing is recorded", "runs on");
    assertThat(outcome.err()).anyMatch(l -> l.contains("no-such.pem"));
    assertThat(outcome.pages()).isEmpty();
  }

  /** Pekko is woven by then, and nobody reads what would be recorded. */
  @Test
  void extensionThatFailsAfterTheWeaving_leavesAllOffInOneLine(@TempDir Path directory)
      throws IOException {
    Path extension = FailingExtension.make(directory);
    Outcome outcome =
        run(
            "bad-listener",
            b ->
                watched(b)
                    .property("otel.javaagent.extensions", extension.toString())
                    .property("deimos.tracing.lifecycle", "true")
                    .property("deimos.self-test.enabled", "false"));
    outcome.says("inside deimos.jar could not start", "nothing is recorded", "runs on");
    assertThat(outcome.err()).anyMatch(l -> l.contains("no-such.conf")).contains("waiting=0");
    assertThat(outcome.pages()).isEmpty();
  }

  @Test
  void settingThatTheSdkOfTheStockAgentFailsAt_leavesTheExtensionOff() {
    Outcome outcome =
        run(
            "bad-sdk-extension",
            b ->
                failingSdk(b)
                    .agent(Layout.upstreamAgent())
                    .property("otel.javaagent.extensions", Layout.extension().toString()));
    assertThat(outcome.messages()).isEmpty();
    assertThat(outcome.err()).anyMatch(l -> l.contains("no-such.pem"));
    assertThat(outcome.pages()).isEmpty();
  }

  private static AgentJvm.Builder failingSdk(AgentJvm.Builder builder) {
    return builder
        .property("otel.exporter.otlp.endpoint", "http://127.0.0.1:1")
        .property("otel.exporter.otlp.certificate", "no-such.pem");
  }

  @Test
  void wrongSettingsInAConfigurationFile_areNamedOnceEachWithTheirLines() throws IOException {
    Path file =
        yaml(
            "bad-section",
            """
            file_format: "1.0"
            distribution:
              deimos:
                page:
                  prot: 1
                  port: 0
                stuck.threshold: 10
                tracing:
                  ring_capacity: many
            """);
    Outcome outcome =
        run(
            "bad-section",
            b -> b.agent(Layout.deimos()).property("otel.config.file", file.toString()));
    assertThat(outcome.messages())
        .containsExactlyInAnyOrder(
            "deimos: deimos.page.prot (bad-section.yaml: 5): there is no such setting; did you mean"
                + " deimos.page.port?",
            "deimos: deimos.stuck.threshold=10 (bad-section.yaml: 7): a duration needs a unit;"
                + " write 10s or 10ms; using 10s",
            "deimos: deimos.tracing.ring_capacity=many (bad-section.yaml: 9) is not a power of two"
                + " in [64, 1048576]; using 8192");
    assertThat(outcome.pages()).singleElement().asString().doesNotContain(":9797");
  }

  @Test
  void configurationFileThatIsNoYaml_isNamedOnceAndThePageRuns() throws IOException {
    Path file = yaml("bad-yaml", "file_format: \"1.0\"\ntracer_provider: [\n");
    Outcome outcome =
        run("bad-yaml", b -> watched(b).property("otel.config.file", file.toString()));
    assertThat(outcome.messages())
        .singleElement()
        .asString()
        .startsWith("deimos: otel.config.file=" + file + " cannot be used: line 3: ")
        .endsWith(
            ". Correct it and restart; until then it counts as not given, and OTEL_* settings and"
                + " defaults hold");
    assertRunsWithoutTheFile(outcome);
  }

  @Test
  void configurationFileThatTheSdkThrowsAt_isNamedOnceAndOurSectionHolds() throws IOException {
    Path file =
        yaml(
            "bad-exporter",
            """
            file_format: "1.0"
            tracer_provider:
              processors:
                - batch:
                    exporter:
                      otlp:
            distribution: {deimos: {page: {port: 0}}}
            """);
    Outcome outcome =
        run(
            "bad-exporter",
            b -> b.agent(Layout.deimos()).environment("OTEL_CONFIG_FILE", file.toString()));
    outcome.says("the exporter otlp (bad-exporter.yaml: 6) is none that there is", "otlp_http");
    assertRunsWithoutTheFile(outcome);
    assertThat(outcome.pages().get(0)).doesNotContain(":9797");
  }

  private static void assertRunsWithoutTheFile(Outcome outcome) {
    assertThat(outcome.pages()).hasSize(1);
    assertThat(outcome.err()).noneMatch(l -> l.contains("failed to start"));
    assertThat(outcome.err()).noneMatch(l -> l.startsWith("\tat "));
  }

  private static Path yaml(String name, String text) throws IOException {
    return Files.writeString(Layout.target().resolve(name + ".yaml"), text);
  }

  @Test
  void optionsOfTheAgent_areSettings() {
    Outcome outcome =
        run(
            "bad-options",
            b -> b.agent(Layout.deimos(), "page.port=0,stuck.threshold=10,messages.never=a.[,b"));
    assertThat(outcome.messages()).hasSize(2);
    assertThat(outcome.messages())
        .anySatisfy(m -> assertThat(m).contains("deimos.stuck.threshold=10", "10s or 10ms"))
        .anySatisfy(m -> assertThat(m).contains("deimos.messages.never=a.[,b", "\"a.[\""));
    assertThat(outcome.pages()).singleElement().asString().doesNotContain(":9797");
  }

  @Test
  void agentGivenTwice_isNamedOnce() {
    Outcome outcome = run("bad-twice", b -> watched(b).agent(Layout.deimos()));
    outcome.says("given twice", "Take one -javaagent away");
  }

  @Test
  void extensionAsAgent_isNamedOnce() {
    Outcome outcome = run("bad-extension-as-agent", b -> b.agent(Layout.extension()));
    outcome.says("deimos-extension.jar, which is an extension", "Use -javaagent:deimos.jar");
  }

  @Test
  void stockAgentBeforeOurs_isNamedOnce() {
    Outcome outcome =
        run(
            "bad-two-agents",
            b ->
                watched(b.agent(Layout.upstreamAgent()))
                    .property("otel.traces.exporter", "none")
                    .property("otel.metrics.exporter", "none"));
    outcome.says("another OpenTelemetry agent", "deimos-extension.jar");
  }

  @Test
  void stockAgentBeforeTheLeanForm_isNamedOnce() {
    Outcome outcome =
        run(
            "bad-two-agents-lean",
            b ->
                b.agent(Layout.upstreamAgent())
                    .agent(Layout.lean())
                    .property("otel.traces.exporter", "none")
                    .property("otel.metrics.exporter", "none"));
    outcome.says("another OpenTelemetry agent", "deimos-lean.jar", "deimos-extension.jar");
  }

  @Test
  void stockAgentAfterTheLeanForm_isNamedOnce() {
    Outcome outcome =
        run(
            "bad-lean-first",
            b ->
                b.agent(Layout.lean())
                    .agent(Layout.upstreamAgent())
                    .property("deimos.page.port", "0"));
    outcome.says("opentelemetry-javaagent.jar", "deimos-lean.jar", "only the first");
    assertThat(outcome.pages()).hasSize(1);
  }

  @Test
  void olderPekko_worksOrIsNamedOnce() {
    // A scenario that needs nothing that Pekko did not have then.
    String scenario = "many-begins";
    Outcome without = run("old-pekko-none", scenario, b -> b.classPath(oldPekko()), List.of());
    Outcome outcome =
        run("old-pekko", scenario, b -> watched(b).classPath(oldPekko()), without.output());
    assertThat(outcome.messages()).hasSizeLessThanOrEqualTo(1);
    assertThat(outcome.messages())
        .allSatisfy(m -> assertThat(m).containsIgnoringCase("pekko").contains("version"));
  }

  /** With the agent as it is by default, but for the page's port. */
  private static AgentJvm.Builder watched(AgentJvm.Builder builder) {
    return builder.agent(Layout.deimos()).property("deimos.page.port", "0");
  }

  /** The same, in whichever form: for settings that both read alike. */
  private static AgentJvm.Builder either(AgentJvm.Builder builder) {
    return builder.agent(Layout.eitherForm()).property("deimos.page.port", "0");
  }

  private static List<Path> oldPekko() {
    return Layout.scenarioClassPath(Layout.target().resolve("old-pekko"));
  }

  /** The output of an application, and what Deimos said beside it. */
  private record Outcome(List<String> output, List<String> messages, List<String> err) {
    /** One message, with all of these. */
    void says(String... parts) {
      assertThat(messages).singleElement().asString().contains(parts);
    }

    List<String> pages() {
      return err.stream().filter(l -> l.startsWith("deimos: page at ")).toList();
    }
  }

  private static Outcome run(String name, UnaryOperator<AgentJvm.Builder> how) {
    return run(name, "history", how, unwatched);
  }

  private static Outcome run(
      String name, String scenario, UnaryOperator<AgentJvm.Builder> how, List<String> expected) {
    try (AgentJvm jvm = how.apply(AgentJvm.on(Jdk.own())).start(name)) {
      jvm.tell("run " + scenario).tell("end");
      assertThat(jvm.awaitExit()).as(jvm.transcript()).isZero();
      // Log lines carry times and trace ids, and the last of them may be lost at the end.
      List<String> output =
          jvm.out().stream().filter(l -> l.startsWith("@") && !l.startsWith("@log")).toList();
      assertThat(output).contains("@done " + scenario);
      if (!expected.isEmpty()) {
        assertThat(output).as(jvm.transcript()).isEqualTo(expected);
      }
      return new Outcome(output, jvm.complaints(), jvm.err());
    }
  }
}
