// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedPoint;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.Report;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.Scrape;
import io.deimos.it.harness.SideBySide;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * More is recorded than the rings hold. The application does not notice; every span has come or is
 * counted as dropped, and the page, the metrics and the report tell so.
 */
@SideBySide
@ParameterizedClass
@EnumSource
class OverflowTest {
  /** How spans leave, and what is given up. */
  enum Way {
    DIRECT,
    SDK,
    /** The collector takes nothing until the flood is over. */
    STALLED,
    /** Whole traces are left out before spans are. */
    THINNED
  }

  private static final int TRACES = 4_000;
  private static final int MESSAGES_A_TRACE = 6;
  private static final int SPANS_A_TRACE = MESSAGES_A_TRACE + 1; // the question's
  private static final Map<Way, Overflow> RUNS = new ConcurrentHashMap<>();

  /** The observations of a flood from outside. */
  private record Overflow(
      List<ReceivedSpan> spans,
      Config state,
      Scrape scrape,
      List<ReceivedPoint> points,
      Report report) {
    /** The last value of a metric of the process. */
    double last(String metric, String reason) {
      return points.stream()
          .filter(p -> p.name().equals(metric))
          .filter(p -> reason.isEmpty() || reason.equals(p.attributes().get(p.name() + ".reason")))
          .mapToDouble(ReceivedPoint::value)
          .reduce(0, (before, after) -> after);
    }

    long dropped() {
      return state.getLong("recorder.spansDropped");
    }

    long thinned() {
      return (long) last("deimos.trace.thinned", "");
    }
  }

  private final Way way;
  private final Overflow run;

  OverflowTest(Way way) {
    this.way = way;
    run = RUNS.computeIfAbsent(way, OverflowTest::flood);
  }

  private static Overflow flood(Way way) {
    java.nio.file.Path file = Report.file("overflow-" + way);
    CountDownLatch over = new CountDownLatch(way == Way.STALLED ? 1 : 0);
    try (OtlpReceiver receiver = OtlpReceiver.takingSpansFrom(over);
        AgentJvm jvm =
            AgentJvm.on(Jdk.own())
                .form(way == Way.SDK || way == Way.STALLED)
                .exportTo(receiver)
                .metricsEvery(Duration.ofMillis(500))
                // Longer than any flood: what is given up may yet arrive.
                .property("otel.exporter.otlp.timeout", "600000")
                .page()
                .property("deimos.report.file", file.toString())
                .property("deimos.tracing.ring-capacity", "64")
                .property("deimos.tracing.backlog-capacity", "0")
                .property("deimos.tracing.export", way == Way.SDK ? "sdk" : "direct")
                .property(
                    "deimos.tracing.overflow", way == Way.THINNED ? "thin-traces" : "drop-newest")
                .start("overflow-" + way)) {
      RunningPage page = RunningPage.of(jvm);
      jvm.run("flood " + TRACES);
      over.countDown();
      Config state =
          page.awaitState(
              "that all that was recorded has come",
              s -> {
                Config recorder = s.getConfig("recorder");
                return recorder.getLong("spansExported") == receiver.spanCount()
                    && recorder.getLong("spansRecorded") == settled(recorder, page);
              });
      Scrape scrape = Scrape.of(page);
      jvm.end();
      assertThat(jvm.err()).as(jvm.transcript()).noneMatch(l -> l.contains("Deimos has failed"));
      return new Overflow(receiver.spans(), state, scrape, receiver.points(), Report.of(file));
    }
  }

  /** How many of the spans that the rings had room for have come to an end, one or another. */
  private static long settled(Config recorder, RunningPage page) {
    return recorder.getLong("spansExported")
        + recorder.getLong("spansDropped")
        - (long) Scrape.of(page).value("deimos_span_dropped_total", "ring_full")
        - (long) Scrape.of(page).value("deimos_span_dropped_total", "no_memory");
  }

  @Test
  void spans_receivedAndDropped_areAllThereWere() {
    assertThat(run.spans()).allMatch(ReceivedSpan::isOurs);
    assertThat(run.spans().stream().map(ReceivedSpan::spanId).distinct()).hasSize(run.spans.size());
    assertThat(run.dropped() + run.thinned()).as("the flood is none").isPositive();
    assertThat(run.spans().size() + run.dropped())
        .isEqualTo(SPANS_A_TRACE * (TRACES - run.thinned()));
  }

  @Test
  void thinnedTraces_areCountedWhereTheyWereAskedFor() {
    if (way == Way.THINNED) {
      assertThat(run.thinned()).isPositive();
    } else {
      assertThat(run.thinned()).isZero();
    }
  }

  @Test
  void messages_ofDroppedSpans_areInTheMetricsAllTheSame() {
    String flood = "pekko_system=\"flood\"";
    assertThat(run.scrape().sum("pekko_message_processed_total", flood))
        .isEqualTo(MESSAGES_A_TRACE * TRACES);
    if (way != Way.THINNED) { // messages without a span are not all timed
      assertThat(run.scrape().sum("pekko_message_process_duration_seconds_count", flood))
          .isEqualTo(MESSAGES_A_TRACE * TRACES);
    }
    assertThat(run.scrape().value("pekko_ask_duration_seconds_count", "scenarios.Echo"))
        .isEqualTo(TRACES);
    assertThat(run.scrape().value("pekko_actor_failed_total", flood)).isEqualTo(TRACES);
    assertThat(run.report().messages()).isEqualTo(MESSAGES_A_TRACE * TRACES);
  }

  @Test
  void drops_onThePageInMetricsAndInTheReport_areTheSame() {
    Map<String, Double> byReason =
        List.of("ring_full", "no_memory", "export_failed", "export_slow", "shutdown").stream()
            .collect(
                Collectors.toMap(
                    reason -> reason, reason -> run.last("deimos.span.dropped", reason)));
    if (way != Way.THINNED) { // which is there so that rings do not fill
      assertThat(byReason.get("ring_full")).isPositive();
    }
    assertThat(byReason.values().stream().mapToDouble(d -> d).sum())
        .as("%s", byReason)
        .isEqualTo((double) run.dropped());
    byReason.forEach(
        (reason, count) ->
            assertThat(run.scrape().value("deimos_span_dropped_total", reason)).isEqualTo(count));
    assertThat(run.report().spansDropped()).isEqualTo(run.dropped());
    assertThat(run.report().spansExported()).isEqualTo(run.spans().size());
    assertThat(run.last("deimos.span.exported", "")).isEqualTo(run.spans().size());
  }
}
