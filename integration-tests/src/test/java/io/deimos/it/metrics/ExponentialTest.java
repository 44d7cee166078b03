// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedPoint;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.Scrape;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Exponential histograms, which the usual settings of OpenTelemetry ask for: over OTLP, and as
 * native histograms of a real Prometheus.
 */
class ExponentialTest {
  private static final int PINGS = 10;
  private static final String EXPONENTIAL = "base2_exponential_bucket_histogram";

  @AutoClose private static OtlpReceiver receiver;
  @AutoClose private static AgentJvm jvm;
  private static RunningPage page;

  @BeforeAll
  static void run() {
    receiver = OtlpReceiver.start();
    jvm =
        AgentJvm.on(Jdk.own())
            .eitherForm()
            .exportTo(receiver)
            .metricsEvery(Duration.ofMillis(300))
            .property("otel.exporter.otlp.metrics.default.histogram.aggregation", EXPONENTIAL)
            .property(
                "otel.java.experimental.exporter.prometheus.metrics.default.histogram.aggregation",
                EXPONENTIAL)
            .pekkoAndOnly()
            .page()
            .start("exponential");
    page = RunningPage.of(jvm);
    jvm.run("counted");
  }

  private static boolean isPings(ReceivedPoint point) {
    return point.name().equals("pekko.message.process.duration")
        && "scenarios.Messages$Ping".equals(point.attributes().get("pekko.message.class"));
  }

  @Test
  void otlp_durations_areExponentialAndExact() {
    List<ReceivedPoint> points =
        receiver.awaitPoints(
            PINGS + " pings",
            all -> all.stream().anyMatch(p -> isPings(p) && p.count() == PINGS),
            Eventually.DEADLINE);
    assertThat(points)
        .filteredOn(p -> p.name().startsWith("pekko.") && p.name().endsWith(".duration"))
        .isNotEmpty()
        .allSatisfy(
            p -> {
              assertThat(p.type()).isEqualTo("exponential");
              assertThat(p.unit()).isEqualTo("s");
              assertThat(p.buckets().stream().mapToLong(n -> n).sum()).isEqualTo(p.count());
            });
    ReceivedPoint pings =
        points.stream().filter(ExponentialTest::isPings).reduce((a, b) -> b).orElseThrow();
    // Four buckets an octave: the sum lies between the buckets' lower and upper bounds.
    double upper = 0;
    for (int i = 0; i < pings.buckets().size(); i++) {
      upper += pings.bounds().get(i) * pings.buckets().get(i);
    }
    assertThat(pings.value()).isBetween(upper / Math.pow(2, 0.25) - 1e-6, upper);
    assertThat(jvm.complaints()).isEmpty();
  }

  @Test
  void prometheus_thatWantsNativeHistograms_getsThem() {
    try (Prometheus prometheus = Prometheus.readingNativeHistograms(page.url())) {
      String pings =
          "pekko_message_process_duration_seconds{pekko_message_class=\"scenarios.Messages$Ping\"}";
      Eventually.await(
          () -> prometheus.answers("histogram_count(" + pings + ") == " + PINGS) == 1,
          () -> "native histogram " + pings + "\n" + Scrape.of(page).text());
      assertThat(prometheus.answers("histogram_quantile(0.5, " + pings + ") > 0")).isEqualTo(1);
    }
  }
}
