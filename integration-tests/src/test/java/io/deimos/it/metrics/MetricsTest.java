// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.ReceivedPoint;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.SideBySide;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Metrics by name, unit, attributes and value, in both temporalities. */
@SideBySide
@ParameterizedClass
@EnumSource
class MetricsTest {
  /** The exporter's preference. */
  enum Temporality {
    CUMULATIVE,
    DELTA;

    String text() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  private static final Map<Temporality, ScenarioRun> RUNS = new ConcurrentHashMap<>();
  private static final List<String> SCENARIOS =
      List.of(
          "counted",
          "unwanted",
          "fail-restart",
          "typed-restart",
          "classic-ask",
          "classic-ask-timeout",
          "mailbox-full",
          "stop-by-pill");

  private final Temporality temporality;
  private final ScenarioRun run;

  MetricsTest(Temporality temporality) {
    this.temporality = temporality;
    run =
        RUNS.computeIfAbsent(
            temporality,
            t ->
                ScenarioRun.run(
                    Jdk.own(),
                    "metrics-" + t.text(),
                    SCENARIOS,
                    b ->
                        b.form(t == Temporality.CUMULATIVE)
                            .metricsEvery(Duration.ofMillis(300))
                            .property(
                                "otel.exporter.otlp.metrics.temporality.preference", t.text())));
  }

  @Test
  void processed_byActorAndMessage_isExact() {
    assertThat(
            sum(
                "pekko.message.processed",
                Map.of(
                    "pekko.system", "counted",
                    "pekko.actor.class", "scenarios.Echo",
                    "pekko.message.class", "scenarios.Messages$Ping")))
        .isEqualTo(10);
    assertThat(
            sum(
                "pekko.message.processed",
                Map.of(
                    "pekko.system", "counted",
                    "pekko.actor.class", "scenarios.Front",
                    "pekko.message.class", "scenarios.Messages$Pong")))
        .isEqualTo(10);
    assertThat(one("pekko.message.processed").unit()).isEqualTo("{message}");
    assertThat(one("pekko.message.processed").monotonic()).isTrue();
  }

  @Test
  void processed_attributes_areOfLowCardinality() {
    assertThat(of("pekko.message.processed"))
        .allSatisfy(
            p ->
                assertThat(p.attributes())
                    .containsOnlyKeys("pekko.system", "pekko.actor.class", "pekko.message.class"));
    assertThat(run.points())
        .filteredOn(p -> p.name().startsWith("pekko."))
        .allSatisfy(
            p ->
                assertThat(p.attributes())
                    .doesNotContainKeys("pekko.actor.path", "pekko.sender.path"));
  }

  @Test
  void processDuration_countsEveryMessage_inSeconds() {
    Map<String, String> pings =
        Map.of("pekko.system", "counted", "pekko.message.class", "scenarios.Messages$Ping");
    assertThat(count("pekko.message.process.duration", pings)).isEqualTo(10);
    assertThat(sum("pekko.message.process.duration", pings)).isBetween(1e-7, 5.0);
    assertThat(one("pekko.message.process.duration").unit()).isEqualTo("s");
  }

  @Test
  void waitDuration_countsEveryMessage_inSeconds() {
    Map<String, String> pings =
        Map.of("pekko.system", "counted", "pekko.message.class", "scenarios.Messages$Ping");
    assertThat(count("pekko.mailbox.wait.duration", pings)).isEqualTo(10);
    assertThat(one("pekko.mailbox.wait.duration").unit()).isEqualTo("s");
  }

  @Test
  void histograms_bucketsAndBounds_fit() {
    assertThat(run.points())
        .filteredOn(p -> p.type().equals("histogram") && p.name().startsWith("pekko."))
        .isNotEmpty()
        .allSatisfy(
            p -> {
              assertThat(p.temporality()).isEqualTo(temporality.text());
              assertThat(p.buckets()).hasSize(p.bounds().size() + 1);
              assertThat(p.buckets().stream().mapToLong(n -> n).sum()).isEqualTo(p.count());
              assertThat(p.bounds()).isSorted();
              assertThat(p.startNanos()).isPositive().isLessThanOrEqualTo(p.timeNanos());
            });
  }

  @Test
  void counters_temporality_isThePreferred() {
    assertThat(of("pekko.message.processed"))
        .isNotEmpty()
        .allSatisfy(p -> assertThat(p.temporality()).isEqualTo(temporality.text()));
  }

  @Test
  void askDuration_countsAnswersAndTimeouts() {
    assertThat(count("pekko.ask.duration", Map.of())).isEqualTo(2);
    assertThat(sum("pekko.ask.duration", Map.of())).isGreaterThan(0.05);
  }

  @Test
  void asks_byWhoWasAsked_areExact() {
    Map<String, String> echo =
        Map.of(
            "pekko.message.class", "scenarios.Messages$Ping",
            "pekko.ask.actor.class", "scenarios.Echo");
    assertThat(count("pekko.ask.duration", echo)).isEqualTo(1);
    assertThat(sum("pekko.ask.timed_out", echo)).isZero();
    Map<String, String> silent =
        Map.of(
            "pekko.message.class", "scenarios.Messages$Ping",
            "pekko.ask.actor.class", "scenarios.ClassicAsks$Silent");
    assertThat(count("pekko.ask.duration", silent)).isEqualTo(1);
    assertThat(sum("pekko.ask.duration", silent)).isBetween(0.05, 60.0);
    assertThat(sum("pekko.ask.timed_out", silent)).isEqualTo(1);
    assertThat(sum("pekko.ask.timed_out", Map.of())).isEqualTo(1);
    assertThat(one("pekko.ask.timed_out").unit()).isEqualTo("{ask}");
    assertThat(of("pekko.ask.timed_out"))
        .allSatisfy(
            p ->
                assertThat(p.attributes())
                    .containsOnlyKeys("pekko.message.class", "pekko.ask.actor.class"));
  }

