// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedPoint;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.Scrape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Three who collect at the same time are told the same: OpenTelemetry's own Prometheus exporter,
 * the page, and an OTLP exporter that wants differences.
 */
class PrometheusTest {
  private static final int PINGS = 10;
  private static final String ECHO = "scenarios.Messages$Ping";

  @AutoClose private static OtlpReceiver receiver;
  @AutoClose private static AgentJvm jvm;
  private static RunningPage exporter;
  private static RunningPage page;

  @BeforeAll
  static void run() {
    int port = Layout.freePort();
    receiver = OtlpReceiver.start();
    jvm =
        AgentJvm.on(Jdk.own())
            .deimos()
            .exportTo(receiver)
            .property("otel.metrics.exporter", "otlp,prometheus")
            .property("otel.metric.export.interval", "200")
            .property("otel.exporter.otlp.metrics.temporality.preference", "delta")
            .property("otel.exporter.prometheus.host", "127.0.0.1")
            .property("otel.exporter.prometheus.port", Integer.toString(port))
            .property("otel.instrumentation.common.default-enabled", "false")
            .page()
            .start("prometheus");
    page = RunningPage.of(jvm);
    exporter = new RunningPage("http://127.0.0.1:" + port);
    jvm.tell("run counted hold"); // the gauges of an actor system that has ended are gone
    jvm.awaitOut("all to be counted", l -> l.equals("@holding"));
    Eventually.await(
        () -> isComplete(Scrape.of(exporter)) && isComplete(Scrape.of(page)),
        () -> PINGS + " pings\n" + Scrape.of(exporter).text());
    receiver.awaitPoints(
        PINGS + " pings in differences",
        points ->
            pushed(points, "pekko.message.processed", ReceivedPoint::value) == PINGS
                && pushed(points, "pekko.message.process.duration", ReceivedPoint::count) == PINGS,
        Eventually.DEADLINE);
  }

  private static boolean isComplete(Scrape scrape) {
    return scrape.has("pekko_message_process_duration_seconds_count", ECHO)
        && scrape.value("pekko_message_process_duration_seconds_count", ECHO) == PINGS;
  }

  private static double pushed(
      List<ReceivedPoint> points, String metric, ToDoubleFunction<ReceivedPoint> what) {
    Map<Map<String, Object>, Double> bySeries = new HashMap<>();
    points.stream()
        .filter(p -> p.name().equals(metric))
        .filter(p -> ECHO.equals(p.attributes().get("pekko.message.class")))
        .forEach(p -> bySeries.merge(p.attributes(), what.applyAsDouble(p), Double::sum));
    return bySeries.values().stream().mapToDouble(d -> d).sum();
  }

  private static Set<String> ours(Scrape scrape) {
    return scrape.names().stream()
        .filter(name -> name.startsWith("pekko_") || name.startsWith("deimos_"))
        .collect(Collectors.toSet());
  }

  @Test
  void exporter_andPage_tellTheSame() {
    Scrape ofExporter = Scrape.of(exporter);
    Scrape ofPage = Scrape.of(page);
    for (Scrape scrape : List.of(ofExporter, ofPage)) {
      assertThat(scrape.value("pekko_message_processed_total", ECHO)).isEqualTo(PINGS);
      assertThat(scrape.value("pekko_mailbox_wait_duration_seconds_count", ECHO)).isEqualTo(PINGS);
      assertThat(scrape.value("pekko_actor_started_total", "scenarios.Echo")).isEqualTo(1);
    }
    // gauges come with the first reading, perhaps between two scrapes
    Eventually.await(
        () -> {
          Set<String> names = ours(Scrape.of(exporter));
          return names.size() > 30 && names.equals(ours(Scrape.of(page)));
        },
        () -> "the same of both: " + ours(Scrape.of(exporter)) + ", " + ours(Scrape.of(page)));
  }

  @Test
  void exporter_asOftenAsItIsAsked_tellsTotals() {
    for (int i = 0; i < 3; i++) {
      assertThat(Scrape.of(exporter).value("pekko_message_processed_total", ECHO)).isEqualTo(PINGS);
    }
  }

  @Test
  void push_besideIt_isOfDifferences() {
    assertThat(receiver.points())
        .filteredOn(p -> p.name().equals("pekko.message.processed"))
        .isNotEmpty()
        .allSatisfy(p -> assertThat(p.temporality()).isEqualTo("delta"));
    assertThat(receiver.points())
        .filteredOn(p -> p.type().equals("histogram") && p.name().startsWith("pekko."))
        .isNotEmpty()
        .allSatisfy(p -> assertThat(p.temporality()).isEqualTo("delta"));
  }
}
