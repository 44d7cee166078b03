// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.Scrape;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A million actors and ten thousand message classes: few series, little memory, a short scrape. */
class CardinalityTest {
  private static final int SERIES = 500;
  private static final String HOT = "scenarios.Many$Copied10000";

  @Test
  void metrics_manyActorsAndMessages_stayWithinTheirBounds() {
    try (AgentJvm jvm =
        AgentJvm.on(Jdk.own())
            .eitherForm()
            .property("deimos.tracing.enabled", "false")
            .page()
            .property("deimos.metrics.max-series", Integer.toString(SERIES))
            .property("deimos.metrics.window", "1s")
            .property("deimos.metrics.groups", "/user/parent/order-*")
            .pekkoAndOnly()
            .option("-Xmx2g")
            .start("cardinality")) {
      RunningPage page = RunningPage.of(jvm);
      jvm.tell("run many-classes");
      long before = held(jvm, "before");
      Scrape classes = Scrape.of(page);
      System.out.println("10,000 message classes: " + classes);
      within(classes);
      assertThat(classes.sum("pekko_message_processed_total", "scenarios.Many$Sink"))
          .isEqualTo(10_001);
      assertThat(
              classes.value(
                  "deimos_metric_series_folded_count", "deimos_metric_family=\"messages\""))
          .isGreaterThan(9_000);
      jvm.tell("");
      jvm.awaitOut("the end of many-classes", l -> l.equals("@done many-classes"));

      jvm.tell("run late-hot");
      Map<String, Double> highest = new HashMap<>();
      Eventually.await(
          () -> {
            Scrape now = Scrape.of(page);
            within(now);
            neverDown(now, highest);
            return now.has("pekko_message_processed_total", HOT);
          },
          () -> "a series for the message that became hot");
      jvm.tell("");
      jvm.awaitOut("the end of late-hot", l -> l.equals("@done late-hot"));

      jvm.tell("run many-actors");
      long after = held(jvm, "with a million actors");
      Scrape actors = Scrape.of(page);
      System.out.println("1,000,000 actors: " + actors + ", heap " + (after >> 20) + " MiB");
      within(actors);
      neverDown(actors, highest);
      assertThat(actors.value("pekko_actor_count", "scenarios.Many$Child")).isEqualTo(1_000_000);
      assertThat(actors.text())
          .contains("pekko_actor_group=\"/user/parent/order-*\"")
          .doesNotContain("order-17");
      // Pekko's own 700 bytes an actor, and at most 64 of ours.
      assertThat((after - before) / 1_000_000).isLessThan(1_200);
    }
  }

  private static long held(AgentJvm jvm, String what) {
    String[] line = new String[1];
    int seen = (int) jvm.out().stream().filter(l -> l.startsWith("@holding ")).count();
    new Eventually()
        .await(
            () -> {
              line[0] =
                  jvm.out().stream()
                      .filter(l -> l.startsWith("@holding "))
                      .skip(seen)
                      .findFirst()
                      .orElse(null);
              return line[0] != null;
            },
            java.time.Duration.ofMinutes(3),
            () -> "the memory " + what + "\n" + jvm.transcript());
    return Long.parseLong(line[0].substring("@holding ".length()));
  }

  private static void within(Scrape scrape) {
    scrape
        .seriesByMetric()
        .forEach((metric, series) -> assertThat(series).as(metric).isLessThanOrEqualTo(SERIES));
    // A line has the scope's name, version and schema, as OpenTelemetry's exporter writes them.
    assertThat(scrape.bytes()).isLessThan(SERIES * 25 * 2 * 300L);
  }

  private static void neverDown(Scrape scrape, Map<String, Double> highest) {
    scrape
        .series("pekko_message_processed_total")
        .forEach(
            (series, value) -> {
              assertThat(value)
                  .as(series)
                  .isGreaterThanOrEqualTo(highest.getOrDefault(series, 0.0));
              highest.put(series, value);
            });
  }
}
