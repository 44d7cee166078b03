// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnEachJdk;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.Report;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nothing is lost at the JVM's end, whichever way it ends. See {@link EndInTimeTest}. */
@OnEachJdk
class EndOfJvmTest {
  private final Jdk jdk;

  EndOfJvmTest(Jdk jdk) {
    this.jdk = jdk;
  }

  @Test
  void exit_byTheApplicationItself_exportsTheLastSpan() {
    try (OtlpReceiver receiver = OtlpReceiver.start();
        AgentJvm jvm = exportsLate(receiver).start("last-words")) {
      jvm.tell("run last-words");
      assertThat(jvm.awaitExit()).isZero();
      assertThat(receiver.spans())
          .as(jvm.transcript())
          .filteredOn(s -> "last-words".equals(s.system()))
          .hasSize(21);
    }
  }

  @Test
  @Tag("quick")
  void terminate_bySignal_exportsAndReports() {
    Report report = terminated("steady", 600);
    assertThat(report.messages()).isEqualTo(600);
    assertThat(report.actorsLive()).isGreaterThanOrEqualTo(2);
    assertThat(report.hooksMissing()).isEmpty();
  }

  @Test
  void terminate_bySignalWithWorkLeft_exportsWhatTheShutdownDoes() {
    terminated("farewell", 60);
  }

  private AgentJvm.Builder exportsLate(OtlpReceiver receiver) {
    return AgentJvm.on(jdk)
        .formByJdk()
        .exportTo(receiver)
        .property("otel.bsp.schedule.delay", "60000");
  }

  /** The report of an application that was ended by SIGTERM, and has exported all of its spans. */
  private Report terminated(String scenario, int spans) {
    Path file = Report.file(scenario + "-" + jdk);
    try (OtlpReceiver receiver = OtlpReceiver.start();
        AgentJvm jvm =
            exportsLate(receiver).property("deimos.report.file", file.toString()).start(scenario)) {
      jvm.tell("run " + scenario);
      jvm.awaitOut("that it runs", l -> l.equals("@" + scenario));
      assertThat(jvm.stop()).as("exit code of a JVM ended by SIGTERM").isEqualTo(143);
      Report report = Report.of(file);
      assertThat(receiver.spans())
          .as(report.text())
          .filteredOn(ReceivedSpan::isOurs)
          .hasSize(spans);
      assertThat(report.spansRecorded()).isEqualTo(spans);
      assertThat(report.spansExported()).isEqualTo(spans);
      assertThat(report.spansDropped()).isZero();
      return report;
    }
  }
}
