// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnEachJdk;
import io.deimos.it.harness.ScenarioRun;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What scalac makes of the operators, closures and traits of the Scala DSL keeps its traces as what
 * javac makes of the Java DSL does: a row each, with the whole tree of its spans.
 */
@Tag("quick")
@OnEachJdk
class ScalaSendingTest {
  private final ScenarioRun run;

  ScalaSendingTest(Jdk jdk) {
    run = ScenarioRun.ofAll(jdk);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        """
        scala-tell|'
        process Begin at /user/front
          process Ping at /user/back from /user/front
            process Pong at /user/front from /user/back
        '""",
        """
        scala-forward|'
        process Begin at /user/front
          process Ping at /user/relay from /user/front
            process Ping at /user/back from /user/front
              process Pong at /user/front from /user/back
        '""",
        """
        scala-become|'
        process Begin at /user/front
          process Open at /user/switching from /user/front
          process Ping at /user/switching from /user/front
            process Pong at /user/front from /user/switching
        '""",
        """
        scala-stash|'
        process Begin at /user/front
          process Open at /user/shop from /user/front
          process Work at /user/shop from /user/front
            process Work at /user/shop from /user/front, stashed
              process Done at /user/front from /user/shop
        '""",
        """
        scala-ask|'
        process Begin at /user/front
          ask Ping at /user/back from /user/front
            process Ping at /user/back from /temp
          process Pong at /user/front from /user/front
        '""",
        """
        scala-ask-outside|'
        ask Ping at /user/back
          process Ping at /user/back from /temp
        '""",
        """
        scala-ask-failure|'
        process Begin at /user/front
          ask Boom at /user/back from /user/front ! java.lang.IllegalStateException
            process Boom at /user/back from /temp
        '""",
        """
        scala-ask-timeout|'
        process Begin at /user/front
          ask Ping at /user/silent from /user/front ! timeout, target processed
            process Ping at /user/silent from /temp
        '""",
        """
        scala-future|'
        process Begin at /user/front
          process Done at /user/front from /user/front
        '""",
        """
        scala-future-failed|'
        process Begin at /user/front
          process Done at /user/front from /user/front
        '""",
        """
        scala-promise|'
        process Begin at /user/front
          process Done at /user/front from /user/front
        '""",
        """
        scala-pipe|'
        process Begin at /user/front
          process Done at /user/front from /user/front
        '""",
        """
        scala-schedule-message|'
        process Begin at /user/front
          process Tick at /user/front from /user/front
        '""",
        """
        scala-schedule-block|'
        process Begin at /user/front
          process Tick at /user/front from /user/front
        '""",
        """
        scala-timer|'
        process Begin at /user/clockwork
          process Tick at /user/clockwork
        '""",
        """
        scala-typed-tell|'
        process Start at /user/client
          process Question at /user/server
            process Answer at /user/client/answers
        '""",
        """
        scala-typed-ask|'
        process Start at /user/client
          ask Question at /user/server from /user/client
            process Question at /user/server
          process Adapted at /user/client
        '""",
        """
        scala-typed-ask-outside|'
        ask Question at /user/server
          process Question at /user/server
        '""",
        """
        scala-typed-adapter|'
        process Start at /user/client
          process Question at /user/server
            process Adapted at /user/client
        '""",
        """
        scala-typed-pipe|'
        process Start at /user/client
          process Adapted at /user/client
        '""",
        """
        scala-typed-timer|'
        process Start at /user/client
          process Ticked at /user/client
        '""",
        """
        scala-typed-stash|'
        process Start at /user/client
          process Open at /user/gate
          process Question at /user/gate
            process Question at /user/gate, stashed
              process Answer at /user/client/answers
        '"""
      })
  void sender_inScala_keepsItsTrace(String scenario, String tree) {
    run.assertTraces(scenario.strip(), tree.stripLeading());
  }
}
