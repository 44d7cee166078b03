// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnEachJdk;
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
 * When a message has been processed nothing of its context is left where it was: on its thread, in
 * actors that it made, in futures that it completed. What comes after it is in a trace of its own.
 */
@OnEachJdk
class LeavingTest {
  private static final Map<Jdk, ScenarioRun> RUNS = new ConcurrentHashMap<>();
  private static final Map<String, String> ROWS = new TreeMap<>();
  private static final String NEXT = "process Work at /user/next\n";

  private final ScenarioRun run;

  LeavingTest(Jdk jdk) {
    run =
        RUNS.computeIfAbsent(
            jdk,
            j ->
                ScenarioRun.run(
                    j,
                    "leaving",
                    List.copyOf(ROWS.keySet()),
                    b -> b.deimos(),
                    b -> b.property("otel.instrumentation.logback-mdc.enabled", "true")));
  }

  static {
    for (String executor : List.of("fork-join", "thread-pool", "affinity", "shared")) {
      row("leave-" + executor, NEXT + "process Work at /user/untidy\n");
    }
    String failed = "process Boom at /user/untidy ! java.lang.%s\n";
    for (String typed : List.of("", "-typed")) {
      row("leave-exception" + typed, failed.formatted("IllegalStateException") + NEXT);
      row("leave-interrupt" + typed, failed.formatted("InterruptedException") + NEXT);
      row("leave-termination" + typed, "process Event at /user/untidy\n");
    }
    row("leave-scope-in-receive", NEXT + "process Work at /user/untidy\n");
    row("leave-scope-in-failure", failed.formatted("IllegalStateException") + NEXT);
    row("leave-scope-in-restart", failed.formatted("IllegalStateException") + NEXT);
    row("leave-scope-in-start", NEXT);
    row("leave-scope-in-stop", NEXT);
    row("leave-scope-in-callback", NEXT + "process Work at /user/untidy\n");
    row(
        "leave-scope-in-task",
        """
        process Done at /user/sink
        process Event at /user/untidy
          process Work at /user/untidy from /user/untidy
        """);
    row(
        "leave-calling-thread",
        """
        own
          process Boom at /user/untidy-failure ! java.lang.IllegalStateException
        own
          process Work at /user/untidy-
        own
          process Work at /user/untidy-receive
        process Boom at /user/untidy-failure ! java.lang.IllegalStateException
        process Work at /user/untidy-
        process Work at /user/untidy-receive
        """);
    row(
        "leave-created",
        """
        process Begin at /user/front
        process Work at /user/front/child
        process Work at /user/front/child
        """);
    row(
        "leave-created-typed",
        """
        process Begin at /user/front
        process Work at /user/front/child
        process Work at /user/front/child
        """);
    for (String how : List.of("dispatcher", "parasitic", "pipe")) {
      row("leave-future-" + how, "process Begin at /user/front\nprocess Done at /user/sink\n");
    }
    for (String how : List.of("accept", "async", "pipe")) {
      row("leave-stage-" + how, "process Begin at /user/front\nprocess Done at /user/sink\n");
    }
  }

  private static void row(String scenario, String traces) {
    ROWS.put(scenario, traces);
  }

  @TestFactory
  Stream<DynamicTest> row_whenRun_hasItsTraces() {
    return run.tests(ROWS);
  }

  @Test
  void logInAMessage_andOutsideAfterIt_onlyTheFirstHasATrace() {
    assertThat(logged("inside")).isNotEmpty().allMatch(l -> l.matches(".* trace=[0-9a-f]{32} .*"));
    assertThat(logged("outside")).isNotEmpty().allMatch(l -> l.contains(" trace= span= "));
  }

  private List<String> logged(String where) {
    return run.out().stream().filter(l -> l.startsWith("@log ") && l.endsWith(where)).toList();
  }
}
