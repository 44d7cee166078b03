// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.Scrape;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The page, {@code /metrics} and OTLP tell the same numbers, which are those of the application,
 * whatever is sampled and however few lines the log may have.
 */
class FiguresTest {
  private static final long FAILURES = 25;
  private static final long DEAD_LETTERS = 111;
  private static final long TIME_OUTS = 61;

  /**
   * Two of front, two of late, those of frail, and that the one who is waited for has ended; what
   * is stuck has not been processed.
   */
  private static final long MESSAGES = 2 + 2 + FAILURES + 1;

  @AutoClose private static OtlpReceiver receiver;
  @AutoClose private static AgentJvm jvm;
  private static RunningPage page;

  @BeforeAll
  static void run() {
    receiver = OtlpReceiver.start();
    jvm =
        AgentJvm.on(Jdk.own())
            .eitherForm()
            .pekkoAlone()
            .exportTo(receiver)
            .metricsEvery(Duration.ofMillis(200))
            .property("otel.traces.sampler", "traceidratio")
            .property("otel.traces.sampler.arg", "0.5")
            .page()
            .property("deimos.stuck.threshold", "500ms")
            .start("figures");
    page = RunningPage.of(jvm);
    jvm.tell("run trouble-figures");
    jvm.awaitOut("all to have happened", l -> l.equals("@holding"));
    Eventually.see(() -> kinds(), FiguresTest::isComplete, last -> "the page to know all: " + last);
  }

  private static boolean isComplete(Map<String, Long> kinds) {
    return kinds.equals(
        Map.of(
            "dead_letter", DEAD_LETTERS,
            "ask_timeout", TIME_OUTS,
            "failure", FAILURES,
            "restart", FAILURES,
            "stuck", 1L));
  }

  /** The counts of Trouble's filters. */
  private static Map<String, Long> kinds() {
    Config kinds = page.json("/api/v1/trouble").getConfig("kinds");
    Map<String, Long> counts = new TreeMap<>();
    kinds.entrySet().forEach(kind -> counts.put(kind.getKey(), kinds.getLong(kind.getKey())));
    return counts;
  }

  /** The sum of Trouble's rows. */
  private static Map<String, Long> rows() {
    Map<String, Long> counts = new TreeMap<>();
    page.json("/api/v1/trouble")
        .getConfigList("groups")
        .forEach(row -> counts.merge(row.getString("kind"), row.getLong("count"), Long::sum));
    return counts;
  }

  private static double exported(String metric) {
    Map<Map<String, Object>, Double> bySeries = new HashMap<>();
    receiver.points().stream()
        .filter(point -> point.name().equals(metric))
        .forEach(point -> bySeries.merge(point.attributes(), point.value(), Math::max));
    return bySeries.values().stream().mapToDouble(value -> value).sum();
  }

  private static void saysEverywhere(String what, String metric, String scraped, long expected) {
    awaitValue(expected, what + " in /metrics", () -> Scrape.of(page).value(scraped, ""));
    awaitValue(expected, what + " by OTLP", () -> exported(metric));
  }

  /** A message is counted when the actor is through with it, so after what it told others. */
  private static void awaitValue(long expected, String what, Supplier<Double> value) {
    Eventually.see(value, found -> found == (double) expected, last -> what + ": " + last);
  }

  @Test
  void rows_ofTrouble_addUpToItsKinds() {
    Eventually.see(FiguresTest::rows, FiguresTest::isComplete, last -> "rows: " + last);
  }

  @Test
  void messages_areTheSameEverywhere() {
    awaitValue(MESSAGES, "messages", () -> page.state().getDouble("recorder.messages"));
    saysEverywhere(
        "messages", "pekko.message.processed", "pekko_message_processed_total", MESSAGES);
  }

  @Test
  void deadLetters_areTheSameEverywhere() {
    assertThat(page.state().getLong("totals.deadLetters")).isEqualTo(DEAD_LETTERS);
    saysEverywhere(
        "dead letters",
        "pekko.message.dead_lettered",
        "pekko_message_dead_lettered_total",
        DEAD_LETTERS + page.state().getLong("totals.deadLettersSuppressed"));
  }

  @Test
  void timeOuts_areTheSameEverywhere() {
    long shown =
        page.state().getConfigList("asks").stream().mapToLong(a -> a.getLong("timeouts")).sum();
    assertThat(shown).isEqualTo(TIME_OUTS);
    saysEverywhere("time-outs", "pekko.ask.timed_out", "pekko_ask_timed_out_total", TIME_OUTS);
  }

  @Test
  void failures_areTheSameEverywhere() {
    assertThat(page.state().getLong("totals.failed")).isEqualTo(FAILURES);
    saysEverywhere("failures", "pekko.actor.failed", "pekko_actor_failed_total", FAILURES);
  }

  @Test
  void spans_areTheSameEverywhereAndArrive() {
    long recorded = page.state().getLong("recorder.spansRecorded");
    saysEverywhere("spans", "deimos.span.recorded", "deimos_span_recorded_total", recorded);
    receiver.awaitSpanCount((int) recorded, Eventually.DEADLINE);
    assertThat(receiver.spanCount()).isEqualTo((int) recorded);
    Config store = page.state().getConfig("recorder.store");
    long came = 0;
    for (String where : List.of("Kept", "NotKept", "LetGo", "Evicted", "Thinned", "Truncated")) {
      came += store.getLong("spans" + where);
    }
    assertThat(came).as("spans on the page and not on it").isEqualTo(recorded);
  }

  /** The log may have a line a second, and asks of the actor that is stuck time out each 30 ms. */
  @Test
  void stuckActor_beneathItsOwnTimeOuts_isToldEverywhere() {
    assertThat(jvm.awaitErr("the line", line -> line.startsWith("deimos: incident=stuck ")))
        .contains("pekko://trouble-figures/user/stuck");
    Config list = page.json("/api/v1/trouble?kind=stuck");
    assertThat(list.getInt("stuckNow")).isEqualTo(1);
    assertThat(page.state().getInt("totals.stuckNow")).isEqualTo(1);
    assertThat(list.getConfigList("groups"))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.getLong("count")).isEqualTo(1);
              assertThat(row.getString("latest.actorPath"))
                  .isEqualTo("pekko://trouble-figures/user/stuck");
            });
  }

  @Test
  void lateAnswer_isToldAsOneThatCameTooLate() {
    assertThat(page.json("/api/v1/trouble?kind=dead_letter&q=late").getConfigList("groups"))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.getString("why")).isEqualTo("it answers an ask that had timed out");
              assertThat(row.getString("latest.story")).contains("sent by", "s too late.");
            });
    assertThat(page.json("/api/v1/trouble").toString()).doesNotContain("never answered");
  }
}
