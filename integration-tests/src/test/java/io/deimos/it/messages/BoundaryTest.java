// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnOneJdk;
import io.deimos.it.harness.ScenarioRun;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * One row for each boundary and way of sending that the other tests have not: the scenario, and the
 * traces that must come of it, no more and no less.
 */
@OnOneJdk
class BoundaryTest {
  private static final Map<Jdk, ScenarioRun> RUNS = new ConcurrentHashMap<>();
  private static final Map<String, String> ROWS = new TreeMap<>();

  private static final List<String> ASKED_IN_VAIN =
      List.of("asked-gone", "asked-nowhere", "asked-typed-gone", "asked-typed-nowhere");

  private final ScenarioRun run;

  BoundaryTest(Jdk jdk) {
    run =
        RUNS.computeIfAbsent(
            jdk,
            j ->
                ScenarioRun.run(
                    j, "boundaries", List.copyOf(ROWS.keySet()), b -> b.deimos(), b -> b));
  }

  /** The second was armed when the first had been processed. */
  private static final String RECEIVE_TIMEOUTS =
      """
      process Begin at /user/ticker
      process ReceiveTimeout at /user/ticker, tick after process Begin
      process ReceiveTimeout at /user/ticker, tick after process ReceiveTimeout
      """;

  static {
    for (String kind : List.of("fixed-delay", "fixed-rate", "scheduler-delay", "scheduler-rate")) {
      row("tick-" + kind, ticks("Tick"));
    }
    row("tick-receive-timeout", RECEIVE_TIMEOUTS);
    for (String kind : List.of("delay", "rate", "scheduler-delay", "scheduler-rate")) {
      row("tick-typed-" + kind, ticks("Tick"));
    }
    row("tick-typed-receive-timeout", RECEIVE_TIMEOUTS);
    for (String kind : List.of("", "-classic")) {
      row(
          "tick-re-armed" + kind,
          """
          process Begin at /user/ticker
            process Tick at /user/ticker
          process Tick at /user/ticker, tick after process Tick
          """);
    }
    row(
        "loop-typed",
        """
        process Work at /user/loop
          process Work at /user/loop
            process Work at /user/loop
              process Work at /user/loop
        """);
  }

  static {
    row(
        "topic",
        """
        process Begin at /user/publisher
          process Event at /user/one
          process Event at /user/two
        """);
    for (String typed : List.of("", "-typed")) {
      row(
          "dead-letter" + typed,
          """
          process Begin at /user/front
            process DeadLetter at /user/listener
          """);
    }
  }

  static {
    for (String typed : List.of("", "typed-")) {
      unanswered(typed, "slow", "processing", "");
      unanswered(typed, "busy", "in_mailbox", "process Work at /user/asked\n");
      unanswered(typed, "silent", "processed", "process Work at /user/asked\n");
      unanswered(typed, "stops", "stopped", "");
    }
    row(
        "unanswered-nobody",
        """
        process Begin at /user/front
          ask Ping at /user/nobody from /user/front ! timeout, target dead_letter
        """);
  }

  static {
    for (String asked : ASKED_IN_VAIN) {
      row(asked, "process Begin at /user/front\n");
    }
    row(
        "classic-ask-status",
        """
        process Begin at /user/front
          ask Ping at /user/back from /user/front
            process Ping at /user/back from /temp
          process Done at /user/front
        """);
    row(
        "classic-ask-status-error",
        """
        process Begin at /user/front
          ask Ping at /user/back from /user/front
            process Ping at /user/back from /temp
          process Failure at /user/front
        """);
    row(
        "user-with-span-typed",
        """
        process Begin at /user/front
          price
            process Question at /user/back
              process Answer at /user/front
        """);
    row(
        "user-make-current-typed",
        """
        process Begin at /user/front
          own
            process Question at /user/back
              process Answer at /user/front
          process Question at /user/back
            process Answer at /user/front
        """);
  }

  private static void unanswered(String typed, String how, String found, String before) {
    boolean classic = typed.isEmpty();
    row(
        "unanswered-" + typed + how,
        """
        process Begin at /user/front
          ask %s at /user/asked from /user/front ! timeout, target %s
            process %s at /user/asked%s
        """
                .formatted(
                    classic ? "Ping" : "Question",
                    found,
                    classic ? "Ping" : "Question",
                    classic ? " from /temp" : "")
            + before);
  }

  private static void row(String scenario, String traces) {
    ROWS.put(scenario, traces);
  }

  private static String ticks(String name) {
    String tick = "process " + name + " at /user/ticker, tick after process Begin\n";
    return "process Begin at /user/ticker\n" + tick + tick;
  }

  @TestFactory
  Stream<DynamicTest> row_whenRun_hasItsTraces() {
    return run.tests(ROWS);
  }

  /** Pekko asks nobody, but gives the question up as a message that was sent in vain. */
  @Test
  void questionToWhoIsKnownNotToBeThere_isADeadLetterOfTheAskersSpan() {
    for (String scenario : ASKED_IN_VAIN) {
      boolean classic = !scenario.contains("typed");
      assertThat(run.only(scenario, "process Begin").event("pekko.dead_letter").attributes())
          .as(scenario)
          .containsEntry(
              "pekko.message.class",
              classic ? "scenarios.Messages$Ping" : "scenarios.Unanswered$Question")
          .containsEntry("pekko.actor.path", "pekko://" + scenario + "/user/asked")
          .containsEntry(
              "pekko.actor.state", scenario.endsWith("gone") ? "stopped" : "not known here");
    }
  }
}
