// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OnOneJdk;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.Report;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody delays the JVM's end, and every span is accounted for: also in a burst. */
@OnOneJdk
class EndInTimeTest {
  private static final int BURST = 100_000;

  /** Two seconds are promised; the rest is for a machine that does something else. */
  private static final Duration MOST = Duration.ofSeconds(5);

  private final Jdk jdk;

  EndInTimeTest(Jdk jdk) {
    this.jdk = jdk;
  }

  /** By either way, and with metrics under way as well. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "sdk"})
  void terminate_collectorNeverAnswers_endsInTime(String export) throws IOException {
    // Connections are taken by the system, and nobody ever reads from them.
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Report report =
          endsInTime(
              "mute-" + export,
              "steady",
              AgentJvm.on(jdk)
                  .form(export.equals("sdk"))
                  .property("deimos.tracing.export", export)
                  .property("otel.exporter.otlp.protocol", "http/protobuf")
                  .property(
                      "otel.exporter.otlp.endpoint", "http://127.0.0.1:" + mute.getLocalPort())
                  .property("otel.metric.export.interval", "1000"));
      assertThat(report.spansExported()).isZero();
      assertThat(report.spansDropped()).as(report.text()).isEqualTo(600);
    }
  }

  /** A file's SDK has a shutdown hook of its own, which would wait for the collector. */
  @Test
  void terminate_collectorOfAFileNeverAnswers_endsInTime() throws IOException {
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Path file = Layout.target().resolve("mute-" + jdk + ".yaml");
      Files.writeString(
          file,
          """
          file_format: "1.0"
          tracer_provider:
            processors:
              - batch:
                  exporter:
                    otlp_http: {endpoint: "http://127.0.0.1:${PORT}/v1/traces"}
          meter_provider:
            readers:
              - periodic:
                  interval: 1000
                  exporter:
                    otlp_http: {endpoint: "http://127.0.0.1:${PORT}/v1/metrics"}
          distribution: {deimos: {page: {enabled: no}}}
          """);
      Report report =
          endsInTime(
              "mute-file",
              "steady",
              AgentJvm.on(jdk)
                  .agent(Layout.deimos())
                  .property("otel.config.file", file.toString())
                  .environment("PORT", Integer.toString(mute.getLocalPort())));
      assertThat(report.spansExported()).isZero();
      assertThat(report.spansDropped()).as(report.text()).isEqualTo(600);
    }
  }

  @Test
  void terminate_collectorIsDown_endsInTime() {
    Report report =
        endsInTime(
            "down",
            "steady",
            AgentJvm.on(jdk)
                .eitherForm()
                .property("otel.exporter.otlp.protocol", "http/protobuf")
                .property("otel.exporter.otlp.endpoint", "http://127.0.0.1:" + Layout.freePort()));
    assertThat(report.spansDropped()).as(report.text()).isEqualTo(600);
  }

  @Test
  void terminate_actorsThatNeverStop_endsInTime() {
    Report report =
        endsInTime(
            "busy",
            "busy",
            AgentJvm.on(jdk)
                .agent(Layout.eitherForm())
                .property("deimos.page.port", "0")
                .property("otel.metrics.exporter", "none")
                .property("otel.logs.exporter", "none"));
    assertThat(report.spansRecorded()).isPositive();
  }

  /** A little work, then the end: no more than {@link #MOST} later than without the agent. */
  private Report endsInTime(String name, String scenario, AgentJvm.Builder builder) {
    Path file = Report.file(name + "-" + jdk);
    try (AgentJvm jvm =
        builder.property("deimos.report.file", file.toString()).start("end-" + name)) {
      jvm.tell("run " + scenario);
      jvm.awaitOut("that it runs", l -> l.equals("@" + scenario));
      long since = System.nanoTime();
      assertThat(jvm.stop()).as("exit code of a JVM ended by SIGTERM").isEqualTo(143);
      assertThat(Duration.ofNanos(System.nanoTime() - since))
          .as("time to the end\n%s", jvm.transcript())
          .isLessThan(MOST);
      return Report.of(file);
    }
  }

  @Test
  void burst_thatFitsTheRings_everySpanArrives() {
    Report report = burst("burst-fits", Integer.toString(1 << 17), BURST);
    assertThat(report.spansDropped()).as(report.text()).isZero();
    assertThat(report.spansExported()).isEqualTo(BURST);
  }

  @Test
  void burst_thatDoesNotFit_everySpanIsAccountedFor() {
    Report report = burst("burst-overflows", "1024", 1);
    assertThat(report.spansExported()).isPositive();
  }

  /** A burst to one actor; what is exported, and what is dropped, must be all there was. */
  private Report burst(String name, String ringCapacity, int awaited) {
    Path file = Report.file(name + "-" + jdk);
    try (OtlpReceiver receiver = OtlpReceiver.start();
        AgentJvm jvm =
            AgentJvm.on(jdk)
                .eitherForm()
                .exportTo(receiver)
                .without("otel.bsp.schedule.delay")
                .property("deimos.self-test.enabled", "false")
                .property("deimos.tracing.ring-capacity", ringCapacity)
                .property("deimos.report.file", file.toString())
                .start(name)) {
      jvm.run("burst " + BURST);
      receiver.awaitSpanCount(awaited, Duration.ofSeconds(90));
      jvm.tell("end");
      assertThat(jvm.awaitExit(Duration.ofSeconds(60))).isZero();
      Report report = Report.of(file);
      assertThat(report.messages()).isEqualTo(BURST);
      assertThat(report.spansRecorded())
          .as("what was not exported before the end is counted: %s", report.text())
          .isEqualTo(report.spansExported() + report.spansLeft() + report.spansUnfinished());
      assertThat(report.spansRecorded() + report.spansDropped() - report.spansUnfinished())
          .as("every span is accounted for: %s", report.text())
          .isEqualTo(BURST);
      // On a busy machine the JVM may end before the last answer: those spans count as unfinished.
      assertThat((long) receiver.spanCount())
          .isBetween(report.spansExported(), report.spansExported() + report.spansUnfinished());
      return report;
    }
  }
}
