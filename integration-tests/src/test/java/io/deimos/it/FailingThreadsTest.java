// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All threads of the agent fail each time they do anything, or stop for ten seconds: the
 * application does what it does without the agent, and ends as it does then.
 */
class FailingThreadsTest {
  private static final List<String> PARTS = List.of("history", "history-asks", "history-timers");

  /** What each thread does again and again, and what happens at the end. */
  private static final List<String> INSIDE =
      List.of(
          "Drainer.drainOnce",
          "GaugeReaders.readOnce",
          "RunReport.live",
          "ControlFile.look",
          "FastClock.run",
          "TraceStore.accept",
          "SelfTestLauncher.run",
          "SpanPath.drainLast");

  /** Two seconds are promised; the rest is for a machine that does something else. */
  private static final Duration MOST = Duration.ofSeconds(6);

  @ParameterizedTest
  @ValueSource(strings = {"error", "memory", "sleep"})
  void threads_thatFail_changeNothing(String how) throws IOException {
    List<String> without = histories(AgentJvm.on(Jdk.own()), "threads-well");
    Path control = Layout.target().resolve("failing-threads.conf");
    Files.writeString(control, "deimos.tracing.asks = true\n");
    Path report = Report.file("failing-threads-" + how);
    AgentJvm.Builder failing =
        AgentJvm.on(Jdk.own())
            .option(FailingAgent.option())
            .deimos()
            .property("otel.traces.exporter", "none")
            .property("otel.metrics.exporter", "none")
            .property("deimos.page.enabled", "true")
            .property("deimos.page.port", "0")
            .property("deimos.control.file", control.toString())
            .property("deimos.report.file", report.toString())
            .property("faults.inside", String.join(",", INSIDE))
            .property("faults.places", String.join(",", INSIDE))
            .property("faults.how", how);
    try (AgentJvm jvm = failing.start("threads-" + how)) {
      assertThat(histories(jvm)).isEqualTo(without);
      jvm.tell("run faults-arm Nowhere.at-all:error");
      assertThat(jvm.awaitOut("how often", l -> l.startsWith("@fired "))).isNotEqualTo("@fired 0");
      jvm.tell("run faults-arm SpanPath.drainLast:" + how);
      jvm.awaitOut("that it is armed", l -> l.equals("@done faults-arm"));
      jvm.tell("end");
      jvm.awaitOut("that it ends", l -> l.equals("@ending"));
      long since = System.nanoTime();
      assertThat(jvm.awaitExit()).isZero();
      assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(MOST);
      List<String> told =
          jvm.err().stream().filter(l -> l.contains("a failure of Deimos itself")).toList();
      assertThat(told).doesNotHaveDuplicates();
      if (!how.equals("sleep")) {
        assertThat(told).as(jvm.transcript()).anyMatch(l -> l.contains("Drainer.drainOnce"));
        assertThat(told).anyMatch(l -> l.contains("SpanPath.drainLast"));
        assertThat(ConfigFactory.parseFile(report.toFile()).getLong("faults"))
            .isGreaterThan(told.size());
      }
    }
  }

  private static List<String> histories(AgentJvm.Builder builder, String name) {
    try (AgentJvm jvm = builder.start(name)) {
      List<String> histories = histories(jvm);
      jvm.tell("end");
      assertThat(jvm.awaitExit()).isZero();
      return histories;
    }
  }

  private static List<String> histories(AgentJvm jvm) {
    PARTS.forEach(part -> jvm.tell("run " + part));
    String last = PARTS.get(PARTS.size() - 1);
    jvm.awaitOut("the end", l -> l.equals("@done " + last) || l.startsWith("@failed "));
    return jvm.out().stream()
        .filter(l -> l.startsWith("@history ") || l.startsWith("@failed "))
        .toList();
  }
}
