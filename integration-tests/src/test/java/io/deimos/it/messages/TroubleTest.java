// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.ReceivedLog;
import io.deimos.it.harness.ReceivedPoint;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.ScenarioRun;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trouble is told: */
class TroubleTest {
  private static final Pattern FACT = Pattern.compile(" ([\\w.]+)=(\"[^\"]*\"|\\S*)");
  private static final List<String> SCENARIOS =
      List.of(
          "trouble-dead-letter",
          "trouble-dead-letters",
          "trouble-typed-dead-letter",
          "classic-ask-timeout",
          "typed-ask-timeout",
          "unanswered-slow",
          "unanswered-typed-slow",
          "unanswered-busy",
          "unanswered-typed-busy",
          "unanswered-stops",
          "unanswered-typed-stops",
          "unanswered-nobody",
          "trouble-stuck",
          "trouble-typed-stuck",
          "trouble-starved",
          "fail-restart",
          "typed-restart");

  private static ScenarioRun run;

  @BeforeAll
  static void runAll() {
    run =
        ScenarioRun.run(
            Jdk.own(),
            "trouble",
            SCENARIOS,
            b ->
                b.deimos()
                    .property("deimos.stuck.threshold", "300ms")
                    .property("deimos.starvation.threshold", "300ms")
                    .property("deimos.metrics.gauges.interval", "100ms")
                    .property("deimos.forensics.log-per-second", "1000")
                    .property("deimos.forensics.records-per-second", "1000")
                    .environment("OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN", "logs/dup")
                    .logs()
                    .metricsEvery(Duration.ofMillis(200)));
  }

  private static List<String> lines(String incident) {
    return run.err().stream()
        .filter(l -> l.startsWith("deimos: incident=" + incident + " "))
        .toList();
  }

  private static List<Map<String, String>> told(String incident, ReceivedSpan span) {
    return lines(incident).stream()
        .map(TroubleTest::facts)
        .filter(f -> span.spanId().equals(f.get("span_id")))
        .toList();
  }

  private static Map<String, String> facts(String line) {
    Map<String, String> facts = new TreeMap<>();
    for (Matcher m = FACT.matcher(line); m.find(); ) {
      facts.put(m.group(1), m.group(2).replaceAll("^\"|\"$", ""));
    }
    return facts;
  }

  /** The one event of its kind, which a line tells too. */
  private static Map<String, Object> told(String scenario, String span, String incident) {
    ReceivedSpan of = run.only(scenario, span);
    List<ReceivedSpan.Event> events =
        of.events().stream().filter(e -> e.name().equals("pekko." + incident)).toList();
    assertThat(events).as(scenario).hasSize(1);
    Map<String, Object> facts = events.get(0).attributes();
    List<Map<String, String>> lines = told(incident, of);
    assertThat(lines).as(scenario).hasSize(1);
    Map<String, String> line = lines.get(0);
    assertThat(line.remove("incident")).isEqualTo(incident);
    assertThat(line.remove("trace_id")).isEqualTo(of.traceId());
    assertThat(line.remove("span_id")).isEqualTo(of.spanId());
    Instant at = Instant.parse(String.valueOf(line.remove("time")));
    assertThat(TimeUnit.SECONDS.toNanos(at.getEpochSecond()) + at.getNano())
        .isCloseTo(events.get(0).atNanos(), within(1_000_000L));
    assertThat(line).as(scenario).isEqualTo(facts);
    return new TreeMap<>(facts);
  }

  /** Records of the logs signal say the same as the events of the span, under the same names. */
  @ParameterizedTest
  @CsvSource({
    "trouble-dead-letter, process Begin, pekko.dead_letter",
    "trouble-dead-letters, process Begin, pekko.dead_letter",
    "classic-ask-timeout, ask Ping, pekko.ask_timeout",
    "trouble-stuck, process Begin, pekko.stuck",
    "fail-restart, process Boom, exception"
  })
  void incident_isALogRecordInTheContextOfItsSpan(String scenario, String span, String event) {
    ReceivedSpan of = run.only(scenario, span);
    String name = event.equals("exception") ? "pekko.message.process.exception" : event;
    List<ReceivedLog> records =
        run.logs().stream()
            .filter(l -> l.event().equals(name) && l.spanId().equals(of.spanId()))
            .toList();
    assertThat(records)
        .isNotEmpty()
        .allSatisfy(
            record -> {
              assertThat(record.traceId()).isEqualTo(of.traceId());
              assertThat(record.scope()).isEqualTo("io.deimos.pekko");
              assertThat(record.body()).isNotEmpty();
              assertThat(record.severity()).isEqualTo(event.equals("exception") ? 17 : 13);
            });
    List<ReceivedSpan.Event> events =
        of.events().stream().filter(e -> e.name().equals(event)).toList();
    assertThat(records)
        .extracting(ReceivedLog::attributes)
        .containsAll(events.stream().map(ReceivedSpan.Event::attributes).toList());
    assertThat(records.get(0).timeNanos()).isEqualTo(events.get(0).atNanos());
  }

