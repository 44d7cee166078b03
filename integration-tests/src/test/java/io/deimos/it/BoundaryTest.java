// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * One row for each boundary and way of sending that the other tests have not: the scenario, and the
 * traces that must come of it, no more and no less.
 */
@OnEachJdk
class BoundaryTest {
  private static final Map<Jdk, ScenarioRun> RUNS = new ConcurrentHashMap<>();
  private static final Map<String, String> ROWS = new TreeMap<>();

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
    row("tick-typed-delay", ticks("Tick"));
    row("tick-typed-rate", ticks("Tick"));
    row("tick-typed-receive-timeout", RECEIVE_TIMEOUTS);
    row(
        "tick-re-armed",
        """
        process Begin at /user/ticker
          process Tick at /user/ticker
            process Tick at /user/ticker
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
    row(
        "dead-letter",
        """
        process Begin at /user/front
          process DeadLetter at /user/listener
        """);
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
}
