// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.Report;
import io.deimos.it.harness.RunningPage;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tail sampling with room for a thousand spans and nothing to keep: the oldest has to go. */
class TailFullTest {
  private static final int ROOM = 1000;

  @Test
  void oldestTraces_areLetGoEarlyAndCounted() {
    java.nio.file.Path file = Report.file("tail-full");
    try (OtlpReceiver receiver = OtlpReceiver.start();
        AgentJvm jvm =
            AgentJvm.on(Jdk.own())
                .eitherForm()
                .exportTo(receiver)
                .metricsEvery(Duration.ofMillis(200))
                .page()
                .property("deimos.report.file", file.toString())
                .property("deimos.tracing.tail.enabled", "true")
                .property("deimos.tracing.tail.keep", "0")
                .property("deimos.tracing.tail.delay", "30s")
                .property("deimos.tracing.tail.max-spans", "" + ROOM)
                .property("deimos.tracing.tail.wait", "0s")
                .property("deimos.tracing.tail.processing", "0s")
                .start("tail-full")) {
      RunningPage page = RunningPage.of(jvm);
      jvm.run("controlled-singles " + (ROOM + 500));
      await(page, ROOM, 500);
      // One with an attribute of the user's counts for eight.
      jvm.run("controlled-singles-rich 50");
      await(page, ROOM - 50 * 8 + 50, 500 + 50 * 8);
      jvm.end();
      assertThat(receiver.spans()).isEmpty();
      Map<String, Double> last = new TreeMap<>();
      receiver.points().stream()
          .filter(p -> p.name().startsWith("deimos.tail."))
          .forEach(
              p -> last.put(p.name() + " " + p.attributes().get(p.name() + ".reason"), p.value()));
      assertThat(last)
          .isEqualTo(
              Map.of(
                  "deimos.tail.span.dropped full", 900.0,
                  "deimos.tail.span.dropped normal", 650.0,
                  "deimos.tail.span.held.count null", 0.0));
    }
    assertThat(ConfigFactory.parseString(Report.of(file).text()).getLong("spans_sampled_out"))
        .isEqualTo(ROOM + 500 + 50);
  }

  private static void await(RunningPage page, int held, int full) {
    page.awaitState(
        full + " let go early and " + held + " held",
        s ->
            s.getLong("recorder.tail.spansLetGo.full") == full
                && s.getLong("recorder.tail.spansHeld") == held
                && s.getLong("recorder.tail.spansLetGo.normal") == 0);
  }
}
