// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.starts;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OnOneJdk;
import io.deimos.it.harness.Report;
import io.deimos.it.harness.ScenarioRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The classes that {@code deimos-lean.jar} weaves at the start, and what it loads for that. */
@OnOneJdk
class LeanStartTest {
  private final Jdk jdk;

  LeanStartTest(Jdk jdk) {
    this.jdk = jdk;
  }

  @Test
  void aPekkoThatTheBuildKnows_isWovenWithoutByteBuddy() throws IOException {
    Path loaded = Layout.target().resolve("lean-classes-" + jdk + ".log");
    Report report =
        run("lean-ahead-" + jdk, b -> b.option("-Xlog:class+load:file=" + loaded + ":none"));
    assertThat(report.hooksMissing()).isEmpty();
    assertThat(report.hooksOk()).isPositive();
    assertThat(report.text()).contains("\"classes_woven_here\": 0");
    assertThat(report.text()).doesNotContain("\"classes_woven_ahead\": 0");
    List<String> classes = Files.readAllLines(loaded);
    assertThat(classes).noneMatch(line -> line.startsWith("net.bytebuddy."));
    String json = "com.fasterxml.jackson.";
    assertThat(classes).as("once the page has answered").anyMatch(line -> line.startsWith(json));
    assertThat(classes.stream().takeWhile(line -> !line.contains(".StateJson ")))
        .as("before the page answers")
        .noneMatch(line -> line.startsWith(json));
  }

  /** As if it were a Pekko that the build does not know. */
  @Test
  void aClassThatIsToBeWovenInAnotherWay_isWovenHereAndCounted() {
    String hook = "Envelope.<init>";
    Report report = run("lean-here-" + jdk, b -> b.property("deimos.internal.hooks.skip", hook));
    assertThat(report.hooksMissing()).containsExactly(hook);
    assertThat(report.text()).contains("\"classes_woven_here\": 1");
  }

