// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Browser;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedPoint;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.RunningPage;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * One run, told twice: what the page says of messages, failures, asks, dead letters and traces is
 * what a collector gets over OTLP. The application has done all it will do when both are asked.
 */
class PageOverOtlpTest {
  /** The last one stays. */
  private static final List<String> SCENARIOS =
      List.of("fail-restart", "unanswered-silent", "trouble-dead-letters", "steady");

  private static final String MESSAGES = "pekko.message.processed";
  private static final Map<String, String> SUPPRESSED =
      Map.of("pekko.message.dead_lettered.reason", "suppressed");

  @AutoClose private static OtlpReceiver receiver;
  @AutoClose private static AgentJvm jvm;
  private static RunningPage page;
  private static Config state;
  private static List<ReceivedPoint> points;

  @BeforeAll
  static void run() {
    receiver = OtlpReceiver.start();
    jvm =
        AgentJvm.on(Jdk.own())
            .eitherForm()
            .exportTo(receiver)
            .metricsEvery(Duration.ofMillis(200))
            .page()
            .property("deimos.page.traces-per-second", "100000")
            .start("page-over-otlp");
    page = RunningPage.of(jvm);
    for (String scenario : SCENARIOS) {
      jvm.tell("run " + scenario);
      jvm.awaitOut(
          "the end of " + scenario,
          line -> line.equals("@done " + scenario) || line.equals("@" + scenario));
    }
    state =
        page.awaitState(
            "200 rounds and the self-test's end",
            now ->
                !now.getString("hooks.state").equals("pending")
                    && now.getLong("recorder.messages") >= 600
                    && now.getLong("recorder.spansRecorded")
                        == now.getLong("recorder.spansExported"));
    double messages = state.getLong("recorder.messages");
    points =
        newest(
            receiver.awaitPoints(
                messages + " messages",
                all -> sum(newest(all), MESSAGES, Map.of(), ReceivedPoint::value) == messages,
                Eventually.DEADLINE));
    receiver.awaitSpanCount((int) state.getLong("recorder.spansExported"), Eventually.DEADLINE);
  }

  @Test
  void actors_byClassAndMessage_areThoseOverOtlp() {
    List<Double> bounds = state.getDoubleList("bounds").stream().map(Number::doubleValue).toList();
    assertThat(state.getConfigList("actors")).hasSizeGreaterThan(3);
    for (Config actor : state.getConfigList("actors")) {
      Map<String, String> of =
          Map.of(
              "pekko.system", actor.getString("system"),
              "pekko.actor.class", actor.getString("class"));
      assertThat(sum("pekko.actor.started", of)).as("%s", of).isEqualTo(actor.getInt("started"));
      assertThat(sum("pekko.actor.stopped", of)).as("%s", of).isEqualTo(actor.getInt("stopped"));
      assertThat(sum("pekko.actor.count", of)).as("%s", of).isEqualTo(actor.getInt("live"));
      assertThat(sum("pekko.actor.restarted", of))
          .as("%s", of)
          .isEqualTo(actor.getInt("restarted"));
      assertThat(sum("pekko.actor.failed", of)).as("%s", of).isEqualTo(actor.getInt("failed"));
      for (Config message : actor.getConfigList("messages")) {
        Map<String, String> alone = new LinkedHashMap<>(of);
        alone.put("pekko.message.class", message.getString("class"));
        assertThat(sum(MESSAGES, alone)).as("%s", alone).isEqualTo(message.getInt("processed"));
        sameTimes("pekko.message.process.duration", alone, message.getConfig("processing"), bounds);
        sameTimes("pekko.mailbox.wait.duration", alone, message.getConfig("wait"), bounds);
      }
    }
  }

  private static void sameTimes(
      String metric, Map<String, String> of, Config onPage, List<Double> bounds) {
    assertThat(sum(points, metric, of, ReceivedPoint::count))
        .as("%s %s", metric, of)
        .isEqualTo(onPage.getInt("count"));
    assertThat(sum(metric, of))
        .as("seconds of %s %s", metric, of)
        .isCloseTo(onPage.getLong("sumNanos") / 1e9, within(1e-9));
    List<Long> buckets = onPage.getLongList("buckets");
    matching(points, metric, of)
        .forEach(point -> assertThat(point.bounds()).as(metric).isEqualTo(bounds));
    for (int i = 0; i < buckets.size(); i++) {
      int bucket = i;
      assertThat(sum(points, metric, of, point -> point.buckets().get(bucket)))
          .as("bucket %s of %s %s", i, metric, of)
          .isEqualTo(buckets.get(i).doubleValue());
    }
  }

