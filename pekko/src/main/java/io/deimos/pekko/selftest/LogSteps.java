// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.context.ThreadState;

/**
 * The loggers of actors. No logger is given a whole event: other instrumentations would have it
 * exported as one of the application's. So they fail on what it is given, and the step has a thread
 * of its own for what they leave behind.
 */
final class LogSteps {
  /** The arguments of a call of a logger. */
  interface Call {
    void run() throws Exception;
  }

  static final String NAME = "deimos-self-test";

  private LogSteps() {}

  static void run(Steps steps) {
    if (steps.hasHook("logback.Logger.callAppenders")) {
      LogbackSteps.run(steps);
    }
    if (steps.hasHook("log4j.Logger.log")) {
      Log4jSteps.run(steps);
    }
    if (steps.hasHook("log4j.AsyncLogger.log")) {
      Log4jSteps.Async.run(steps);
    }
  }

  /** Runs a step for a hook of a logging library; the library may fail after the hook. */
  static void check(Steps steps, String hook, Call log) {
    steps.fires(hook, () -> Steps.onPlainThread(() -> log(log)));
  }

  @SuppressWarnings({"CatchingUnchecked", "PMD"})
  private static void log(Call log) {
    ThreadState.currentOrNew();
    try {
      log.run();
    } catch (Exception e) {
      // that is no event
    }
  }
}