  @ParameterizedTest
  @CsvSource({
    "fail-restart, process Boom, Supervision$Child",
    "typed-restart, process Break, TypedSupervision$Fragile"
  })
  void failureAndRestart_areLogRecords(String scenario, String span, String actor) {
    ReceivedSpan of = run.only(scenario, span);
    assertThat(run.logs())
        .filteredOn(l -> l.event().equals("pekko.actor.failed"))
        .filteredOn(l -> l.spanId().equals(of.spanId()))
        .singleElement()
        .satisfies(
            l -> {
              assertThat(l.severity()).isEqualTo(17);
              assertThat(l.traceId()).isEqualTo(of.traceId());
              assertThat(l.attributes())
                  .containsEntry("error.type", of.text("error.type"))
                  .containsEntry("pekko.message.class", of.text("pekko.message.class"))
                  .containsEntry("pekko.actor.path", of.text("pekko.actor.path"))
                  .containsEntry("pekko.actor.class", "scenarios." + actor)
                  .containsEntry("pekko.system", scenario);
            });
    assertThat(run.logs())
        .filteredOn(l -> l.event().equals("pekko.actor.restarted"))
        .filteredOn(l -> scenario.equals(l.attributes().get("pekko.system")))
        .singleElement()
        .satisfies(
            l ->
                assertThat(l.attributes())
                    .containsEntry("pekko.actor.path", of.text("pekko.actor.path")));
  }

  @Test
  void deadLetter_tellsWhoSentWhatToWhomAndWhatBecameOfIt() {
    assertThat(told("trouble-dead-letter", "process Begin", "dead_letter"))
        .isEqualTo(
            Map.of(
                "pekko.message.class", "scenarios.Messages$Ping",
                "pekko.actor.path", "pekko://trouble-dead-letter/user/back",
                "pekko.actor.class", "scenarios.Echo",
                "pekko.actor.state", "stopped",
                "pekko.sender.path", "pekko://trouble-dead-letter/user/front",
                "pekko.sender.class", "scenarios.Front"));
  }

  @Test
  void deadLetters_beyondSixteenOfASpan_areLinesAndANumber() {
    ReceivedSpan span = run.only("trouble-dead-letters", "process Begin");
    assertThat(span.events()).filteredOn(e -> e.name().equals("pekko.dead_letter")).hasSize(16);
    assertThat(span.event("deimos.more_incidents").attributes())
        .isEqualTo(Map.of("deimos.more.count", 4L));
    assertThat(told("dead_letter", span)).hasSize(20);
  }

  /** A typed message has no sender; the span is that of who sent it. */
  @Test
  void deadLetter_ofATypedActor_tellsTheSame() {
    assertThat(told("trouble-typed-dead-letter", "process Begin", "dead_letter"))
        .isEqualTo(
            Map.of(
                "pekko.message.class", "scenarios.Server$Question",
                "pekko.actor.path", "pekko://trouble-typed-dead-letter/user/server",
                "pekko.actor.class", "scenarios.Server",
                "pekko.actor.state", "stopped"));
  }