  @Test
  void whatOnlyTheOpenTelemetryAgentHas_isNamedOnceEach() throws IOException {
    Path settings = Layout.target().resolve("lean-left-out-" + jdk + ".conf");
    Files.writeString(settings, "deimos.instrumentations = all");
    List<String> complaints =
        complaints(
            "lean-left-out-" + jdk,
            b ->
                b.property("config.file", settings.toString())
                    .property("otel.javaagent.extensions", "mine.jar")
                    .environment("OTEL_INSTRUMENTATION_JDBC_ENABLED", "true"));
    assertThat(complaints)
        .hasSize(3)
        .allSatisfy(line -> assertThat(line).contains("Use deimos.jar, or remove the setting"))
        .anySatisfy(line -> assertThat(line).contains("otel.javaagent.extensions=mine.jar has no"))
        .anySatisfy(line -> assertThat(line).contains("OTEL_INSTRUMENTATION_JDBC_ENABLED=true has"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("deimos.instrumentations=all (" + settings.getFileName() + ": 1)"));
  }

  /** A file of this name there is on no system. */
  @Test
  void partThatCannotBeMade_isNamedAndTheOthersGoOn() throws IOException {
    String name = "lean-no-control-" + jdk;
    Path settings = Layout.target().resolve(name + ".conf");
    Files.writeString(settings, "deimos.control.file = \"\\u0000\"");
    List<String> complaints = complaints(name, b -> b.property("config.file", settings.toString()));
    assertThat(complaints)
        .singleElement()
        .asString()
        .contains("the control file failed (", "and is off; the application runs on");
    Report report = Report.of(name);
    assertThat(report.spansRecorded()).isPositive();
    assertThat(report.spansLeft()).isZero();
  }

  /** The page has what it has where the SDK is off. */
  @Test
  void sdkThatCannotBeSetUp_isNamedOnceAndThePageGoesOn() {
    String name = "lean-no-sdk-" + jdk;
    List<String> complaints =
        complaints(name, b -> b.property("otel.exporter.otlp.certificate", "no-such.pem"));
    assertThat(complaints)
        .singleElement()
        .asString()
        .contains("OpenTelemetry's SDK could not be set up (")
        .contains(
            "no-such.pem",
            "is on the page",
            "the application runs on",
            "Correct otel.exporter.otlp.certificate, and restart");
    Report report = Report.of(name);
    assertThat(report.text()).contains("\"sdk_failed\": true");
    assertThat(report.spansRecorded()).isPositive();
    assertThat(report.spansLeft()).isZero();
    assertThat(report.hooksMissing()).isEmpty();
    assertThat(report.hooksOk()).isPositive();
  }

  @Test
  void sdkThatCannotBeSetUp_samplingIsAsTheSettingsSay() {
    String name = "lean-no-sdk-off-" + jdk;
    List<String> complaints =
        complaints(
            name,
            b ->
                b.property("otel.exporter.otlp.certificate", "no-such.pem")
                    .environment("OTEL_TRACES_SAMPLER", "always_off"));
    assertThat(complaints).hasSize(1);
    Report report = Report.of(name);
    assertThat(report.messages()).isPositive();
    assertThat(report.spansRecorded() + report.spansLeft()).isZero();
  }

  /** The SDK closes what it has made by then; that is not the end of the JVM. */
  @Test
  void sdkThatFailsAtItsLastPart_theEndHasItsReportAllTheSame() {
    String name = "lean-no-logs-" + jdk;
    List<String> complaints =
        complaints(
            name,
            b ->
                b.property("otel.logs.exporter", "otlp")
                    .property("otel.exporter.otlp.logs.certificate", "no-such.pem"));
    assertThat(complaints).singleElement().asString().contains("no-such.pem", "is on the page");
    Report report = Report.of(name);
    assertThat(report.text()).contains("\"sdk_failed\": true");
    assertThat(report.spansRecorded()).isPositive();
    assertThat(report.spansLeft()).isZero();
  }

  @Test
  void sdkThatCannotBeSetUp_withoutAPage_nothingIsRecorded() {
    String name = "lean-nothing-" + jdk;
    ScenarioRun run = withoutPage(name, b -> b);
    assertThat(run.complaints())
        .as(run.transcript())
        .singleElement()
        .asString()
        .contains("no-such.pem", "nothing is recorded");
    assertThat(run.out()).contains("@done classic-ask-timeout");
    assertThat(run.spans()).isEmpty();
    Report report = Report.of(name);
    assertThat(report.text()).contains("\"sdk_failed\": true");
    assertThat(report.messages()).as("counted").isZero();
    assertThat(report.spansRecorded() + report.spansDropped() + report.spansLeft()).isZero();
    assertThat(report.faults()).isZero();
  }

  @Test
  void sdkThatCannotBeSetUp_withoutAPageForATest_namesNoPage() {
    String name = "lean-testkit-" + jdk;
    ScenarioRun run = withoutPage(name, b -> b.property("deimos.testkit.enabled", "true"));
    assertThat(run.complaints())
        .as(run.transcript())
        .singleElement()
        .asString()
        .contains("for the test kit alone")
        .doesNotContain("page");
    assertThat(Report.of(name).spansRecorded()).isPositive();
  }

  private ScenarioRun withoutPage(String name, UnaryOperator<AgentJvm.Builder> how) {
    return ScenarioRun.run(
        jdk,
        name,
        List.of("classic-tell", "typed-ask", "classic-ask-timeout"),
        b ->
            how.apply(b.lean())
                .property("otel.exporter.otlp.certificate", "no-such.pem")
                .property("deimos.report.file", Report.file(name).toString()));
  }

  private List<String> complaints(String name, UnaryOperator<AgentJvm.Builder> how) {
    ScenarioRun run = OrderApplication.run(jdk, name, b -> how.apply(b.lean()), running -> {});
    assertThat(Report.of(name).faults()).as(run.transcript()).isZero();
    return run.complaints();
  }

  private Report run(String name, UnaryOperator<AgentJvm.Builder> how) {
    ScenarioRun run = OrderApplication.run(jdk, name, b -> how.apply(b.lean()), running -> {});
    Report report = Report.of(name);
    assertThat(report.faults()).as(run.transcript()).isZero();
    return report;
  }
}
