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
        AgentJvm jvm =
            AgentJvm.on(jdk)
                .formByJdk()
                .exportTo(receiver)
                .property("otel.bsp.schedule.delay", "60000")
                .start("last-words")) {
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
    Path file = Report.file("steady-" + jdk);
    try (OtlpReceiver receiver = OtlpReceiver.start();
        AgentJvm jvm =
            AgentJvm.on(jdk)
                .formByJdk()
                .exportTo(receiver)
                .property("otel.bsp.schedule.delay", "60000")
                .property("deimos.report.file", file.toString())
                .start("steady")) {
      jvm.tell("run steady");
      jvm.awaitOut("that it runs", l -> l.equals("@steady"));
      assertThat(jvm.stop()).as("exit code of a JVM ended by SIGTERM").isEqualTo(143);
      assertThat(receiver.spans()).filteredOn(ReceivedSpan::isOurs).hasSize(600);
      Report report = Report.of(file);
      assertThat(report.messages()).isEqualTo(600);
      assertThat(report.spansRecorded()).isEqualTo(600);
      assertThat(report.spansExported()).isEqualTo(600);
      assertThat(report.spansDropped()).isZero();
      assertThat(report.actorsLive()).isGreaterThanOrEqualTo(2);
      assertThat(report.hooksMissing()).isEmpty();
    }
  }

  @Test
  void terminate_bySignalWithWorkLeft_exportsWhatTheShutdownDoes() {
    Path file = Report.file("farewell-" + jdk);
    try (OtlpReceiver receiver = OtlpReceiver.start();
        AgentJvm jvm =
            AgentJvm.on(jdk)
                .formByJdk()
                .exportTo(receiver)
                .property("otel.bsp.schedule.delay", "60000")
                .property("deimos.report.file", file.toString())
                .start("farewell")) {
      jvm.tell("run farewell");
      jvm.awaitOut("that it runs", l -> l.equals("@farewell"));
      assertThat(jvm.stop()).as("exit code of a JVM ended by SIGTERM").isEqualTo(143);
      Report report = Report.of(file);
      assertThat(receiver.spans()).as(report.text()).filteredOn(ReceivedSpan::isOurs).hasSize(60);
      assertThat(report.spansRecorded()).isEqualTo(60);
      assertThat(report.spansExported()).isEqualTo(60);
      assertThat(report.spansDropped()).isZero();
    }
  }
}