  @ParameterizedTest
  @CsvSource({
    "classic-ask-timeout, silent, ClassicAsks$Silent, Messages$Ping, front, Front, processed",
    "typed-ask-timeout, server, Server, Server$Ignored, client, Client, processed",
    "unanswered-slow, asked, Unanswered$Asked, Messages$Ping, front, Front, processing",
    "unanswered-typed-slow, asked, Unanswered, Unanswered$Question, front, Unanswered, processing",
    "unanswered-busy, asked, Unanswered$Asked, Messages$Ping, front, Front, in_mailbox",
    "unanswered-typed-busy, asked, Unanswered, Unanswered$Question, front, Unanswered, in_mailbox",
    "unanswered-stops, asked, Unanswered$Asked, Messages$Ping, front, Front, stopped",
    "unanswered-typed-stops, asked, Unanswered, Unanswered$Question, front, Unanswered, stopped",
    "unanswered-nobody, nobody, , Messages$Ping, front, Front, dead_letter"
  })
  void askTimeout_tellsWhoAskedWhomAndWhatBecameOfIt(
      String scenario,
      String asked,
      @Nullable String askedClass,
      String question,
      String asker,
      String askerClass,
      String target) {
    String ask = "ask " + question.replaceFirst(".*\\$", "");
    Map<String, Object> facts = told(scenario, ask, "ask_timeout");
    assertThat(String.valueOf(facts.remove("pekko.actor.state")))
        .matches(
            switch (target) {
              case "processing" ->
                  "processes scenarios\\." + Pattern.quote(question) + " for [0-9.]+ s";
              case "in_mailbox" -> "processes scenarios\\.Messages\\$Work for [0-9.]+ s";
              case "stopped" -> "stopped";
              case "dead_letter" -> "not known here";
              default -> "alive";
            });
    Map<String, Object> expected = new TreeMap<>();
    expected.put("pekko.message.class", "scenarios." + question);
    expected.put("pekko.actor.path", "pekko://" + scenario + "/user/" + asked);
    if (askedClass != null) {
      expected.put("pekko.actor.class", "scenarios." + askedClass);
    }
    expected.put("pekko.ask.target.state", target);
    expected.put("pekko.sender.path", "pekko://" + scenario + "/user/" + asker);
    expected.put("pekko.sender.class", "scenarios." + askerClass);
    assertThat(facts).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"trouble-stuck, Front", "trouble-typed-stuck, Front"})
  void stuckActor_isToldWithItsStackWhileItIs(String scenario, String actor) {
    ReceivedSpan span = run.only(scenario, "process Begin");
    List<ReceivedSpan.Event> events =
        span.events().stream().filter(e -> e.name().equals("pekko.stuck")).toList();
    assertThat(events).hasSize(told("stuck", span).size()).hasSizeGreaterThan(1);
    double before = 0.3 / 2;
    for (ReceivedSpan.Event event : events) {
      assertThat(event.atNanos()).isBetween(span.startNanos(), span.endNanos());
      assertThat(event.attributes())
          .containsEntry("pekko.message.class", "scenarios.Messages$Begin")
          .containsEntry("pekko.actor.path", "pekko://" + scenario + "/user/front")
          .containsEntry("pekko.actor.class", "scenarios." + actor)
          .containsKey("thread.name");
      double lasted =
          Objects.requireNonNull((Double) event.attributes().get("pekko.processing.time"));
      assertThat(lasted).isGreaterThanOrEqualTo(2 * before - 0.001).isLessThan(60);
      before = lasted;
      assertThat(event.attributes().get("code.stacktrace")).asString().contains("Troubles.dawdle");
    }
    assertThat(told("stuck", span))
        .allSatisfy(
            line -> {
              assertThat(line)
                  .containsEntry("trace_id", span.traceId())
                  .containsEntry("pekko.actor.path", "pekko://" + scenario + "/user/front");
              assertThat(line.get("stack")).contains("Troubles.dawdle");
            });
  }

  @Test
  void starvedDispatcher_isToldWithWhatHoldsItsThreads() {
    // On a machine that is busy enough, others are starved as well.
    List<Map<String, String>> told =
        lines("starvation").stream()
            .map(TroubleTest::facts)
            .filter(line -> "few".equals(line.get("pekko.dispatcher.name")))
            .toList();
    assertThat(told)
        .isNotEmpty()
        .allSatisfy(
            line -> {
              assertThat(line)
                  .containsEntry("pekko.system", "trouble-starved")
                  .containsEntry("pekko.dispatcher.name", "few")
                  .containsEntry("pekko.dispatcher.thread.held", "2")
                  .containsEntry("pekko.message.class", "scenarios.Messages$Begin")
                  .containsEntry("pekko.actor.class", "scenarios.Front");
              assertThat(
                      Double.parseDouble(
                          Objects.requireNonNull(line.get("pekko.dispatcher.task.wait"))))
                  .isGreaterThanOrEqualTo(0.3);
              assertThat(line.get("pekko.actor.path")).contains("/user/held-");
              assertThat(line.get("stack")).contains("2 threads process", "Troubles.dawdle");
              assertThat(run.spansOf("trouble-starved"))
                  .extracting(ReceivedSpan::spanId)
                  .contains(Objects.requireNonNull(line.get("span_id")));
            });
    assertThat(
            run.points().stream()
                .filter(p -> p.name().equals("pekko.dispatcher.starvation"))
                .filter(p -> "few".equals(p.attributes().get("pekko.dispatcher.name")))
                .mapToDouble(ReceivedPoint::value)
                .max()
                .orElse(0))
        .isBetween(1.0, (double) told.size());
  }

  @Test
  void stuckActors_areCounted() {
    assertThat(
            run.points().stream()
                .filter(p -> p.name().equals("pekko.message.stuck"))
                .mapToDouble(ReceivedPoint::value)
                .max())
        .hasValue(lines("stuck").size());
  }
}