  /** A thousand, but for what the mailbox had when its actor ended. */
  @Test
  void fullMailbox_dropsWhatTheActorDoesNotGet() {
    double dropped =
        sum("pekko.message.dropped", Map.of("pekko.message.dropped.reason", "mailbox_full"));
    double processed =
        sum(
            "pekko.message.processed",
            Map.of("pekko.system", "mailbox-full", "pekko.actor.class", "scenarios.Echo"));
    assertThat(dropped).isPositive();
    assertThat(processed).isPositive();
    assertThat(dropped + processed).isBetween(998.0, 1000.0);
    assertThat(sum("pekko.message.dropped", Map.of())).isEqualTo(dropped);
  }

  @Test
  void actors_startedStoppedRestartedFailed_areExact() {
    Map<String, String> echo =
        Map.of("pekko.system", "counted", "pekko.actor.class", "scenarios.Echo");
    assertThat(sum("pekko.actor.started", echo)).isEqualTo(1);
    assertThat(sum("pekko.actor.stopped", echo)).isEqualTo(1); // with its system
    assertThat(last("pekko.actor.count", echo)).isZero();
    Map<String, String> child = Map.of("pekko.actor.class", "scenarios.Supervision$Child");
    assertThat(sum("pekko.actor.restarted", child)).isEqualTo(1);
    assertThat(
            sum(
                "pekko.actor.failed",
                Map.of(
                    "pekko.actor.class", "scenarios.Supervision$Child",
                    "error.type", "java.lang.IllegalStateException")))
        .isEqualTo(1);
    Map<String, String> typed = Map.of("pekko.actor.class", "scenarios.TypedSupervision$Fragile");
    assertThat(sum("pekko.actor.restarted", typed)).isEqualTo(1);
    assertThat(sum("pekko.actor.failed", typed)).isEqualTo(1);
    assertThat(sum("pekko.actor.started", typed)).isEqualTo(1);
  }

  @Test
  void deadLettersAndUnhandled_areCounted() {
    assertThat(sum("pekko.message.dead_lettered", Map.of())).isGreaterThanOrEqualTo(2);
    assertThat(sum("pekko.message.unhandled", Map.of())).isEqualTo(3);
    assertThat(sum("pekko.message.unhandled", Map.of("pekko.actor.class", "scenarios.Echo")))
        .isEqualTo(3);
  }

  @Test
  void ownHealth_isToldAndSound() {
    double recorded = last("deimos.span.recorded", Map.of());
    assertThat(recorded).isPositive();
    assertThat(last("deimos.span.dropped", Map.of())).isZero();
    assertThat(last("deimos.message.class.folded", Map.of())).isZero();
    assertThat(run.spans())
        .filteredOn(ReceivedSpan::isOurs)
        .hasSize((int) sum("deimos.span.exported", Map.of()));
    for (String reason : List.of("age", "depth", "spans")) {
      assertThat(sum("deimos.trace.cut", Map.of("deimos.trace.cut.reason", reason)))
          .as(reason)
          .isZero();
    }
    for (String reason : List.of("unreadable", "too_long")) {
      assertThat(
              sum(
                  "deimos.remote.context.dropped",
                  Map.of("deimos.remote.context.dropped.reason", reason)))
          .isZero();
    }
    for (String zero :
        List.of(
            "deimos.trace.thinned",
            "deimos.message.uncounted",
            "deimos.actor.unruled",
            "deimos.metric.series.folded.count")) {
      assertThat(sum(zero, Map.of())).as(zero).isZero();
    }
  }

  private List<ReceivedPoint> of(String metric) {
    return run.points().stream().filter(p -> p.name().equals(metric)).toList();
  }

  private ReceivedPoint one(String metric) {
    return of(metric).stream()
        .findFirst()
        .orElseThrow(
            () ->
                new AssertionError(
                    "no "
                        + metric
                        + " among "
                        + run.points().stream()
                            .map(ReceivedPoint::name)
                            .collect(Collectors.toCollection(TreeSet::new))));
  }

  /** Over the whole run, whatever the temporality: a delta's points added, a total's last. */
  private double sum(String metric, Map<String, String> attributes) {
    return total(metric, attributes, ReceivedPoint::value);
  }

  private double count(String metric, Map<String, String> attributes) {
    return total(metric, attributes, ReceivedPoint::count);
  }

  private double last(String metric, Map<String, String> attributes) {
    return sum(metric, attributes);
  }

  private double total(
      String metric,
      Map<String, String> attributes,
      java.util.function.ToDoubleFunction<ReceivedPoint> what) {
    one(metric);
    Map<Map<String, Object>, Double> bySeries = new HashMap<>();
    for (ReceivedPoint p : of(metric)) {
      if (p.attributes().entrySet().containsAll(attributes.entrySet())) {
        bySeries.merge(
            p.attributes(),
            what.applyAsDouble(p),
            (a, b) -> p.temporality().equals("delta") ? a + b : b);
      }
    }
    return bySeries.values().stream().mapToDouble(d -> d).sum();
  }
}