  @Test
  void whatWentWrong_isThatOverOtlp() {
    assertThat(state.getConfigList("failures")).isNotEmpty();
    for (Config failure : state.getConfigList("failures")) {
      Map<String, String> of =
          Map.of(
              "pekko.actor.class", failure.getString("actorClass"),
              "error.type", failure.getString("errorType"));
      assertThat(sum("pekko.actor.failed", of)).as("%s", of).isEqualTo(failure.getInt("count"));
    }
    assertThat(state.getConfigList("asks")).isNotEmpty();
    for (Config ask : state.getConfigList("asks")) {
      Map<String, String> of = Map.of("pekko.message.class", ask.getString("class"));
      assertThat(sum("pekko.ask.timed_out", of)).as("%s", of).isEqualTo(ask.getInt("timeouts"));
      assertThat(sum(points, "pekko.ask.duration", of, ReceivedPoint::count))
          .as("%s", of)
          .isEqualTo(ask.getInt("count"));
    }
    assertThat(state.getInt("totals.deadLetters")).isGreaterThanOrEqualTo(20);
    assertThat(deadLetters()).isEqualTo(state.getInt("totals.deadLetters"));
    assertThat(sum("pekko.message.dead_lettered", SUPPRESSED))
        .isEqualTo(state.getInt("totals.deadLettersSuppressed"));
    assertThat(sum("pekko.message.unhandled", Map.of()))
        .isEqualTo(state.getInt("totals.unhandled"));
    assertThat(sum("pekko.actor.count", Map.of())).isEqualTo(state.getInt("totals.actorsLive"));
  }

  @Test
  void traces_spanForSpan_areThoseOverOtlp() {
    Map<String, List<ReceivedSpan>> sent =
        receiver.spans().stream().collect(Collectors.groupingBy(ReceivedSpan::traceId));
    List<? extends Config> kept = page.traces("?limit=1000");
    assertThat(kept)
        .extracting(trace -> trace.getString("traceId"))
        .containsExactlyInAnyOrderElementsOf(sent.keySet());
    for (Config one : kept.subList(0, Math.min(50, kept.size()))) {
      Config trace = page.trace(one.getString("traceId"));
      Map<String, ReceivedSpan> spans =
          sent.getOrDefault(one.getString("traceId"), List.of()).stream()
              .collect(Collectors.toMap(ReceivedSpan::spanId, span -> span));
      assertThat(trace.getConfigList("spans")).hasSameSizeAs(spans.keySet());
      long begun = Long.parseLong(trace.getString("startEpochNanos"));
      for (Config span : trace.getConfigList("spans")) {
        ReceivedSpan same = Objects.requireNonNull(spans.get(span.getString("spanId")));
        assertThat(same.name()).isEqualTo(span.getString("name"));
        assertThat(same.startNanos() - begun).isEqualTo(span.getLong("offsetNanos"));
        assertThat(same.endNanos() - same.startNanos()).isEqualTo(span.getLong("durationNanos"));
        assertThat(same.events()).hasSameSizeAs(span.getConfigList("events"));
        Map<String, Object> attributes = span.getConfig("attributes").root().unwrapped();
        assertThat(attributes.keySet()).isEqualTo(same.attributes().keySet());
        same.attributes()
            .forEach(
                (name, value) ->
                    assertThat(String.valueOf(attributes.get(name)))
                        .as(name)
                        .isEqualTo(value.toString()));
      }
    }
  }

  /** The same as somebody reads it. */
  @Test
  void browser_showsWhatWentOverOtlp() throws IOException, InterruptedException {
    assertThat(
            Browser.looks(
                "clicks.mjs",
                page.urlWithToken(),
                shows("messages", "", (long) sum(MESSAGES, Map.of()) + " since start"),
                shows("actors-live", ".tile-value", sum("pekko.actor.count", Map.of())),
                shows("failures", ".tile-value", sum("pekko.actor.failed", Map.of())),
                shows("timeouts", ".tile-value", sum("pekko.ask.timed_out", Map.of())),
                shows("dead-letters", ".tile-value", deadLetters()),
                shows("spans", ".tile-value", (double) receiver.spanCount())))
        .contains("clicks: 0");
  }

  /** Without those that Pekko suppresses, which count apart. */
  private static double deadLetters() {
    return sum("pekko.message.dead_lettered", Map.of())
        - sum("pekko.message.dead_lettered", SUPPRESSED);
  }

  private static String shows(String tile, String part, Object value) {
    return "see:#tile-"
        + tile
        + " "
        + part
        + "|"
        + (value instanceof Double number ? Long.toString(number.longValue()) : value);
  }

  /** The last point of each series: */
  private static List<ReceivedPoint> newest(List<ReceivedPoint> all) {
    Map<String, ReceivedPoint> bySeries = new TreeMap<>();
    all.stream()
        .sorted(Comparator.comparing(ReceivedPoint::timeNanos))
        .forEach(point -> bySeries.put(point.name() + new TreeMap<>(point.attributes()), point));
    return List.copyOf(bySeries.values());
  }

  private static double sum(String metric, Map<String, String> of) {
    return sum(points, metric, of, ReceivedPoint::value);
  }

  private static double sum(
      List<ReceivedPoint> all,
      String metric,
      Map<String, String> of,
      ToDoubleFunction<ReceivedPoint> what) {
    return matching(all, metric, of).stream().mapToDouble(what).sum();
  }

  private static List<ReceivedPoint> matching(
      List<ReceivedPoint> all, String metric, Map<String, String> of) {
    return all.stream()
        .filter(
            point ->
                point.name().equals(metric)
                    && of.entrySet().stream()
                        .allMatch(
                            one -> one.getValue().equals(point.attributes().get(one.getKey()))))
        .toList();
  }
}
